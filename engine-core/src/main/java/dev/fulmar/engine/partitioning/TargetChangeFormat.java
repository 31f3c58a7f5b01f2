package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Stored form of a change of the target, little-endian. It has the version of the form (8 bits), the kind (8) and the
 * number of the reconfiguration (64). A beginning follows with the size of chunks (32), the pause (64), in form 2 the
 * increase of the time of calls (32), and the plan as {@link PartitionPlanFormat} has it. Another state follows with
 * its number (8) and the message in UTF-8. A pace without a budget has form 1, which earlier versions of Fulmar read.
 */
public final class TargetChangeFormat {
    private static final byte VERSION = 1;
    private static final byte VERSION_WITH_BUDGET = 2;
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
                byte[] pace = write(target.pace());
                byte[] begin = begin(BEGIN, target.number(), pace.length + plan.length)
                        .put(pace)
                        .put(plan)
                        .array();
                begin[0] = target.pace().isLimited() ? VERSION_WITH_BUDGET : VERSION;
                yield begin;
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

    private static byte[] write(MovePace pace) {
        ByteBuffer out = ByteBuffer.wrap(new byte[PACE_BYTES + (pace.isLimited() ? Integer.BYTES : 0)])
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(pace.chunkBytes())
                .putLong(pace.delayNanos());
        return pace.isLimited() ? out.putInt(pace.mostIncreasePercent()).array() : out.array();
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
        boolean hasBudget = bytes[0] == VERSION_WITH_BUDGET;
        if (bytes[0] != VERSION && !hasBudget) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "a state of a reconfiguration has form " + bytes[0] + ", but this version of Fulmar reads forms "
                            + VERSION + " to " + VERSION_WITH_BUDGET + " only; start the version that wrote it");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(2);
        long number = in.getLong();
        return switch (bytes[1]) {
            case BEGIN -> {
                if (in.remaining() < PACE_BYTES + (hasBudget ? Integer.BYTES : 0)) {
                    throw damaged(bytes.length);
                }
                MovePace pace = pace(in, hasBudget, bytes.length);
                PartitionPlan plan = PartitionPlanFormat.read(rest(in));
                yield new TargetChange.Begin(new PlanTarget(number, PlanTarget.State.RUNNING, plan, pace, ""));
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

    private static MovePace pace(ByteBuffer in, boolean hasBudget, int length) {
        try {
            return new MovePace(in.getInt(), in.getLong(), hasBudget ? in.getInt() : MovePace.UNLIMITED);
        } catch (FulmarException outOfBounds) {
            throw damaged(length);
        }
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
