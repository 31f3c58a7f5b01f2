package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.coordinator.replication.ReplicationFormat;
import dev.fulmar.foundation.data.MessageForm;
import dev.fulmar.foundation.data.MessageReader;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Messages of a build as bytes: version, kind, partition, copy, fields, big-endian. A chunk's rows follow its fields as
 * {@link ChunkFormat}.
 */
public final class BuildFormat {
    /** No message has more, without terms and rows. */
    private static final int FIELDS_BYTES = 64;

    /** Most chunks that a copy asks for at once. */
    public static final int MAX_CREDIT = 16;

    static final byte VERSION = 1;
    private static final MessageForm FORM = new MessageForm("messages of copies that are built", Set.of((int) VERSION));
    private static final byte BEGIN = 1;
    private static final byte PULL = 2;
    private static final byte END = 3;
    private static final byte BEGUN = 4;
    private static final byte CHUNK = 5;
    private static final byte REFUSED = 6;

    private BuildFormat() {}

    /** The message, ready to be sent; a chunk's rows come after it. */
    public static ByteBuffer bytes(BuildMessage message) {
        int terms = message instanceof BuildMessage.Begun begun
                ? begun.origin().history().terms().size()
                : 0;
        ByteBuffer out = ByteBuffer.allocate(FIELDS_BYTES + terms * 2 * Long.BYTES);
        write(message, out);
        return out.flip();
    }

    private static void write(BuildMessage message, ByteBuffer out) {
        out.put(VERSION).put(kindOf(message)).putInt(message.partition().number());
        out.putInt(message.copy().node().number()).putLong(message.copy().life());
        switch (message) {
            case BuildMessage.Begin _, BuildMessage.End _ -> {}
            case BuildMessage.Pull pull ->
                out.putLong(pull.next()).put((byte) pull.credit()).put((byte) (pull.again() ? 1 : 0));
            case BuildMessage.Begun begun -> putOrigin(begun.origin(), out);
            case BuildMessage.Chunk chunk -> out.putLong(chunk.number()).put((byte) (chunk.last() ? 1 : 0));
            case BuildMessage.Refused refused -> out.put((byte) refused.reason().number());
        }
    }

    private static byte kindOf(BuildMessage message) {
        return switch (message) {
            case BuildMessage.Begin _ -> BEGIN;
            case BuildMessage.Pull _ -> PULL;
            case BuildMessage.End _ -> END;
            case BuildMessage.Begun _ -> BEGUN;
            case BuildMessage.Chunk _ -> CHUNK;
            case BuildMessage.Refused _ -> REFUSED;
        };
    }

    private static void putOrigin(CopyOrigin origin, ByteBuffer out) {
        out.putLong(origin.end()).putLong(origin.commitTimestamp()).putInt(origin.catalogVersion());
        out.putLong(origin.epoch()).putInt(origin.history().terms().size());
        origin.history().terms().forEach(term -> out.putLong(term.epoch()).putLong(term.start()));
    }

    /** Reads a message and leaves the buffer at what follows it; refuses what is none. */
    public static BuildMessage read(ByteBuffer in) {
        return FORM.readHead(in, (version, kind, fields) -> {
            PartitionId partition = new PartitionId(fields.getInt());
            CopyId copy = new CopyId(new NodeId(fields.getInt()), fields.getLong());
            BuildMessage message = read(kind, partition, copy, fields);
            if (kind != CHUNK && fields.remaining() > 0) {
                throw new IllegalArgumentException(fields.remaining() + " bytes too many");
            }
            return message;
        });
    }

    private static BuildMessage read(int kind, PartitionId partition, CopyId copy, MessageReader in) {
        return switch (kind) {
            case BEGIN -> new BuildMessage.Begin(partition, copy);
            case PULL -> new BuildMessage.Pull(partition, copy, in.naturalLong(), credit(in.getByte()), in.flag());
            case END -> new BuildMessage.End(partition, copy);
            case BEGUN -> new BuildMessage.Begun(partition, copy, origin(in));
            case CHUNK -> new BuildMessage.Chunk(partition, copy, in.naturalLong(), in.flag());
            case REFUSED ->
                new BuildMessage.Refused(
                        partition, copy, in.constant(CopySource.Refusal.values(), CopySource.Refusal::number));
            default -> throw MessageReader.unknownKind(kind);
        };
    }

    private static CopyOrigin origin(MessageReader in) {
        long end = in.naturalLong();
        long commitTimestamp = in.naturalLong();
        int catalogVersion = in.natural();
        long epoch = in.getLong();
        EpochHistory history = ReplicationFormat.history(in);
        boolean follows = epoch >= history.epoch()
                && (history.terms().isEmpty() || history.terms().getLast().start() <= end);
        if (!follows) {
            throw new IllegalArgumentException("an image of epoch " + epoch + " at " + end + " with " + history);
        }
        return new CopyOrigin(end, commitTimestamp, catalogVersion, epoch, history);
    }

    private static int credit(byte credit) {
        if (credit < 0 || credit > MAX_CREDIT) {
            throw new IllegalArgumentException("credit " + credit);
        }
        return credit;
    }

    /** The error for a chunk that is none. */
    static FulmarException malformed(String what) {
        return FORM.malformed(what, null);
    }
}
