package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Stored form of a change of the target, little-endian. It has the version of the form (8 bits), the kind (8) and the
 * number of the reconfiguration (64). A beginning follows with the size of chunks (32), the pause (64) and the plan as
 * {@link PartitionPlanFormat} has it; another state with its number (8) and the message in UTF-8.
 */
public final class TargetChangeFormat {
    private static final byte VERSION = 1;
    private static final byte BEGIN = 1;
    private static final byte BECOME = 2;
    private static final int HEADER_BYTES = 2 + Long.BYTES;
    private static final int PACE_BYTES = Integer.BYTES + Long.BYTES;

    private TargetChangeFormat() {}

    /** The bytes of the change. */
    public static byte[] write(TargetChange change) {
        return switch (change) {
            case TargetChange.Begin(PlanTarget target) -> {
                byte[] plan = PartitionPlanFormat.write(target.plan());
                yield begin(BEGIN, target.number(), PACE_BYTES + plan.length)
                        .putInt(target.chunkBytes())
                        .putLong(target.delayNanos())
                        .put(plan)
                        .array();
            }
            case TargetChange.Become(long number, PlanTarget.State state, String message) -> {
                byte[] text = message.getBytes(StandardCharsets.UTF_8);
                yield begin(BECOME, number, 1 + text.length)
                        .put(numberOf(state))
                        .put(text)
                        .array();
            }
        };
    }

    private static ByteBuffer begin(byte kind, long number, int bytes) {
        return ByteBuffer.allocate(HEADER_BYTES + bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(VERSION)
                .put(kind)
                .putLong(number);
    }

    /**
     * The change of the bytes.
     *
     * @throws FulmarException {@link ErrorCode#VERSION_MISMATCH} for a form of a later version of Fulmar, and
     *     {@link ErrorCode#CORRUPTION} for bytes that are no change
     */
    public static TargetChange read(byte[] bytes) {
        if (bytes.length < HEADER_BYTES) {
            throw damaged(bytes.length);
        }
        if (bytes[0] != VERSION) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "a state of a reconfiguration has form " + bytes[0] + ", but this version of Fulmar reads form "
                            + VERSION + " only; start the version that wrote it");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(2);
        long number = in.getLong();
        return switch (bytes[1]) {
            case BEGIN -> {
                if (in.remaining() < PACE_BYTES) {
                    throw damaged(bytes.length);
                }
                int chunkBytes = in.getInt();
                long delayNanos = in.getLong();
                if (chunkBytes < 1 || delayNanos < 0 || delayNanos > PlanTarget.MOST_DELAY_NANOS) {
                    throw damaged(bytes.length);
                }
                PartitionPlan plan = PartitionPlanFormat.read(rest(in));
                yield new TargetChange.Begin(
                        new PlanTarget(number, PlanTarget.State.RUNNING, plan, chunkBytes, delayNanos, ""));
            }
            case BECOME -> {
                if (!in.hasRemaining()) {
                    throw damaged(bytes.length);
                }
                PlanTarget.State state = state(in.get(), bytes.length);
                yield new TargetChange.Become(number, state, new String(rest(in), StandardCharsets.UTF_8));
            }
            default -> throw damaged(bytes.length);
        };
    }

    private static byte[] rest(ByteBuffer in) {
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        return rest;
    }

    private static byte numberOf(PlanTarget.State state) {
        return switch (state) {
            case RUNNING -> 1;
            case PAUSED -> 2;
            case DONE -> 3;
            case CANCELLED -> 4;
        };
    }

    private static PlanTarget.State state(byte number, int length) {
        return switch (number) {
            case 1 -> PlanTarget.State.RUNNING;
            case 2 -> PlanTarget.State.PAUSED;
            case 3 -> PlanTarget.State.DONE;
            case 4 -> PlanTarget.State.CANCELLED;
            default -> throw damaged(length);
        };
    }

    private static FulmarException damaged(int length) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "a state of a reconfiguration of " + length
                        + " bytes cannot be read; restore the data from a copy or a backup");
    }
}
