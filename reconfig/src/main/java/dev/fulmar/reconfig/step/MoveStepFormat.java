package dev.fulmar.reconfig.step;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeyRangeFormat;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Stored form of a step, little-endian. It has the version of the form (8 bits) and the kind (8). A cut follows with
 * its bucket (32), space (8), position (64) and new bucket (32). Outcomes follow as they are. The others follow with
 * their move (64), and then the bucket (32) or the rows.
 */
public final class MoveStepFormat {
    private static final byte VERSION = 1;
    private static final byte CUT = 1;
    private static final byte STAGE = 2;
    private static final byte TAKE = 3;
    private static final byte DROP = 4;
    private static final byte REMEMBER = 5;
    private static final byte SEPARATE = 6;

    private static final int HEADER_BYTES = 2;
    private static final int CUT_BYTES = 2 * Integer.BYTES + 1 + Long.BYTES;

    /** Without the ranges. */
    private static final int SEPARATE_BYTES = 2 * Integer.BYTES + 1;

    private MoveStepFormat() {}

    /** The bytes of the step. */
    public static byte[] write(MoveStep step) {
        return switch (step) {
            case MoveStep.Cut cut ->
                begin(CUT, CUT_BYTES)
                        .putInt(cut.bucket())
                        .put((byte) (cut.space() == KeySpace.HASH ? 0 : 1))
                        .putLong(cut.position())
                        .putInt(cut.newBucket())
                        .array();
            case MoveStep.Separate separate -> {
                byte[] bytes = new byte[HEADER_BYTES + SEPARATE_BYTES + KeyRangeFormat.bytes(separate.ranges())];
                ByteBuffer out = ByteBuffer.wrap(bytes)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(VERSION)
                        .put(SEPARATE);
                out.putInt(separate.bucket()).putInt(separate.newBucket());
                out.put((byte) (separate.isInPlace() ? 1 : 0));
                KeyRangeFormat.write(separate.ranges(), out);
                yield bytes;
            }
            case MoveStep.Stage stage ->
                begin(STAGE, Long.BYTES + Integer.BYTES)
                        .putLong(stage.move())
                        .putInt(stage.bucket())
                        .array();
            case MoveStep.Take take ->
                begin(TAKE, Long.BYTES + take.rows().length)
                        .putLong(take.move())
                        .put(take.rows())
                        .array();
            case MoveStep.Remember remember ->
                begin(REMEMBER, remember.outcomes().length)
                        .put(remember.outcomes())
                        .array();
            case MoveStep.Drop drop ->
                begin(DROP, Long.BYTES).putLong(drop.move()).array();
        };
    }

    private static ByteBuffer begin(byte kind, int bytes) {
        return ByteBuffer.allocate(HEADER_BYTES + bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(VERSION)
                .put(kind);
    }

    /**
     * The step of the bytes.
     *
     * @throws FulmarException {@link ErrorCode#VERSION_MISMATCH} for a form or a kind of a later version of Fulmar, and
     *     {@link ErrorCode#CORRUPTION} for bytes that are no step
     */
    public static MoveStep read(byte[] bytes) {
        if (bytes.length < HEADER_BYTES) {
            throw damaged(bytes.length);
        }
        if (bytes[0] != VERSION) {
            throw unknown("form " + bytes[0]);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(HEADER_BYTES);
        return switch (bytes[1]) {
            case CUT -> {
                need(in, CUT_BYTES);
                yield new MoveStep.Cut(
                        in.getInt(), in.get() == 0 ? KeySpace.HASH : KeySpace.INTEGER, in.getLong(), in.getInt());
            }
            case SEPARATE -> {
                if (in.remaining() < SEPARATE_BYTES) {
                    throw damaged(bytes.length);
                }
                int bucket = in.getInt();
                int newBucket = in.getInt();
                boolean isInPlace = in.get() != 0;
                List<KeyRange> ranges = KeyRangeFormat.read(in);
                if (ranges == null || in.hasRemaining()) {
                    throw damaged(bytes.length);
                }
                yield new MoveStep.Separate(bucket, ranges, newBucket, isInPlace);
            }
            case STAGE -> {
                need(in, Long.BYTES + Integer.BYTES);
                yield new MoveStep.Stage(in.getLong(), in.getInt());
            }
            case TAKE -> {
                if (in.remaining() < Long.BYTES) {
                    throw damaged(bytes.length);
                }
                long move = in.getLong();
                byte[] rows = new byte[in.remaining()];
                in.get(rows);
                yield new MoveStep.Take(move, rows);
            }
            case REMEMBER -> {
                byte[] outcomes = new byte[in.remaining()];
                in.get(outcomes);
                yield new MoveStep.Remember(outcomes);
            }
            case DROP -> {
                need(in, Long.BYTES);
                yield new MoveStep.Drop(in.getLong());
            }
            default -> throw unknown("kind " + bytes[1]);
        };
    }

    private static void need(ByteBuffer in, int bytes) {
        if (in.remaining() != bytes) {
            throw damaged(in.limit());
        }
    }

    private static FulmarException unknown(String what) {
        return new FulmarException(
                ErrorCode.VERSION_MISMATCH,
                "a step of a reconfiguration has " + what
                        + ", which this version of Fulmar does not know; start the version that wrote it");
    }

    private static FulmarException damaged(int length) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "a step of a reconfiguration of " + length
                        + " bytes cannot be read; restore the data from a copy or a backup");
    }
}
