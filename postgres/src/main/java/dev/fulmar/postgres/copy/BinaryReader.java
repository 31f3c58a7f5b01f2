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
    private static final int FIRST_BYTES = 256;

    private final CopyPlace place;
    private final int columns;
    private final CopyRow row = new CopyRow();

    /** Bytes that are not read, from {@link #at} to {@link #size}. */
    private byte[] held = new byte[0];

    private int at;
    private int size;
    private boolean hasHeader;

    /** Bytes of the header's extension that are still to come. */
    private long skipped;

    private boolean isEnded;

    BinaryReader(CopyPlace place) {
        this.place = place;
        this.columns = place.columns().size();
    }

    @Override
    public void read(byte[] bytes, RowReceiver rows) {
        hold(bytes);
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
            place.nextLine();
        }
        if (isEnded && available() > 0) {
            throw place.bad("received copy data after EOF marker");
        }
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
        if (available() >= Short.BYTES) {
            row(); // of which some value is not whole
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
        return size - at;
    }

    private void hold(byte[] bytes) {
        int rest = available();
        if (rest > MOST_ROW_BYTES) {
            throw tooLong();
        }
        if (rest == 0) {
            held = bytes;
        } else if (bytes.length <= held.length - size) {
            System.arraycopy(bytes, 0, held, size, bytes.length);
            size += bytes.length;
            return;
        } else {
            byte[] joined = new byte[Math.max(FIRST_BYTES, 2 * (rest + bytes.length))];
            System.arraycopy(held, at, joined, 0, rest);
            System.arraycopy(bytes, 0, joined, rest, bytes.length);
            held = joined;
        }
        at = 0;
        size = rest + bytes.length;
    }

    private FulmarException tooLong() {
        return place.error(
                ErrorCode.TRANSACTION_TOO_LARGE,
                "the row has more than " + MOST_ROW_BYTES + " bytes; a row of a COPY has no more");
    }

    private void header() {
        if (!Arrays.equals(held, at, at + SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
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

    /** Reads a row, or the trailer; false if there is no whole row. */
    private boolean row() {
        if (available() < Short.BYTES) {
            return false;
        }
        int count = (short) ((held[at] << Byte.SIZE) | (held[at + 1] & 0xFF));
        if (count == TRAILER) {
            at += Short.BYTES;
            isEnded = true;
            return false;
        }
        if (count != columns) {
            throw place.bad("row field count is " + count + ", expected " + columns);
        }
        row.clear();
        int next = at + Short.BYTES;
        for (int i = 0; i < columns; i++) {
            if (size - next < Integer.BYTES) {
                return false;
            }
            int length = int32(next);
            next += Integer.BYTES;
            if (length < NULL_LENGTH) {
                throw inColumn(i, "invalid field size");
            }
            if (length > MOST_ROW_BYTES) {
                throw tooLong();
            }
            int present = Math.max(0, length);
            if (size - next < present) {
                return false;
            }
            row.append(held, next, next + present);
            row.endField(length == NULL_LENGTH);
            next += present;
        }
        at = next;
        return true;
    }

    private int int32(int index) {
        return (held[index] << 24)
                | ((held[index + 1] & 0xFF) << 16)
                | ((held[index + 2] & 0xFF) << 8)
                | (held[index + 3] & 0xFF);
    }
}
