package dev.fulmar.coordinator.durability.log;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Stored form of the parts of a joint change of the catalog. */
final class JointFormat {
    private static final int PART_BYTES = 1 + Integer.BYTES;
    private static final int ROWS_BYTES = Long.BYTES + Integer.BYTES;

    private JointFormat() {}

    static byte[] write(List<CatalogEntry> parts) {
        List<byte[]> stored =
                parts.stream().map(part -> CatalogRecord.of(0, part)).toList();
        int bytes = Integer.BYTES;
        for (byte[] part : stored) {
            bytes = Math.addExact(bytes, part.length); // a length instead of the version
        }
        byte[] all = new byte[bytes];
        LittleEndian.putInt(all, 0, stored.size());
        int offset = Integer.BYTES;
        for (byte[] part : stored) {
            byte[] text = CatalogRecord.rest(part);
            all[offset] = (byte) CatalogRecord.kind(part);
            LittleEndian.putInt(all, offset + 1, text.length);
            System.arraycopy(text, 0, all, offset + PART_BYTES, text.length);
            offset += PART_BYTES + text.length;
        }
        return all;
    }

    static List<CatalogEntry> read(byte[] all) {
        int count = all.length < Integer.BYTES ? -1 : LittleEndian.getInt(all, 0);
        List<CatalogEntry> parts = new ArrayList<>();
        int offset = Integer.BYTES;
        for (int i = 0; i < count; i++) {
            int left = all.length - offset - PART_BYTES;
            int length = left < 0 ? -1 : LittleEndian.getInt(all, offset + 1);
            if (length < 0 || length > left) {
                throw malformed(all);
            }
            parts.add(part(all, offset, length));
            offset += PART_BYTES + length;
        }
        if (parts.isEmpty() || offset != all.length) {
            throw malformed(all);
        }
        return parts;
    }

    private static CatalogEntry part(byte[] all, int offset, int length) {
        int begin = offset + PART_BYTES;
        return switch (all[offset]) {
            case CatalogRecord.STATEMENT -> new CatalogEntry.Statement(text(all, begin, length));
            case CatalogRecord.ACCESS -> new CatalogEntry.Access(text(all, begin, length));
            case CatalogRecord.ROWS -> rows(all, begin, length);
            case CatalogRecord.RAN -> RanFormat.read(Arrays.copyOfRange(all, begin, begin + length));
            default -> throw malformed(all);
        };
    }

    private static String text(byte[] all, int begin, int length) {
        return new String(all, begin, length, StandardCharsets.UTF_8);
    }

    static byte[] write(CatalogEntry.Rows rows) {
        byte[] text = rows.text().getBytes(StandardCharsets.UTF_8);
        byte[] parameters = rows.parameters();
        byte[] all = new byte[ROWS_BYTES + parameters.length + text.length];
        LittleEndian.putLong(all, 0, rows.micros());
        LittleEndian.putInt(all, Long.BYTES, parameters.length);
        System.arraycopy(parameters, 0, all, ROWS_BYTES, parameters.length);
        System.arraycopy(text, 0, all, ROWS_BYTES + parameters.length, text.length);
        return all;
    }

    private static CatalogEntry.Rows rows(byte[] all, int begin, int length) {
        int left = length - ROWS_BYTES;
        int parameters = left < 0 ? -1 : LittleEndian.getInt(all, begin + Long.BYTES);
        if (parameters < 0 || parameters > left) {
            throw malformed(all);
        }
        int from = begin + ROWS_BYTES;
        return new CatalogEntry.Rows(
                text(all, from + parameters, left - parameters),
                Arrays.copyOfRange(all, from, from + parameters),
                LittleEndian.getLong(all, begin));
    }

    private static FulmarException malformed(byte[] all) {
        return CatalogRecord.unknown("a joint change of the catalog of " + all.length + " bytes");
    }
}
