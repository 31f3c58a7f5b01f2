package dev.fulmar.postgres.copy;

import dev.fulmar.postgres.dialect.CopyOptions;

/**
 * Reader of a COPY's data, which come in pieces of any size. It holds one row at most. Data that cannot be read fail
 * with 22P04, and the reader is of no use then. Not thread-safe.
 */
sealed interface CopyReader permits DelimitedReader, BinaryReader {
    /** Longest row that is read. */
    int MOST_ROW_BYTES = 16 << 20;

    /** Receiver of rows, which keeps nothing of them. */
    interface RowReceiver {
        void row(CopyRow row);
    }

    /** Reads a piece, which must stay as it is from now on. */
    void read(byte[] bytes, RowReceiver rows);

    /** Memory that it holds of a row that has not ended, and for the next one. */
    long heldBytes();

    /** Reads what is held as the last piece. */
    void end(RowReceiver rows);

    static CopyReader of(CopyOptions options, CopyPlace place) {
        return switch (options.format()) {
            case TEXT -> new DelimitedReader(options, place, new TextFields(options));
            case CSV -> new DelimitedReader(options, place, new CsvFields(options, place));
            case BINARY -> new BinaryReader(place);
        };
    }
}
