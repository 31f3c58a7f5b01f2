package dev.fulmar.coordinator.durability.log;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.transaction.SeenPart;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Stored form of a statement of a joint change that was run before, little-endian. It has the time, the version of the
 * catalog, a byte of marks, the parts behind their number, the parameters behind their length, and the text. A part is
 * a partition, a fragment and the two halves of a digest.
 */
final class RanFormat {
    private static final int CHANGES_ROWS = 1;
    private static final int COMPARES_IMAGES = 2;
    private static final int FIXED_BYTES = 2 * Long.BYTES + 1 + 2 * Integer.BYTES;
    private static final int PART_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;

    private RanFormat() {}

    static byte[] write(CatalogEntry.Ran ran) {
        byte[] text = ran.text().getBytes(StandardCharsets.UTF_8);
        int parts = Math.multiplyExact(ran.parts().size(), PART_BYTES);
        byte[] all = new byte[Math.addExact(FIXED_BYTES + parts, ran.parameters().length + text.length)];
        ByteBuffer out = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(ran.micros()).putLong(ran.version());
        out.put((byte) ((ran.changesRows() ? CHANGES_ROWS : 0) | (ran.comparesImages() ? COMPARES_IMAGES : 0)));
        out.putInt(ran.parts().size());
        for (SeenPart part : ran.parts()) {
            out.putInt(part.partition()).putInt(part.fragment());
            out.putLong(part.digest().high()).putLong(part.digest().low());
        }
        out.putInt(ran.parameters().length).put(ran.parameters()).put(text);
        return all;
    }

    static CatalogEntry.Ran read(byte[] all) {
        ByteBuffer in = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        try {
            long micros = in.getLong();
            long version = in.getLong();
            int marks = in.get();
            if ((marks & ~(CHANGES_ROWS | COMPARES_IMAGES)) != 0) {
                throw malformed(all);
            }
            List<SeenPart> parts = parts(in, all);
            byte[] parameters = bytes(in, in.getInt(), all);
            String text = new String(bytes(in, in.remaining(), all), StandardCharsets.UTF_8);
            return new CatalogEntry.Ran(
                    text,
                    parameters,
                    micros,
                    version,
                    (marks & CHANGES_ROWS) != 0,
                    (marks & COMPARES_IMAGES) != 0,
                    parts);
        } catch (BufferUnderflowException tooShort) {
            throw malformed(all);
        }
    }

    private static List<SeenPart> parts(ByteBuffer in, byte[] all) {
        int count = in.getInt();
        if (count < 0 || count > in.remaining() / PART_BYTES) {
            throw malformed(all);
        }
        List<SeenPart> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            parts.add(new SeenPart(in.getInt(), in.getInt(), new ResultDigest(in.getLong(), in.getLong())));
        }
        return parts;
    }

    private static byte[] bytes(ByteBuffer in, int length, byte[] all) {
        if (length < 0 || length > in.remaining()) {
            throw malformed(all);
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static FulmarException malformed(byte[] all) {
        return CatalogRecord.unknown("a statement of a joint change of " + all.length + " bytes");
    }
}
