package dev.fulmar.benchmarks.driversuite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.driversuite.TestResult.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteOutcomeTest {
    private static final TestResult PASSED = new TestResult(Kind.PASSED, "");

    @TempDir
    private Path reports;

    @Test
    void onlyTestsThatPassOnBothAreEqual() {
        SortedMap<String, TestResult> reference = new TreeMap<>();
        SortedMap<String, TestResult> node = new TreeMap<>();
        reference.put("org.x.ATest.a", PASSED);
        node.put("org.x.ATest.a", PASSED);
        reference.put("org.x.ATest.b", PASSED);
        node.put("org.x.ATest.b", new TestResult(Kind.SKIPPED, ""));
        reference.put("org.x.ATest.c", new TestResult(Kind.FAILED, "it fails everywhere"));
        node.put("org.x.ATest.c", PASSED);
        reference.put("org.x.BTest.a(1.5)[1]", PASSED);
        node.put("org.x.BTest.initializationError", new TestResult(Kind.FAILED, "there is no type point"));
        reference.put("org.x.CTest.a", PASSED);

        SuiteOutcome outcome = SuiteOutcome.of(
                reference,
                node,
                new KnownDifferences(List.of("# a comment", "types that are not there:", "no type p")));

        assertThat(outcome.passed()).isEqualTo(4);
        assertThat(outcome.equal()).isEqualTo(1);
        assertThat(outcome.byReason())
                .containsOnlyKeys("types that are not there")
                .containsValue(List.of("org.x.BTest.a(1.5)[1]"));
        assertThat(outcome.unexplained()).containsExactly("org.x.ATest.b: ", "org.x.CTest.a: it did not run");
        assertThat(outcome.byClass())
                .containsEntry("org.x.ATest", "1 of 2")
                .containsEntry("org.x.BTest", "0 of 1")
                .containsEntry("org.x.CTest", "0 of 1");
    }

    @Test
    void aTestThatRunsTwicePassesOnlyIfBothRunsDo() throws IOException {
        Files.writeString(reports.resolve("TEST-org.x.ATest.xml"), """
                <testsuite>
                  <testcase name="a" classname="org.x.ATest"/>
                  <testcase name="a" classname="org.x.ATest"><failure message="1 is&#10;not 2" type="E"/></testcase>
                  <testcase name="b[Value@1f3a2b]" classname="org.x.ATest"><error type="java.lang.Error"/></testcase>
                  <testcase name="c" classname="org.x.ATest"><skipped/></testcase>
                  <testcase name="d" classname="org.x.ATest"/>
                </testsuite>
                """);
        Files.writeString(reports.resolve("log.xml"), "no report");

        assertThat(TestReports.read(reports))
                .hasSize(4)
                .containsEntry("org.x.ATest.a", new TestResult(Kind.FAILED, "1 is not 2"))
                .containsEntry("org.x.ATest.b[Value@]", new TestResult(Kind.FAILED, "java.lang.Error"))
                .containsEntry("org.x.ATest.c", new TestResult(Kind.SKIPPED, ""))
                .containsEntry("org.x.ATest.d", PASSED);
    }

    @Test
    void theListOfReasonsIsReadable() throws IOException {
        assertThat(KnownDifferences.load().reason("org.x.ATest.a", "there is no type point"))
                .isPresent();
    }
}
