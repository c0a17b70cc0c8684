package io.github.flowablepubsub.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Packages follow the data flow; their edges are exactly these, and there is no cycle. */
class ArchitectureTest {

    private static final String BASE = "io.github.flowablepubsub.";

    private static final String EDGES =
            """
            channel -> inbox
            correlation -> channel
            correlation -> inbox
            correlation -> outcome
            engine -> channel
            engine -> correlation
            engine -> events
            engine -> inbox
            engine -> mirror
            engine -> operations
            engine -> relay
            engine -> subscriber
            events -> inbox
            mirror -> channel
            mirror -> events
            mirror -> inbox
            operations -> channel
            operations -> inbox
            operations -> relay
            outcome -> channel
            outcome -> inbox
            relay -> channel
            relay -> correlation
            relay -> events
            relay -> inbox
            relay -> mirror
            relay -> outcome
            subscriber -> channel
            subscriber -> events
            subscriber -> inbox
            """;

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.github.flowablepubsub");

    @Test
    void packageEdgesAreTheListedOnes() {
        Set<String> edges = new TreeSet<>();
        for (JavaClass from : CLASSES) {
            for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
                String source = part(from.getPackageName());
                String target = part(dependency.getTargetClass().getPackageName());
                if (!target.isEmpty() && !source.equals(target)) {
                    edges.add(source + " -> " + target);
                }
            }
        }
        assertThat(edges)
                .isEqualTo(Arrays.stream(EDGES.split("\n"))
                        .map(String::strip)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void packagesHaveNoCycle() {
        SlicesRuleDefinition.slices()
                .matching(BASE + "(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void oneBinaryForBothLinesNamesNoJackson() {
        assertThat(CLASSES.stream()
                        .flatMap(c -> c.getDirectDependenciesFromSelf().stream())
                        .map(d -> d.getTargetClass().getName())
                        .filter(name -> name.startsWith("tools.jackson")
                                || name.startsWith("com.fasterxml.jackson.databind")
                                || name.startsWith("com.fasterxml.jackson.core")))
                .isEmpty();
    }

    @Test
    void theChannelModuleKnowsNoSpring() {
        assertThat(CLASSES.stream()
                        .flatMap(c -> c.getDirectDependenciesFromSelf().stream())
                        .map(d -> d.getTargetClass().getName())
                        .filter(name -> name.startsWith("org.springframework")))
                .isEmpty();
    }

    private static String part(String packageName) {
        return packageName.startsWith(BASE) ? packageName.substring(BASE.length()) : "";
    }
}
