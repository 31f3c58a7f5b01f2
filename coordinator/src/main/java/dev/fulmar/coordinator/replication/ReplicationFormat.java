package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Messages between copies as bytes: version, kind, fields, big-endian. A group's records follow its fields. */
public final class ReplicationFormat {
    /** Bytes of any message without the records. */
    public static final int MAX_BYTES = 64 + EpochHistory.MAX_TERMS * 2 * Long.BYTES;

    private static final byte VERSION = 1;

    /** Of messages that version 1 has with fewer fields: that of a copy that cannot follow, which names a record. */
    private static final byte VERSION_OF_LONGER = 2;

    private static final byte TERM_BEGUN = 1;
    private static final byte JOINED = 2;
    private static final byte GROUP = 3;
    private static final byte CONFIRMED = 4;
    private static final byte DIVERGED = 5;
    private static final byte OUTDATED = 6;
    private static final byte AWAITS_TERM = 7;
    private static final byte BEHIND = 8;
    private static final byte REPLACES = 9;
    private static final byte CLOCK_WANTED = 10;
    private static final byte CLOCK_PASSED = 11;

    private ReplicationFormat() {}

    /** Appends the message; a group's records come after it. */
    public static void write(ReplicationMessage message, ByteBuffer out) {
        out.put(message instanceof ReplicationMessage.Diverged ? VERSION_OF_LONGER : VERSION)
                .put(kindOf(message))
                .putLong(message.epoch());
        switch (message) {
            case ReplicationMessage.TermBegun begun -> {
                out.putLong(begun.end()).putInt(begun.history().terms().size());
                begun.history()
                        .terms()
                        .forEach(term -> out.putLong(term.epoch()).putLong(term.start()));
            }
            case ReplicationMessage.Joined joined -> {
                putCopy(joined.copy(), out);
                out.putLong(joined.position());
            }
            case ReplicationMessage.Group group ->
                out.putLong(group.number())
                        .putLong(group.begin())
                        .putLong(group.end())
                        .putLong(group.safeEnd());
            case ReplicationMessage.Confirmed confirmed -> {
                putCopy(confirmed.copy(), out);
                out.putLong(confirmed.number()).putLong(confirmed.end());
            }
            case ReplicationMessage.Diverged diverged -> {
                putCopy(diverged.copy(), out);
                out.putLong(diverged.sequence());
            }
            case ReplicationMessage.AwaitsTerm awaits -> putCopy(awaits.copy(), out);
            case ReplicationMessage.Replaces replaces -> {
                putCopy(replaces.copy(), out);
                out.putLong(replaces.lastEpoch()).putLong(replaces.end());
            }
            case ReplicationMessage.ClockWanted wanted -> {
                putCopy(wanted.copy(), out);
                out.putLong(wanted.timestamp());
            }
            case ReplicationMessage.ClockPassed passed ->
                out.putLong(passed.end()).putLong(passed.timestamp());
            case ReplicationMessage.Outdated _, ReplicationMessage.Behind _ -> {}
        }
    }

    /** Whether the message that begins at the buffer's position has records. */
    public static boolean isGroup(ByteBuffer message) {
        return message.remaining() > 1 && message.get(message.position() + 1) == GROUP;
    }

    private static byte kindOf(ReplicationMessage message) {
        return switch (message) {
            case ReplicationMessage.TermBegun _ -> TERM_BEGUN;
            case ReplicationMessage.Joined _ -> JOINED;
            case ReplicationMessage.Group _ -> GROUP;
            case ReplicationMessage.Confirmed _ -> CONFIRMED;
            case ReplicationMessage.Diverged _ -> DIVERGED;
            case ReplicationMessage.Outdated _ -> OUTDATED;
            case ReplicationMessage.AwaitsTerm _ -> AWAITS_TERM;
            case ReplicationMessage.Behind _ -> BEHIND;
            case ReplicationMessage.Replaces _ -> REPLACES;
            case ReplicationMessage.ClockWanted _ -> CLOCK_WANTED;
            case ReplicationMessage.ClockPassed _ -> CLOCK_PASSED;
        };
    }

    private static void putCopy(CopyId copy, ByteBuffer out) {
        out.putInt(copy.node().number()).putLong(copy.life());
    }

    /** Reads a message and leaves the buffer at what follows it; refuses what is none. */
    public static ReplicationMessage read(ByteBuffer in) {
        try {
            byte version = in.get();
            if (version != VERSION && version != VERSION_OF_LONGER) {
                throw new FulmarException(
                        ErrorCode.VERSION_MISMATCH,
                        "a node sends messages of copies in form " + version
                                + ", which this version of Fulmar does not know;"
                                + " run the same version on all nodes");
            }
            return read(version, in.get(), in.getLong(), in);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST, "a node sent a malformed message of a copy: " + e.getMessage(), e);
        }
    }

    private static ReplicationMessage read(byte version, byte kind, long epoch, ByteBuffer in) {
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch " + epoch);
        }
        return switch (kind) {
            case TERM_BEGUN -> termBegun(epoch, in);
            case JOINED -> new ReplicationMessage.Joined(epoch, copy(in), position(in));
            case GROUP -> group(epoch, in);
            case CONFIRMED -> new ReplicationMessage.Confirmed(epoch, copy(in), position(in), position(in));
            case DIVERGED -> new ReplicationMessage.Diverged(epoch, copy(in), version == VERSION ? 0 : position(in));
            case OUTDATED -> new ReplicationMessage.Outdated(epoch);
            case BEHIND -> new ReplicationMessage.Behind(epoch);
            case REPLACES -> new ReplicationMessage.Replaces(epoch, copy(in), position(in), position(in));
            case CLOCK_WANTED -> new ReplicationMessage.ClockWanted(epoch, copy(in), position(in));
            case CLOCK_PASSED -> new ReplicationMessage.ClockPassed(epoch, position(in), position(in));
            case AWAITS_TERM -> new ReplicationMessage.AwaitsTerm(epoch, copy(in));
            default -> throw new IllegalArgumentException("kind " + kind);
        };
    }

    private static ReplicationMessage.TermBegun termBegun(long epoch, ByteBuffer in) {
        long end = position(in);
        EpochHistory history = history(in);
        if (history.epoch() != epoch) {
            throw new IllegalArgumentException("a term " + epoch + " that is not the last of its history");
        }
        return new ReplicationMessage.TermBegun(epoch, history, end);
    }

    private static ReplicationMessage.Group group(long epoch, ByteBuffer in) {
        long number = position(in);
        long begin = position(in);
        long end = position(in);
        if (end < begin) {
            throw new IllegalArgumentException("a group from " + begin + " to " + end);
        }
        return new ReplicationMessage.Group(epoch, number, begin, end, position(in));
    }

    private static long position(ByteBuffer in) {
        long position = in.getLong();
        if (position < 0) {
            throw new IllegalArgumentException("position " + position);
        }
        return position;
    }

    private static CopyId copy(ByteBuffer in) {
        return new CopyId(new NodeId(in.getInt()), in.getLong());
    }

    private static EpochHistory history(ByteBuffer in) {
        int count = in.getInt();
        if (count < 0 || count > EpochHistory.MAX_TERMS || count > in.remaining() / (2 * Long.BYTES)) {
            throw new IllegalArgumentException(count + " terms");
        }
        List<EpochHistory.Term> terms = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            terms.add(new EpochHistory.Term(in.getLong(), in.getLong()));
        }
        return new EpochHistory(terms);
    }
}
