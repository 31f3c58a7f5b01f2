package dev.fulmar.node.jmx;

/** The operation log of a durable database. Counts are since the start. */
public interface LogMXBean {
    /** SYNC or ASYNC. */
    String getMode();

    /** Where the bytes go: {@code file}, {@code llpl}; says so if it is emulated. */
    String getBackend();

    /** What the backend really gives: POWER_FAIL, OS_CRASH or PROCESS_CRASH is the worst that is survived. */
    String getDurability();

    /** Where the bytes are, and why they are that durable. */
    String getBackendExplanation();

    /** Records that are durable. */
    long getRecords();

    /** Bytes of those. */
    long getRecordBytes();

    /** Bytes written, padding and seals included. */
    long getWrittenBytes();

    /** Groups of records, each one synchronous write. */
    long getGroups();

    /** Records in a group, on average over the last seconds. */
    double getRecordsPerGroup();

    long getLargestGroupRecords();

    /** Synchronous writes, seals included. */
    long getFences();

    /** Duration of a synchronous write, on average over the last seconds. */
    double getFenceMicros();

    /** Time for which a reply or vote waited for the log, half of them less, over the last seconds. */
    double getGateWaitP50Micros();

    double getGateWaitP99Micros();

    /** Segments that hold records which a recovery may need. */
    long getLiveSegments();

    /** Replies and votes that wait for the log. */
    int getHeldReplies();

    /** Why nothing is acknowledged any more, or an empty text. */
    String getFailure();

    /** Why nothing that changes data is taken now, or an empty text. */
    String getShortage();
}
