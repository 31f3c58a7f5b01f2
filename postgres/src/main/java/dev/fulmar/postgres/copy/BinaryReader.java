package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;

/** Reads the binary format: a header, rows of values with their lengths, and a trailer that need not be there. */
final class BinaryReader implements CopyReader {
    /** The first bytes of all such data: PGCOPY, and bytes that a transfer of text would damage. */
    static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0};

    private static final int HEADER_BYTES = SIGNATURE.length + 2 * Integer.BYTES;
    private static final int WITH_OIDS = 1 << 16;
    private static final int CRITICAL_FLAGS = 0xFFFF_0000;
    private static final int TRAILER = -1;
    private static final int NULL_LENGTH = -1;
    private static final byte[] NOTHING = new byte[0];

    /** Stands for a value that has not begun. */
    private static final int NOT_BEGUN = -1;

    private final CopyPlace place;
    private final int columns;
    private final CopyRow row = new CopyRow();

    /** The piece that is read, from {@link #at} on. Of earlier ones it begins with what was too short for a number. */
    private byte[] piece = NOTHING;

    private int at;
    private boolean hasHeader;

    /** Bytes of the header's extension that are still to come. */
    private long skipped;

    /** Whether the row has begun. Its values go there as they come, so no byte is read twice. */
    private boolean isRowOpen;

    /** Bytes of the row's next value that are still to come. */
    private int missing = NOT_BEGUN;

    private boolean isEnded;

    BinaryReader(CopyPlace place) {
        this.place = place;
        this.columns = place.columns().size();
    }

    @Override
    public void read(byte[] bytes, RowReceiver rows) {
        piece = available() == 0 ? bytes : behindRest(bytes);
        at = 0;
        if (!hasHeader && available() >= HEADER_BYTES) {
            header();
        }
        long skip = Math.min(skipped, available());
        if (hasHeader && skip > 0) {
            at += (int) skip;
            skipped -= skip;
        }
        while (hasHeader && skipped == 0 && !isEnded && row()) {
            rows.row(row);
            row.clear();
            place.nextLine();
        }
        if (isEnded && available() > 0) {
            throw place.bad("received copy data after EOF marker");
        }
        piece = available() == 0 ? NOTHING : Arrays.copyOfRange(piece, at, piece.length);
        at = 0;
    }

    private byte[] behindRest(byte[] bytes) {
        byte[] joined = Arrays.copyOfRange(piece, at, piece.length + bytes.length);
        System.arraycopy(bytes, 0, joined, available(), bytes.length);
        return joined;
    }

    @Override
    public long heldBytes() {
        return (long) piece.length + row.heldBytes();
    }

    @Override
    public void end(RowReceiver rows) {
        if (!hasHeader) {
            String missing = available() < SIGNATURE.length + Integer.BYTES ? "flags" : "length";
            throw badHeader(
                    available() < SIGNATURE.length
                            ? "COPY file signature not recognized"
                            : "invalid COPY file header (missing " + missing + ")");
        }
        if (skipped > 0) {
            throw badHeader("invalid COPY file header (wrong length)");
        }
        if (isRowOpen) {
            throw inColumn(row.count(), "unexpected EOF in COPY data");
        }
    }

    private static FulmarException badHeader(String message) {
        return new FulmarException(ErrorCode.BAD_COPY_FORMAT, message);
    }

    private FulmarException inColumn(int column, String message) {
        return place.at(column, row, false, new FulmarException(ErrorCode.BAD_COPY_FORMAT, message));
    }

    private int available() {
        return piece.length - at;
    }

    private FulmarException tooLong() {
        return place.error(
                ErrorCode.TRANSACTION_TOO_LARGE,
                "the row has more than " + MOST_ROW_BYTES + " bytes; a row of a COPY has no more");
    }

    private void header() {
        if (!Arrays.equals(piece, at, at + SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
            throw badHeader("COPY file signature not recognized");
        }
        int flags = int32(at + SIGNATURE.length);
        if ((flags & WITH_OIDS) != 0) {
            throw badHeader("invalid COPY file header (WITH OIDS)");
        }
        if ((flags & CRITICAL_FLAGS) != 0) {
            throw badHeader("unrecognized critical flags in COPY file header");
        }
        int extension = int32(at + SIGNATURE.length + Integer.BYTES);
        if (extension < 0) {
            throw badHeader("invalid COPY file header (missing length)");
        }
        skipped = extension;
        at += HEADER_BYTES;
        hasHeader = true;
    }

    /** Reads a row to its end, or the trailer; false if there is no whole row. */
    private boolean row() {
        if (!isRowOpen && !begin()) {
            return false;
        }
        while (row.count() < columns) {
            if (!field()) {
                return false;
            }
        }
        isRowOpen = false;
        return true;
    }

    private boolean begin() {
        if (available() < Short.BYTES) {
            return false;
        }
        int count = (short) ((piece[at] << Byte.SIZE) | (piece[at + 1] & 0xFF));
        at += Short.BYTES;
        if (count == TRAILER) {
            isEnded = true;
            return false;
        }
        if (count != columns) {
            throw place.bad("row field count is " + count + ", expected " + columns);
        }
        isRowOpen = true;
        return true;
    }

    /** Reads what there is of a value; false if it is not whole. */
    private boolean field() {
        if (missing == NOT_BEGUN) {
            if (available() < Integer.BYTES) {
                return false;
            }
            int length = int32(at);
            if (length < NULL_LENGTH) {
                throw inColumn(row.count(), "invalid field size");
            }
            if (length > MOST_ROW_BYTES - row.size()) {
                throw tooLong();
            }
            at += Integer.BYTES;
            if (length == NULL_LENGTH) {
                row.endField(true);
                return true;
            }
            missing = length;
        }
        int present = Math.min(missing, available());
        row.append(piece, at, at + present);
        at += present;
        missing -= present;
        if (missing > 0) {
            return false;
        }
        missing = NOT_BEGUN;
        row.endField(false);
        return true;
    }

    private int int32(int index) {
        return (piece[index] << 24)
                | ((piece[index + 1] & 0xFF) << 16)
                | ((piece[index + 2] & 0xFF) << 8)
                | (piece[index + 3] & 0xFF);
    }
}
