package dev.fulmar.client.transfer;

/** Is told how far a transfer is, now and then and at its end. */
@FunctionalInterface
public interface TransferProgress {
    /**
     * Some more is done.
     *
     * @param table that is read or written
     * @param rows so far
     * @param rejected records so far that became no rows
     */
    void report(String table, long rows, long rejected);
}
