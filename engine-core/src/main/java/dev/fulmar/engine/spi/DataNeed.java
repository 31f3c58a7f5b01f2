package dev.fulmar.engine.spi;

/** Data that a transaction waits for. */
public interface DataNeed {
    /**
     * Begins to fetch the data, on the partition's thread.
     *
     * @param resume to be run on any thread, more often than once at will: when the data is here, and also if it will
     *     not come, within the time that the subsystem allows itself. The transaction then asks {@link DataAccess}
     *     again
     */
    void fetch(Runnable resume);
}
