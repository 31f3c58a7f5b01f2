package dev.fulmar.benchmarks.driversuite;

/**
 * The end of a test.
 *
 * @param message of the error, in one line; empty if there is none
 */
record TestResult(Kind kind, String message) {
    /** How a test can end. */
    enum Kind {
        PASSED,
        SKIPPED,
        FAILED
    }

    /** The same test once more: it has passed only if each run has. */
    TestResult and(TestResult other) {
        return other.kind.compareTo(kind) > 0 ? other : this;
    }
}
