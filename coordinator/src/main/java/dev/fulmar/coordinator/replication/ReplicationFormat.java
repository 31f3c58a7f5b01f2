package dev.fulmar.coordinator.replication;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.data.MessageForm;
import dev.fulmar.foundation.data.MessageReader;
import dev.fulmar.foundation.id.NodeId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Messages between copies as bytes: version, kind, fields, big-endian. A group's records follow its fields. */
public final class ReplicationFormat {
    /** Bytes of any message without the records. */
    public static final int MAX_BYTES = 64 + EpochHistory.MAX_TERMS * 2 * Long.BYTES;

    private static final byte VERSION = 1;

    /** Of messages that version 1 has with fewer fields: that of a copy that cannot follow, which names a record. */
    private static final byte VERSION_OF_LONGER = 2;

    private static final MessageForm FORM =
            new MessageForm("messages of copies", Set.of((int) VERSION, (int) VERSION_OF_LONGER));

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
        return FORM.readHead(in, (version, kind, fields) -> read(version, kind, fields.getLong(), fields));
    }

    private static ReplicationMessage read(int version, int kind, long epoch, MessageReader in) {
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch " + epoch);
        }
        return switch (kind) {
            case TERM_BEGUN -> termBegun(epoch, in);
            case JOINED -> new ReplicationMessage.Joined(epoch, copy(in), in.naturalLong());
            case GROUP -> group(epoch, in);
            case CONFIRMED -> new ReplicationMessage.Confirmed(epoch, copy(in), in.naturalLong(), in.naturalLong());
            case DIVERGED ->
                new ReplicationMessage.Diverged(epoch, copy(in), version == VERSION ? 0 : in.naturalLong());
            case OUTDATED -> new ReplicationMessage.Outdated(epoch);
            case BEHIND -> new ReplicationMessage.Behind(epoch);
            case REPLACES -> new ReplicationMessage.Replaces(epoch, copy(in), in.naturalLong(), in.naturalLong());
            case CLOCK_WANTED -> new ReplicationMessage.ClockWanted(epoch, copy(in), in.naturalLong());
            case CLOCK_PASSED -> new ReplicationMessage.ClockPassed(epoch, in.naturalLong(), in.naturalLong());
            case AWAITS_TERM -> new ReplicationMessage.AwaitsTerm(epoch, copy(in));
            default -> throw MessageReader.unknownKind(kind);
        };
    }

    private static ReplicationMessage.TermBegun termBegun(long epoch, MessageReader in) {
        long end = in.naturalLong();
        EpochHistory history = history(in);
        if (history.epoch() != epoch) {
            throw new IllegalArgumentException("a term " + epoch + " that is not the last of its history");
        }
        return new ReplicationMessage.TermBegun(epoch, history, end);
    }

    private static ReplicationMessage.Group group(long epoch, MessageReader in) {
        long number = in.naturalLong();
        long begin = in.naturalLong();
        long end = in.naturalLong();
        if (end < begin) {
            throw new IllegalArgumentException("a group from " + begin + " to " + end);
        }
        return new ReplicationMessage.Group(epoch, number, begin, end, in.naturalLong());
    }

    private static CopyId copy(MessageReader in) {
        return new CopyId(new NodeId(in.getInt()), in.getLong());
    }

    /** Reads the terms of a log, behind their number. */
    public static EpochHistory history(MessageReader in) {
        int count = in.count(2 * Long.BYTES);
        if (count > EpochHistory.MAX_TERMS) {
            throw new IllegalArgumentException(count + " terms");
        }
        List<EpochHistory.Term> terms = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            terms.add(new EpochHistory.Term(in.getLong(), in.getLong()));
        }
        return new EpochHistory(terms);
    }
}
