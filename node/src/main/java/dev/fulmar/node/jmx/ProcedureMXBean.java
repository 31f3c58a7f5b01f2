package dev.fulmar.node.jmx;

/** A procedure, over all partitions. Rates are over the last seconds, latencies over the last ten. */
public interface ProcedureMXBean {
    @Gauge("Name of the procedure.")
    String getProcedure();

    @Counter("Calls that committed.")
    long getCommitted();

    @Counter("Calls that failed.")
    long getFailed();

    @Gauge("Calls per second, over the last seconds.")
    double getCallsPerSecond();

    @Gauge("Microseconds from arrival to reply over the last ten seconds, median.")
    double getLatencyP50Micros();

    @Gauge("Microseconds from arrival to reply over the last ten seconds, 99th percentile.")
    double getLatencyP99Micros();

    @Gauge("Microseconds from arrival to reply over the last ten seconds, 99.9th percentile.")
    double getLatencyP999Micros();
}
