package dev.fulmar.foundation.network.real;

import dev.fulmar.foundation.id.NodeId;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Messages of the handshake by which two nodes check each other's cluster, number, process and version, before any
 * other message. The node that connects says hello; the other welcomes or refuses.
 */
sealed interface Greeting {
    /** Longest greeting. */
    int MAX_BYTES = 512;

    /** Version of what is said in a session, and of greetings but for their first bytes, which never change. */
    short VERSION = 1;

    int MAGIC = 0x464C4E4B;
    byte HELLO = 1;
    byte WELCOME = 2;
    byte REFUSAL = 3;

    /** A process and whom it takes the other for. */
    record Hello(UUID clusterId, NodeId from, NodeId to, long incarnation) implements Greeting {}

    /** The answer: a process of the wanted node. */
    record Welcome(UUID clusterId, NodeId from, NodeId to, long incarnation) implements Greeting {}

    /** The answer: no, and why. */
    record Refusal(String reason) implements Greeting {}

    /** Appends the greeting. */
    default void write(ByteBuf out) {
        switch (this) {
            case Hello(UUID cluster, NodeId from, NodeId to, long incarnation) ->
                write(out, HELLO, cluster, from, to, incarnation);
            case Welcome(UUID cluster, NodeId from, NodeId to, long incarnation) ->
                write(out, WELCOME, cluster, from, to, incarnation);
            case Refusal(String reason) -> {
                byte[] text = reason.getBytes(StandardCharsets.UTF_8);
                out.writeInt(MAGIC).writeShort(VERSION).writeByte(REFUSAL);
                out.writeBytes(text, 0, Math.min(text.length, MAX_BYTES - Long.BYTES));
            }
        }
    }

    private static void write(ByteBuf out, byte kind, UUID cluster, NodeId from, NodeId to, long incarnation) {
        out.writeInt(MAGIC)
                .writeShort(VERSION)
                .writeByte(kind)
                .writeLong(cluster.getMostSignificantBits())
                .writeLong(cluster.getLeastSignificantBits())
                .writeInt(from.number())
                .writeInt(to.number())
                .writeLong(incarnation);
    }

    /** The greeting that the rest of the buffer is, or a refusal of what it is instead; null if it is none at all. */
    static @Nullable Greeting read(ByteBuf in) {
        if (in.readableBytes() < Integer.BYTES + Short.BYTES + 1 || in.readInt() != MAGIC) {
            return null;
        }
        short version = in.readShort();
        byte kind = in.readByte();
        if (kind == REFUSAL) {
            return new Refusal(in.toString(StandardCharsets.UTF_8));
        }
        if (version != VERSION) {
            return new Refusal("the nodes speak versions " + VERSION + " and " + version
                    + " to each other; run the same version of Fulmar on all");
        }
        if ((kind != HELLO && kind != WELCOME) || in.readableBytes() != 4 * Long.BYTES) {
            return null;
        }
        UUID cluster = new UUID(in.readLong(), in.readLong());
        int from = in.readInt();
        int to = in.readInt();
        long incarnation = in.readLong();
        if (from < 0 || to < 0 || incarnation < 1) {
            return null;
        }
        return kind == HELLO
                ? new Hello(cluster, new NodeId(from), new NodeId(to), incarnation)
                : new Welcome(cluster, new NodeId(from), new NodeId(to), incarnation);
    }
}
