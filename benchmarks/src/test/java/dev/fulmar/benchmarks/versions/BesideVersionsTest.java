package dev.fulmar.benchmarks.versions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.experiment.Findings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BesideVersionsTest {
    @TempDir
    private Path folder;

    private static Findings judged(double... ratios) {
        List<CostPair> pairs = new ArrayList<>();
        for (double ratio : ratios) {
            pairs.add(new CostPair(
                    pairs.size() + 1,
                    List.of(
                            new CostPair.Cost("GET", "/a", ratio, 1000 * ratio, 1000),
                            new CostPair.Cost("GET", "/b", 0.5, 500, 1000))));
        }
        Findings findings = new Findings("beside-versions", true, "none");
        BesideVersions.report(findings, 3, pairs);
        return findings;
    }

    @Test
    void aBuildThatCostsNoMoreThanTheOthersPasses() {
        assertThat(judged(0.99, 1.01, 1.0).passed()).isTrue();
    }

    @Test
    void aBuildThatCostsMoreFails() {
        assertThat(judged(1.05, 1.04, 1.06).passed()).isFalse();
    }

    @Test
    void aMeanThatVariesTooMuchToTellFails() {
        assertThat(judged(0.9, 1.1, 1.0).passed()).isFalse();
    }

    @Test
    void fewerProcessesThanPlannedFail() {
        assertThat(judged(1.0, 1.0).passed()).isFalse();
    }

    @Test
    void aHomeWithoutABuildIsNamed() {
        assertThatThrownBy(() -> OtherBuild.at(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("mvn -DskipTests package");
    }

    /** A process that was measured beside one build is not taken for one beside a later build of the same checkout. */
    @Test
    void aHomeThatIsBuiltAnewIsAnotherBuild() throws IOException {
        Path classes = Files.createDirectories(folder.resolve("launcher/target/classes"));
        Path library =
                Files.createDirectories(folder.resolve("launcher/target/lib")).resolve("fulmar-node.jar");
        Files.writeString(classes.resolve("Main.class"), "main");
        Files.writeString(library, "node");
        String before = OtherBuild.fingerprint(folder);
        assertThat(OtherBuild.fingerprint(folder)).isEqualTo(before);
        Files.writeString(library, "another node");
        assertThat(OtherBuild.fingerprint(folder)).isNotEqualTo(before);
    }

    /** The classes of this test stand for those of the other build. */
    @Test
    @SuppressWarnings("unchecked") // the class of the object is CallCost of another loader
    void aNodeOfAnotherBuildExecutesCallsOfAllKinds() throws Exception {
        List<Path> places = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
        try (OtherBuild build = new OtherBuild(places)) {
            Object cost = build.callCost();
            assertThat(cost).isNotInstanceOf(CallCost.class);
            for (String kind : List.of("GET", "UPDATE", "TPCC")) {
                assertThat(((ToDoubleFunction<String>) cost).applyAsDouble(kind))
                        .isPositive();
            }
            ((AutoCloseable) cost).close();
        }
    }
}
