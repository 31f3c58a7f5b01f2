package dev.fulmar.pmemlog.checkpoint;

/** Takes the rows of a checkpoint, in no particular order, each once. */
@FunctionalInterface
public interface RowConsumer {
    /**
     * A row.
     *
     * @param array holds the image during the call
     * @param offset where in the array it begins
     * @param length its bytes
     */
    void row(int table, int bucket, long row, byte[] array, int offset, int length);
}
