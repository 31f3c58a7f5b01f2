package dev.fulmar.coordinator.membership.stored;

import dev.fulmar.coordinator.membership.AssignmentRecord;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.NodeRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateRecord;
import dev.fulmar.coordinator.membership.VersionRecord;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Stored form of records. It is {@code FS}, version, kind, the fields in the order of the record, and the CRC32C of all
 * before it. Numbers are big-endian, a text is its length in two bytes and ASCII, a list begins with its size in one
 * byte. The checksum finds accidents, not malice. Form 2 is that of a cluster with spare partitions; all other records
 * have form 1, so that earlier versions read them.
 */
public final class RecordFormat {
    /** A longer entry is refused unread. */
    public static final int MAX_BYTES = 4_096;

    private static final short MAGIC = 0x4653;
    private static final byte VERSION = 1;
    private static final byte VERSION_WITH_SPARES = 2;
    private static final int VERSION_OFFSET = 2;
    private static final int HEADER_BYTES = 4;
    private static final int CHECKSUM_BYTES = 4;

    private static final byte CLUSTER = 1;
    private static final byte NODE = 2;
    private static final byte CATALOG = 3;
    private static final byte PLAN = 4;
    private static final byte PARTITION = 5;
    private static final byte PRESENCE = 6;
    private static final byte ASSIGNMENT = 7;

    private RecordFormat() {}

    /** The record as bytes. */
    public static <R extends StateRecord> byte[] encode(StateKey<R> key, R value) {
        boolean hasSpares = value instanceof ClusterRecord cluster && cluster.spares() > 0;
        ByteBuffer out = begin(kindOf(key), hasSpares ? VERSION_WITH_SPARES : VERSION);
        switch (value) {
            case ClusterRecord cluster -> putCluster(out, cluster);
            case NodeRecord node -> putNode(out, node);
            case VersionRecord version -> out.putLong(version.number()).putLong(version.digest());
            case AssignmentRecord assignment -> putAssignment(out, assignment);
            case PartitionRecord partition -> putPartition(out, partition);
        }
        return finish(out);
    }

    /** The presence as bytes; its node is the name of its place. */
    public static byte[] encode(Presence presence) {
        ByteBuffer out = begin(PRESENCE, VERSION).putLong(presence.incarnation());
        putText(out, presence.address());
        return finish(out);
    }

    /**
     * The record that the bytes hold; refuses all others with {@link ErrorCode#CORRUPTION} or
     * {@link ErrorCode#VERSION_MISMATCH}.
     */
    public static <R extends StateRecord> R decode(StateKey<R> key, byte[] bytes) {
        return read(key.toString(), kindOf(key), bytes, in -> {
            StateRecord value = switch (key) {
                case StateKey.Cluster _ -> cluster(in);
                case StateKey.Node _ -> node(in);
                case StateKey.Catalog _, StateKey.Plan _ -> new VersionRecord(in.getLong(), in.getLong());
                case StateKey.Assignment _ -> assignment(in);
                case StateKey.Partition _ -> partition(in);
            };
            // The key's type says which record it is for, and the switch keeps to that.
            @SuppressWarnings("unchecked")
            R typed = (R) value;
            return typed;
        });
    }

    /** The presence that the bytes hold, under the same conditions. */
    public static Presence decodePresence(NodeId node, byte[] bytes) {
        return read("the presence of " + node, PRESENCE, bytes, in -> new Presence(node, in.getLong(), text(in)));
    }

    private static byte kindOf(StateKey<?> key) {
        return switch (key) {
            case StateKey.Cluster _ -> CLUSTER;
            case StateKey.Node _ -> NODE;
            case StateKey.Catalog _ -> CATALOG;
            case StateKey.Plan _ -> PLAN;
            case StateKey.Assignment _ -> ASSIGNMENT;
            case StateKey.Partition _ -> PARTITION;
        };
    }

    private static ByteBuffer begin(byte kind, byte version) {
        return ByteBuffer.allocate(MAX_BYTES).putShort(MAGIC).put(version).put(kind);
    }

    private static byte[] finish(ByteBuffer out) {
        int length = out.flip().remaining();
        byte[] bytes = new byte[length + CHECKSUM_BYTES];
        out.get(bytes, 0, length);
        ByteBuffer.wrap(bytes).putInt(length, checksum(bytes, length));
        return bytes;
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private interface Fields<T> {
        T readFrom(ByteBuffer in);
    }

    private static <T> T read(String what, byte kind, byte[] bytes, Fields<T> fields) {
        ByteBuffer in = open(what, kind, bytes);
        T value;
        try {
            value = fields.readFrom(in);
        } catch (BufferUnderflowException _) {
            throw malformed(what, "it is too short");
        } catch (IllegalArgumentException e) {
            throw malformed(what, String.valueOf(e.getMessage()));
        }
        if (in.hasRemaining()) {
            throw malformed(what, "something follows its last field");
        }
        return value;
    }

    private static ByteBuffer open(String what, byte kind, byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw malformed(what, "it has " + bytes.length + " bytes, more than " + MAX_BYTES);
        }
        if (bytes.length < HEADER_BYTES + CHECKSUM_BYTES) {
            throw malformed(what, "it has only " + bytes.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (in.getShort() != MAGIC) {
            throw malformed(what, "Fulmar did not write it");
        }
        int length = bytes.length - CHECKSUM_BYTES;
        if (in.getInt(length) != checksum(bytes, length)) {
            throw malformed(what, "its checksum is wrong");
        }
        byte version = in.get();
        if (version != VERSION && !(version == VERSION_WITH_SPARES && kind == CLUSTER)) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "the cluster's state holds " + what + " in form " + version
                            + ", which this version of Fulmar does not know;"
                            + " start the version that the other nodes run");
        }
        if (in.get() != kind) {
            throw malformed(what, "it is a record of another kind");
        }
        return in.limit(length);
    }

