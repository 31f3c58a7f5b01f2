package dev.fulmar.benchmarks.driversuite;

import dev.fulmar.benchmarks.driversuite.TestResult.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tests that PostgreSQL passes, and what a node makes of them.
 *
 * @param passed how many there are
 * @param equal how many of them pass on the node
 * @param byReason those that do not, by their known reasons
 * @param unexplained those that do not for another reason, with their messages
 * @param byClass shares of tests that pass on the node, as in {@code 12 of 14}
 */
public record SuiteOutcome(
        int passed,
        int equal,
        SortedMap<String, List<String>> byReason,
        List<String> unexplained,
        SortedMap<String, String> byClass) {

    /** Compares the results of the two servers. A test that a class could not begin has the class's error. */
    static SuiteOutcome of(
            SortedMap<String, TestResult> reference, SortedMap<String, TestResult> node, KnownDifferences known) {
        SortedMap<String, List<String>> byReason = new TreeMap<>();
        List<String> unexplained = new ArrayList<>();
        SortedMap<String, int[]> counts = new TreeMap<>();
        int passed = 0;
        int equal = 0;
        for (Map.Entry<String, TestResult> each : reference.entrySet()) {
            if (each.getValue().kind() != Kind.PASSED) {
                continue;
            }
            String test = each.getKey();
            int[] count = counts.computeIfAbsent(className(test), _ -> new int[2]);
            passed++;
            count[1]++;
            TestResult ours = result(test, node);
            if (ours.kind() == Kind.PASSED) {
                equal++;
                count[0]++;
                continue;
            }
            known.reason(test, ours.message())
                    .ifPresentOrElse(
                            reason -> byReason.computeIfAbsent(reason, _ -> new ArrayList<>())
                                    .add(test),
                            () -> unexplained.add(test + ": " + ours.message()));
        }
        SortedMap<String, String> byClass = new TreeMap<>();
        counts.forEach((name, count) -> byClass.put(name, count[0] + " of " + count[1]));
        return new SuiteOutcome(passed, equal, byReason, unexplained, byClass);
    }

    private static TestResult result(String test, SortedMap<String, TestResult> node) {
        TestResult own = node.get(test);
        if (own != null) {
            return own;
        }
        TestResult ofClass = node.get(className(test) + ".initializationError");
        return ofClass != null ? ofClass : new TestResult(Kind.FAILED, "it did not run");
    }

    /** The class of a test whose name may have dots of its own. */
    private static String className(String test) {
        int place = 0;
        while (!Character.isUpperCase(test.charAt(place))) {
            place = test.indexOf('.', place) + 1;
        }
        int end = test.indexOf('.', place);
        return end < 0 ? test : test.substring(0, end);
    }
}
