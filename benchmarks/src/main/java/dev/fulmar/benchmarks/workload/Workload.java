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

    /** Checks what must hold when no request runs; returns what does not, empty if all is well. */
    List<String> verify(FulmarClient client, Progress progress);

    /** Told how far a long step is. */
    interface Progress {
        void report(String step, long done, long total);

        /** Nobody listens. */
        static Progress silent() {
            return (step, done, total) -> {};
        }
    }
}
