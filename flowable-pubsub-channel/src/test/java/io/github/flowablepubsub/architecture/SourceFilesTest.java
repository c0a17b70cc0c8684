package io.github.flowablepubsub.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sizes of the source files of all modules. */
class SourceFilesTest {

    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

    private final List<Path> sources = sources();

    @Test
    void noClassIsBeyond300Lines() {
        assertThat(sources).hasSizeGreaterThan(50).allSatisfy(file -> assertThat(lines(file))
                .as("lines of %s", file)
                .isLessThanOrEqualTo(300));
    }

    @Test
    void theMedianOfTheMainClassesIsAtMost80Lines() {
        List<Long> sizes = sources.stream()
                .filter(file -> file.toString().contains("src/main/") && !file.endsWith("package-info.java"))
                .map(SourceFilesTest::lines)
                .sorted()
                .toList();
        assertThat(sizes.get(sizes.size() / 2)).isLessThanOrEqualTo(80);
    }

    @Test
    void everyPackageSaysWhatItIs() {
        assertThat(sources.stream()
                        .filter(file -> file.toString().contains("src/main/"))
                        .map(Path::getParent)
                        .distinct())
                .allSatisfy(directory ->
                        assertThat(directory.resolve("package-info.java")).exists());
    }

    private static List<Path> sources() {
        try (Stream<Path> files = Files.walk(REPOSITORY)) {
            return files.filter(file -> file.toString().endsWith(".java")
                            && !file.toString().contains("/target/"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
