package dev.fulmar.launcher;

import dev.fulmar.benchmarks.run.Workloads;
import dev.fulmar.benchmarks.workload.Workload;
import java.util.Iterator;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of a workload: its name and its size. */
final class WorkloadOptions {
    @Parameters(
            index = "0",
            paramLabel = "WORKLOAD",
            completionCandidates = Names.class,
            description = "One of: ${COMPLETION-CANDIDATES}.")
    private String name = "";

    @Option(
            names = "--scale",
            defaultValue = "0",
            description = "Warehouses of TPC-C, thousands of records or accounts elsewhere; default: 2 and 100.")
    private int scale;

    @Option(
            names = "--skew",
            defaultValue = "0.99",
            description = "Zipf exponent of YCSB's keys, 0 for uniform ones; default: ${DEFAULT-VALUE}.")
    private double skew;

    String name() {
        return name;
    }

    Workload create(long seed) {
        int size = scale > 0 ? scale : name.startsWith("tpcc") ? 2 : 100;
        return Workloads.create(name, size, skew, seed);
    }

    /** The names for help and completion. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Workloads.names().iterator();
        }
    }
}
