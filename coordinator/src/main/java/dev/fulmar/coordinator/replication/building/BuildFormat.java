package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        try {
            byte version = in.get();
            if (version != VERSION) {
                throw new FulmarException(
                        ErrorCode.VERSION_MISMATCH,
                        "a node sends copies in form " + version + ", which this version of Fulmar does not know;"
                                + " run the same version on all nodes");
            }
            byte kind = in.get();
            PartitionId partition = new PartitionId(in.getInt());
            CopyId copy = new CopyId(new NodeId(in.getInt()), in.getLong());
            BuildMessage message = read(kind, partition, copy, in);
            if (kind != CHUNK && in.hasRemaining()) {
                throw new IllegalArgumentException(in.remaining() + " bytes too many");
            }
            return message;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw malformed(e.toString(), e);
        }
    }

    private static BuildMessage read(byte kind, PartitionId partition, CopyId copy, ByteBuffer in) {
        return switch (kind) {
            case BEGIN -> new BuildMessage.Begin(partition, copy);
            case PULL -> new BuildMessage.Pull(partition, copy, count(in.getLong()), credit(in.get()), flag(in.get()));
            case END -> new BuildMessage.End(partition, copy);
            case BEGUN -> new BuildMessage.Begun(partition, copy, origin(in));
            case CHUNK -> new BuildMessage.Chunk(partition, copy, count(in.getLong()), flag(in.get()));
            case REFUSED -> new BuildMessage.Refused(partition, copy, refusal(in.get()));
            default -> throw new IllegalArgumentException("kind " + kind);
        };
    }

    private static CopyOrigin origin(ByteBuffer in) {
        long end = count(in.getLong());
        long commitTimestamp = count(in.getLong());
        int catalogVersion = (int) count(in.getInt());
        long epoch = in.getLong();
        EpochHistory history = history(in);
        boolean follows = epoch >= history.epoch()
                && (history.terms().isEmpty() || history.terms().getLast().start() <= end);
        if (!follows) {
            throw new IllegalArgumentException("an image of epoch " + epoch + " at " + end + " with " + history);
        }
        return new CopyOrigin(end, commitTimestamp, catalogVersion, epoch, history);
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

    private static long count(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("number " + number);
        }
        return number;
    }

    private static int credit(byte credit) {
        if (credit < 0 || credit > MAX_CREDIT) {
            throw new IllegalArgumentException("credit " + credit);
        }
        return credit;
    }

    private static boolean flag(byte flag) {
        if (flag != 0 && flag != 1) {
            throw new IllegalArgumentException("flag " + flag);
        }
        return flag == 1;
    }

    private static CopySource.Refusal refusal(byte number) {
        for (CopySource.Refusal reason : CopySource.Refusal.values()) {
            if (reason.number() == number) {
                return reason;
            }
        }
        throw new IllegalArgumentException("refusal " + number);
    }

    static FulmarException malformed(String what, @Nullable Throwable cause) {
        return new FulmarException(
                ErrorCode.MALFORMED_REQUEST, "a node sent a malformed message of a copy that is built: " + what, cause);
    }
}
