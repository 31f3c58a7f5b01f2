package dev.fulmar.coordinator.durability.log;

import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.durability.ImageReader;
import dev.fulmar.engine.partition.RepeatableCall;
import dev.fulmar.foundation.data.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Payload of a COMMAND record of the operation log: the procedure call that a recovery or a backup runs again. Its
 * format is in docs/DURABILITY.md. Time, request and digest are in the header; the catalog version there says which
 * edition of the procedure it was.
 *
 * @param procedure its name
 * @param seed of its random numbers; 0 if it drew none
 * @param parameters as they were received
 */
@SuppressWarnings("ArrayRecordComponent") // read once, compared by identity only
public record LoggedCommand(String procedure, long seed, byte[] parameters) {
    private static final int LONGEST_NAME = 0xffff;

    /** Replaces the buffer's content by the payload. */
    static void write(RepeatableCall call, ImageBuffer out) {
        boolean seeded = call.drewRandom();
        byte[] name = call.procedureName();
        if (name.length > LONGEST_NAME) {
            throw new IllegalArgumentException("a procedure's name has " + name.length + " bytes");
        }
        out.clear();
        out.putByte(LogPayload.VERSION);
        out.putByte(seeded ? LogPayload.SEED : 0);
        if (seeded) {
            out.putLong(call.seed());
        }
        out.putByte(name.length);
        out.putByte(name.length >>> Byte.SIZE);
        out.putBytes(name);
        out.putBytes(call.parameters());
    }

    /** Reads a whole payload. */
    public static LoggedCommand read(byte[] array, int offset, int end) {
        int flags = LogPayload.flags(array, offset, end - offset);
        ImageReader in = new ImageReader(array, offset + LogPayload.HEADER_BYTES, end);
        long seed = (flags & LogPayload.SEED) == 0 ? 0 : in.getLong();
        int length = LittleEndian.getUnsignedShort(array, in.take(Short.BYTES));
        String procedure = new String(array, in.take(length), length, StandardCharsets.UTF_8);
        return new LoggedCommand(procedure, seed, Arrays.copyOfRange(array, in.place(), end));
    }
}
