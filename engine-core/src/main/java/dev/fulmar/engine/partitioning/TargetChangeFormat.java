package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * Stored form of a change of the target, little-endian. It has the version of the form (8 bits), the kind (8) and the
 * number of the reconfiguration (64). A beginning follows with the size of chunks (32), the pause (64), in form 2 the
 * increase of the time of calls (32), in form 3 that increase and the base (64). Form 4 has the increase, the share of
 * a site's time (32), the size of parts (64), whether there is a base (8), and the base or 0 (64). Then comes the plan
 * as {@link PartitionPlanFormat} has it. Another state follows with its number (8) and the message in UTF-8, in form 1.
 * Forms 1 to 3 of beginnings are read, and are written of what was read from them.
 */
public final class TargetChangeFormat {
    private static final byte VERSION = 1;
    private static final byte VERSION_WITH_BUDGET = 2;
    private static final byte VERSION_WITH_BASE = 3;
    private static final byte VERSION_WITH_PARTS = 4;
    private static final byte BEGIN = 1;
    private static final byte BECOME = 2;
    private static final int HEADER_BYTES = 2 + Long.BYTES;
    private static final int PACE_BYTES = Integer.BYTES + Long.BYTES;

    private TargetChangeFormat() {}

    /** The bytes of the change. */
    public static byte[] write(TargetChange change) {
        return switch (change) {
            case TargetChange.Begin(PlanTarget target, OptionalLong base) -> {
                byte[] plan = PartitionPlanFormat.write(target.plan());
                byte[] pace = write(target.pace(), base);
                byte[] begin = begin(BEGIN, target.number(), pace.length + plan.length)
                        .put(pace)
                        .put(plan)
                        .array();
                begin[0] = versionOf(target.pace(), base);
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

    private static byte versionOf(MovePace pace, OptionalLong base) {
        if (!pace.isEarly()) {
            return VERSION_WITH_PARTS;
        }
        if (base.isPresent()) {
            return VERSION_WITH_BASE;
        }
        return pace.isLimited() ? VERSION_WITH_BUDGET : VERSION;
    }

    private static byte[] write(MovePace pace, OptionalLong base) {
        byte version = versionOf(pace, base);
        ByteBuffer out = ByteBuffer.wrap(new byte[paceBytes(version)])
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(pace.chunkBytes())
                .putLong(pace.delayNanos());
        if (version != VERSION) {
            out.putInt(pace.mostIncreasePercent());
        }
        if (version == VERSION_WITH_PARTS) {
            out.putInt(pace.mostSharePercent()).putLong(pace.mostPartBytes());
            out.put((byte) (base.isPresent() ? 1 : 0)).putLong(base.orElse(0));
        } else {
            base.ifPresent(out::putLong);
        }
        return out.array();
    }

    private static int paceBytes(byte version) {
        return switch (version) {
            case VERSION -> PACE_BYTES;
            case VERSION_WITH_BUDGET -> PACE_BYTES + Integer.BYTES;
            case VERSION_WITH_BASE -> PACE_BYTES + Integer.BYTES + Long.BYTES;
            default -> PACE_BYTES + 2 * Integer.BYTES + 2 * Long.BYTES + 1;
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
        byte version = bytes[0];
        if (version < VERSION || version > VERSION_WITH_PARTS) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "a state of a reconfiguration has form " + version + ", but this version of Fulmar reads forms "
                            + VERSION + " to " + VERSION_WITH_PARTS + " only; start the version that wrote it");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(2);
        long number = in.getLong();
        return switch (bytes[1]) {
            case BEGIN -> {
                if (in.remaining() < paceBytes(version)) {
                    throw damaged(bytes.length);
                }
                MovePace pace = pace(in, version, bytes.length);
                OptionalLong base = base(in, version);
                PartitionPlan plan = PartitionPlanFormat.read(rest(in));
                yield new TargetChange.Begin(new PlanTarget(number, PlanTarget.State.RUNNING, plan, pace, ""), base);
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

    private static MovePace pace(ByteBuffer in, byte version, int length) {
        try {
            int chunkBytes = in.getInt();
            long delayNanos = in.getLong();
            int mostIncreasePercent = version == VERSION ? MovePace.UNLIMITED : in.getInt();
            return version == VERSION_WITH_PARTS
                    ? new MovePace(chunkBytes, delayNanos, mostIncreasePercent, in.getInt(), in.getLong())
                    : new MovePace(chunkBytes, delayNanos, mostIncreasePercent);
        } catch (FulmarException outOfBounds) {
            throw damaged(length);
        }
    }

    private static OptionalLong base(ByteBuffer in, byte version) {
        boolean hasBase = version == VERSION_WITH_BASE || (version == VERSION_WITH_PARTS && in.get() != 0);
        if (hasBase) {
            return OptionalLong.of(in.getLong());
        }
        if (version == VERSION_WITH_PARTS) {
            in.getLong();
        }
        return OptionalLong.empty();
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
