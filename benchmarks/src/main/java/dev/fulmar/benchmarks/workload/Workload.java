package dev.fulmar.benchmarks.workload;

import dev.fulmar.client.FulmarClient;
import java.util.List;
import java.util.random.RandomGenerator;

/** A benchmark: tables, procedures, rows, requests, and the invariants afterwards. Thread-safe once loaded. */
public interface Workload {
    /** Name on the command line and in reports. */
    String name();

    /** Classes that a procedure jar needs, procedures and what they use. */
    List<Class<?>> procedureClasses();

    /** DDL of the tables and procedures. */
    String ddl();

    /** Inserts the rows. Called once, after the DDL ran. */
    void load(FulmarClient client, Progress progress);

    /** A stream of requests for one closed-loop client. */
    RequestSource requests(RandomGenerator random);

    /**
     * Checks the invariants of the tables, after any changes, when no request runs; returns the breaches, empty if all
     * is well. It uses only the size of the workload from this object, so another process than the one that ran the
     * load can check.
     */
    List<String> verifyTables(FulmarClient client, Progress progress);

    /**
     * Checks the tables against what the requests of this object, which loaded them, saw committed; as
     * {@link #verifyTables}.
     */
    List<String> verifyRecord(FulmarClient client, Progress progress);

    /** Listens to the progress of a long step. */
    interface Progress {
        void report(String step, long done, long total);

        /** A progress that reports nothing. */
        static Progress silent() {
            return (step, done, total) -> {};
        }
    }
}
