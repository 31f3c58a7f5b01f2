package dev.fulmar.coordinator.durability.log;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.record.RecordReader;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the parts of a stream's payloads together. A payload whose last part is missing was being written when an
 * earlier life of the log ended: nobody heard of it, and it counts for nothing.
 */
public final class PayloadAssembly {
    private @Nullable ByteArrayOutputStream open;

    /** Forgets what is not whole. */
    public void clear() {
        open = null;
    }

    /**
     * Takes a record's payload; returns the whole one, or null if more parts follow.
     *
     * @param covered sequence up to which nothing is needed, so that the beginning of a payload may be gone
     */
    public byte @Nullable [] add(RecordReader record, long covered) {
        int offset = record.payloadOffset();
        int length = record.payloadBytes();
        int flags = LogPayload.flags(record.array(), offset, length);
        boolean continued = (flags & LogPayload.CONTINUED) != 0;
        ByteArrayOutputStream parts = open;
        if (!continued) {
            parts = null;
        } else if (parts == null && record.sequence() <= covered) {
            return null;
        } else if (parts == null) {
            throw new FulmarException(ErrorCode.CORRUPTION, "a record continues one that is missing");
        }
        boolean more = (flags & LogPayload.MORE) != 0;
        if (parts == null && !more) {
            return record.payload();
        }
        if (parts == null) {
            parts = new ByteArrayOutputStream();
        }
        int header = continued ? LogPayload.HEADER_BYTES : 0;
        parts.write(record.array(), offset + header, length - header);
        open = more ? parts : null;
        return more ? null : parts.toByteArray();
    }
}
