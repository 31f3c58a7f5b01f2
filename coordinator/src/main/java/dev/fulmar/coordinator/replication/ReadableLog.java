package dev.fulmar.coordinator.replication;

/** The records of a log that can be sent. Positions count records from 0. */
public interface ReadableLog {
    /** Answer of {@link #reach} for records that are gone. */
    long GONE = -1;

    /**
     * End of the records that one message takes from the position on: at least one record further.
     *
     * @param begin before the end
     * @param end not to go beyond
     * @return {@link #GONE} if the first record cannot be had any more
     */
    long reach(long begin, long end);
}
