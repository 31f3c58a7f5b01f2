package dev.fulmar.node.jmx;

/** A procedure, over all partitions. Rates are over the last seconds, latencies over the last ten. */
public interface ProcedureMXBean {
    String getProcedure();

    long getCommitted();

    long getFailed();

    double getCallsPerSecond();

    double getLatencyP50Micros();

    double getLatencyP99Micros();

    double getLatencyP999Micros();
}
