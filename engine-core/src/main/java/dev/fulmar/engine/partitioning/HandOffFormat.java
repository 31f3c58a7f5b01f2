package dev.fulmar.engine.partitioning;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Stored form of hand-offs, little-endian. It has the version of the form (8 bits), the number of hand-offs (32) and
 * each of them. Form 1 ends with the next partition plan, as {@link PartitionPlanFormat} has it. In form 2, that of
 * today, the next plan follows from the hand-offs and the plan before.
 *
 * <p>A hand-off is its move (64), both partitions and the bucket (32 each), the chunks and commits (64 each), the
 * number of ranges (32), and for each its space (8), first and last position (64 each).
 */
public final class HandOffFormat {
    private static final byte VERSION = 2;
    private static final byte WITH_PLAN = 1;
    private static final int HEADER_BYTES = 1 + Integer.BYTES;

    /** Without the ranges. */
    private static final int HAND_OFF_BYTES = 3 * Long.BYTES + 3 * Integer.BYTES;

    private HandOffFormat() {}

    /** The bytes of the hand-offs. */
    public static byte[] write(List<HandOff> handOffs) {
        return write(VERSION, handOffs, new byte[0]);
    }

    /** The bytes of the plan and the hand-offs, in form 1. */
    static byte[] write(PartitionPlan plan, List<HandOff> handOffs) {
        return write(WITH_PLAN, handOffs, PartitionPlanFormat.write(plan));
    }

    private static byte[] write(byte version, List<HandOff> handOffs, byte[] planBytes) {
        int bytes = HEADER_BYTES + planBytes.length;
        for (HandOff handOff : handOffs) {
            bytes += HAND_OFF_BYTES + KeyRangeFormat.bytes(handOff.ranges());
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.put(version).putInt(handOffs.size());
        for (HandOff handOff : handOffs) {
            out.putLong(handOff.move()).putInt(handOff.from()).putInt(handOff.to());
            out.putInt(handOff.bucket()).putLong(handOff.chunks()).putLong(handOff.commits());
            KeyRangeFormat.write(handOff.ranges(), out);
        }
        return out.put(planBytes).array();
    }

    /**
     * The plan of bytes of form 1.
     *
     * @throws FulmarException {@link ErrorCode#VERSION_MISMATCH} for a form of a later version of Fulmar, and
     *     {@link ErrorCode#CORRUPTION} for bytes that are no plan with hand-offs
     */
    public static PartitionPlan plan(byte[] bytes) {
        ByteBuffer in = begin(bytes, WITH_PLAN);
        list(in);
        byte[] plan = new byte[in.remaining()];
        in.get(plan);
        return PartitionPlanFormat.read(plan);
    }

    /** The hand-offs of bytes of form 1; fails as {@link #plan} does. */
    public static List<HandOff> handOffsWithPlan(byte[] bytes) {
        return list(begin(bytes, WITH_PLAN));
    }

    /** The hand-offs of bytes of the newest form; fails as {@link #plan} does. */
    public static List<HandOff> handOffs(byte[] bytes) {
        ByteBuffer in = begin(bytes, VERSION);
        List<HandOff> handOffs = list(in);
        if (in.hasRemaining()) {
            throw damaged(bytes.length);
        }
        return handOffs;
    }

    private static ByteBuffer begin(byte[] bytes, byte version) {
        if (bytes.length < HEADER_BYTES) {
            throw damaged(bytes.length);
        }
        if (bytes[0] != version) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "hand-offs have form " + bytes[0] + ", but this version of Fulmar reads form " + version
                            + " only; start the version that wrote it");
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(1);
    }

    private static List<HandOff> list(ByteBuffer in) {
        List<HandOff> handOffs = new ArrayList<>();
        for (int left = in.getInt(); left != 0; left--) {
            need(in, HAND_OFF_BYTES);
            long move = in.getLong();
            int from = in.getInt();
            int to = in.getInt();
            int bucket = in.getInt();
            long chunks = in.getLong();
            long commits = in.getLong();
            List<KeyRange> ranges = KeyRangeFormat.read(in);
            if (ranges == null) {
                throw damaged(in.limit());
            }
            handOffs.add(new HandOff(move, from, to, bucket, chunks, commits, ranges));
        }
        return List.copyOf(handOffs);
    }

    private static void need(ByteBuffer in, int bytes) {
        if (in.remaining() < bytes) {
            throw damaged(in.limit());
        }
    }

    private static FulmarException damaged(int length) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "hand-offs of " + length + " bytes cannot be read; restore the data from a copy or a backup");
    }
}
