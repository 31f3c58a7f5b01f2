package dev.fulmar.node.jmx;

/** The operation log of a durable database. Counts are since the start. */
public interface LogMXBean {
    @Gauge("When a reply to a write is sent: SYNC after the write is durable, or ASYNC before.")
    String getMode();

    @Gauge("Where the bytes go: file or llpl; says so if it is emulated.")
    String getBackend();

    @Gauge("What the backend really gives: POWER_FAIL, OS_CRASH or PROCESS_CRASH is the worst that is survived.")
    String getDurability();

    @Gauge("Where the bytes are, and why they are that durable.")
    String getBackendExplanation();

    @Counter("Records that are durable.")
    long getRecords();

    @Counter("Bytes of the records that are durable.")
    long getRecordBytes();

    @Counter("Bytes written, padding and seals included.")
    long getWrittenBytes();

    @Counter("Bytes written to have segments ready: zeros, headers, and the control file.")
    long getPreparedBytes();

    @Counter("Groups of records, each one synchronous write.")
    long getGroups();

    @Gauge("Records in a group, on average over the last seconds.")
    double getRecordsPerGroup();

    @Gauge("Records in the largest group since the start.")
    long getLargestGroupRecords();

    @Counter("Synchronous writes, seals included.")
    long getFences();

    @Gauge("Duration of a synchronous write in microseconds, on average over the last seconds.")
    double getFenceMicros();

    @Gauge("Microseconds for which a reply or vote waited for the log over the last seconds, median.")
    double getGateWaitP50Micros();

    @Gauge("Microseconds for which a reply or vote waited for the log over the last seconds, 99th percentile.")
    double getGateWaitP99Micros();

    @Gauge("Segments that hold records which a recovery may need.")
    long getLiveSegments();

    @Gauge("Replies and votes that wait for the log.")
    int getHeldReplies();

    @Gauge("Why nothing is acknowledged any more, or an empty text.")
    String getFailure();

    @Gauge("Why nothing that changes data is taken now, or an empty text.")
    String getShortage();
}
