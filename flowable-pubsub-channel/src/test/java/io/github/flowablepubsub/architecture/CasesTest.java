package io.github.flowablepubsub.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Each report of {@code docs/cases.md} has a test that exists, with the report's number in its name. */
class CasesTest {

    /** Nothing may be dropped from the table. */
    private static final Set<String> NUMBERS = Set.of(
            "4189", "11410", "2795", "1811", "2446", "2280", "327", "46", "2750", "887", "1579", "788", "75", "204",
            "26926", "773", "17", "4837", "4566", "2555", "1889", "1974", "2465", "3065", "3752", "637", "24", "2615",
            "2074", "3438", "14348", "4205", "2124", "3903", "2846", "8148", "441", "240", "558", "5822", "222", "106",
            "663", "572", "59");

    /** The sources that have no number. */
    private static final int WITHOUT_NUMBER = 4;

    /** Reports that this release does nothing about. */
    private static final Set<String> OPEN = Set.of();

    private static final Pattern NUMBER = Pattern.compile("#(\\d+)");
    private static final Pattern METHOD = Pattern.compile("`(\\w+)\\.(\\w+)#(\\w+)`");

    private record Case(Set<String> numbers, String tests) {}

    private static List<Case> table() throws IOException {
        List<Case> cases = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "cases.md"))) {
            List<String> cells = Arrays.asList(line.split("\\|", -1));
            if (cells.size() == 6 && !cells.get(1).isBlank() && !cells.get(1).matches(" source |-+")) {
                cases.add(new Case(found(NUMBER, cells.get(1)), cells.get(4)));
            }
        }
        return cases;
    }

    private static Set<String> found(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    @Test
    void noReportIsMissing() throws IOException {
        List<Case> cases = table();
        assertThat(cases.stream().flatMap(one -> one.numbers().stream())).containsExactlyInAnyOrderElementsOf(NUMBERS);
        assertThat(cases.stream().filter(one -> one.numbers().isEmpty())).hasSize(WITHOUT_NUMBER);
    }

    @Test
    void eachReportHasATestOfItsNumber() throws Exception {
        for (Case one : table()) {
            if (OPEN.containsAll(one.numbers()) && !one.numbers().isEmpty()) {
                assertThat(one.tests().trim()).isEqualTo("open");
                continue;
            }
            Set<String> named = new TreeSet<>();
            Matcher test = METHOD.matcher(one.tests());
            while (test.find()) {
                assertThat(isTest("io.github.flowablepubsub." + test.group(1) + "." + test.group(2), test.group(3)))
                        .as("%s is a test", test.group())
                        .isTrue();
                named.addAll(found(Pattern.compile("(\\d+)"), test.group(3)));
            }
            assertThat(METHOD.matcher(one.tests()).find())
                    .as("tests of %s", one)
                    .isTrue();
            assertThat(named).as("numbers in the names of %s", one.tests()).containsAll(one.numbers());
        }
    }

    private static boolean isTest(String type, String method) throws ClassNotFoundException {
        return Stream.of(Class.forName(type, false, CasesTest.class.getClassLoader())
                        .getDeclaredMethods())
                .anyMatch(candidate -> candidate.getName().equals(method)
                        && (candidate.isAnnotationPresent(Test.class)
                                || candidate.isAnnotationPresent(ParameterizedTest.class)));
    }
}
