package dev.fulmar.benchmarks.workload;

import dev.fulmar.client.FulmarClient;
import java.util.List;
import java.util.random.RandomGenerator;

/** A benchmark: tables, procedures, rows, requests, and what must hold afterwards. Thread-safe once loaded. */
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
     * Checks what must hold of the tables whoever changed them, when no request runs; returns what does not, empty if
     * all is well. Nothing but the size of the workload is taken from this object, so another process than the one that
     * ran the load can check.
     */
    List<String> verifyTables(FulmarClient client, Progress progress);

    /**
     * Checks the tables against what the requests of this object, which loaded them, saw committed; as
     * {@link #verifyTables}.
     */
    List<String> verifyRecord(FulmarClient client, Progress progress);

    /** Told how far a long step is. */
    interface Progress {
        void report(String step, long done, long total);

        /** Nobody listens. */
        static Progress silent() {
            return (step, done, total) -> {};
        }
    }
}