    private static FulmarException malformed(String what, String why) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "the cluster's state holds a malformed entry for " + what + ": " + why
                        + "; find out who else writes to this ZooKeeper, and restore the entry from a backup of it");
    }

    private static void putCluster(ByteBuffer out, ClusterRecord cluster) {
        out.putLong(cluster.clusterId().getMostSignificantBits())
                .putLong(cluster.clusterId().getLeastSignificantBits());
        putText(out, cluster.name());
        out.putInt(cluster.partitions()).putInt(cluster.copies()).putInt(cluster.minInSync());
        if (cluster.spares() > 0) {
            out.putInt(cluster.spares());
        }
    }

    private static ClusterRecord cluster(ByteBuffer in) {
        boolean hasSpares = in.get(VERSION_OFFSET) == VERSION_WITH_SPARES;
        ClusterRecord cluster = new ClusterRecord(
                new UUID(in.getLong(), in.getLong()),
                text(in),
                in.getInt(),
                in.getInt(),
                in.getInt(),
                hasSpares ? in.getInt() : 0);
        if (hasSpares && cluster.spares() == 0) {
            throw new IllegalArgumentException("no spare partitions in the form of those that have some");
        }
        return cluster;
    }

    private static void putNode(ByteBuffer out, NodeRecord node) {
        out.putLong(node.incarnation()).put((byte) node.standing().number());
        putText(out, node.address());
    }

    private static NodeRecord node(ByteBuffer in) {
        return new NodeRecord(in.getLong(), standing(in.get()), text(in));
    }

    private static NodeRecord.Standing standing(byte number) {
        for (NodeRecord.Standing standing : NodeRecord.Standing.values()) {
            if (standing.number() == number) {
                return standing;
            }
        }
        throw new IllegalArgumentException("standing " + number + " of a node is unknown");
    }

    private static void putPartition(ByteBuffer out, PartitionRecord partition) {
        out.putLong(partition.epoch());
        putCopy(out, partition.primary());
        out.putLong(partition.incarnation()).put((byte) partition.inSync().size());
        partition.inSync().forEach(copy -> putCopy(out, copy));
    }

    private static PartitionRecord partition(ByteBuffer in) {
        long epoch = in.getLong();
        CopyId primary = copy(in);
        long incarnation = in.getLong();
        int count = in.get();
        if (count < 1 || count > ClusterRecord.MAX_COPIES) {
            throw new IllegalArgumentException(count + " copies in sync");
        }
        List<CopyId> inSync = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            inSync.add(copy(in));
        }
        return new PartitionRecord(epoch, primary, incarnation, inSync);
    }

    private static void putAssignment(ByteBuffer out, AssignmentRecord assignment) {
        out.put((byte) assignment.copies().size());
        assignment.copies().forEach(nodes -> {
            out.put((byte) nodes.size());
            nodes.forEach(node -> out.putInt(node.number()));
        });
    }

    private static AssignmentRecord assignment(ByteBuffer in) {
        List<List<NodeId>> copies = new ArrayList<>();
        for (int partitions = in.get(); partitions > 0; partitions--) {
            List<NodeId> nodes = new ArrayList<>();
            for (int count = in.get(); count > 0; count--) {
                nodes.add(new NodeId(in.getInt()));
            }
            copies.add(nodes);
        }
        return new AssignmentRecord(copies);
    }

    private static void putCopy(ByteBuffer out, CopyId copy) {
        out.putInt(copy.node().number()).putLong(copy.life());
    }

    private static CopyId copy(ByteBuffer in) {
        return new CopyId(new NodeId(in.getInt()), in.getLong());
    }

    private static void putText(ByteBuffer out, String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        Invariants.check(ascii.length < MAX_BYTES / 2, "a text in the cluster's state is short");
        out.putShort((short) ascii.length).put(ascii);
    }

    private static String text(ByteBuffer in) {
        int length = Short.toUnsignedInt(in.getShort());
        if (length > in.remaining()) {
            throw new IllegalArgumentException("a text of " + length + " characters does not fit into it");
        }
        byte[] ascii = new byte[length];
        in.get(ascii);
        return new String(ascii, StandardCharsets.US_ASCII);
    }
}
