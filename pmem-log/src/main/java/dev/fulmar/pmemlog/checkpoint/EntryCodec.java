package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.pmemlog.checkpoint.LoggedRow.Kind;

/**
 * Entries of a group of the checkpoint log, of version 2. Each tells only in what it differs from the one before it in
 * the group, and none has a checksum: the group has one.
 */
final class EntryCodec {
    private static final int KIND = 3;
    private static final int SAME_BUCKET = 4;
    private static final int ERASES = 8;
    private static final int PACKED = 16;
    private static final int MOST_NUMBERS = 8;
    private static final Kind[] KINDS = Kind.values();

    private int table;
    private int bucket;
    private long row;
    private long slot;

    /** A group begins. */
    void restart() {
        table = 0;
        bucket = 0;
        row = 0;
        slot = 0;
    }

    /** Bytes that the entry may take. */
    static int mostBytes(LoggedRow entry) {
        return 1 + MOST_NUMBERS * Numbers.MOST_BYTES + entry.storedBytes();
    }

    /** Writes the entry; returns its end. */
    int write(LoggedRow entry, byte[] array, int at) {
        boolean same = entry.table() == table && entry.bucket() == bucket;
        boolean erases = entry.erased() != LoggedRow.NO_SLOT;
        array[at] = (byte) (entry.kind().ordinal()
                | (same ? SAME_BUCKET : 0)
                | (erases ? ERASES : 0)
                | (entry.isPacked() ? PACKED : 0));
        int out = at + 1;
        if (!same) {
            table = entry.table();
            bucket = entry.bucket();
            out = Numbers.putSigned(array, out, table);
            out = Numbers.putSigned(array, out, bucket);
        }
        out = Numbers.putSigned(array, out, entry.row() - row);
        row = entry.row();
        if (entry.kind() == Kind.ROW) {
            out = Numbers.putSigned(array, out, entry.slot() - slot);
            slot = entry.slot();
        }
        if (erases) {
            out = Numbers.put(array, out, entry.erased());
        }
        if (!entry.isRemoval()) {
            out = Numbers.put(array, out, entry.imageBytes());
            out = entry.isPacked() ? Numbers.put(array, out, entry.storedBytes()) : out;
            System.arraycopy(entry.image(), entry.imageOffset(), array, out, entry.storedBytes());
            out += entry.storedBytes();
        }
        return out;
    }

    /** Reads the entry there; returns its end, -1 if there is none. */
    int read(LoggedRow entry, byte[] array, int at, int end) {
        int flags = array[at];
        if ((flags & KIND) >= KINDS.length || flags >= 2 * PACKED || flags < 0) {
            return -1;
        }
        Kind kind = KINDS[flags & KIND];
        Numbers in = new Numbers(array, at + 1, end);
        if ((flags & SAME_BUCKET) == 0) {
            table = in.nextSignedInt();
            bucket = in.nextSignedInt();
        }
        row += in.nextSigned();
        slot += kind == Kind.ROW ? in.nextSigned() : 0;
        long erased = (flags & ERASES) == 0 ? LoggedRow.NO_SLOT : in.next();
        entry.name(kind, table, bucket, row);
        entry.slots(kind == Kind.ROW ? slot : LoggedRow.NO_SLOT, erased);
        int imageBytes = kind == Kind.REMOVAL ? 0 : in.nextInt();
        int storedBytes = (flags & PACKED) == 0 ? imageBytes : in.nextInt();
        if (in.isBad() || storedBytes > end - in.at() || storedBytes > imageBytes) {
            return -1;
        }
        entry.stored(array, in.at(), storedBytes, imageBytes);
        return in.at() + storedBytes;
    }
}
