package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.cluster.NodeChannel;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Kinds of messages between nodes whose sending is the cue for a fault of {@link Ambushes} or a {@link Manoeuvre}. A
 * fault does most harm at such a moment.
 */
enum Moment {
    PREPARE(NodeChannel.TRANSACTION, 2, 3, 23),
    DECISION(NodeChannel.TRANSACTION, 2, 4),
    VOTE(NodeChannel.TRANSACTION, 2, 11),
    DECIDED(NodeChannel.TRANSACTION, 2, 14),
    QUESTION(NodeChannel.TRANSACTION, 2, 18),
    ANSWER(NodeChannel.TRANSACTION, 2, 19),
    TERM_BEGUN(NodeChannel.REPLICATION, 6, 1),
    JOINED(NodeChannel.REPLICATION, 6, 2),
    GROUP(NodeChannel.REPLICATION, 6, 3),
    CONFIRMED(NodeChannel.REPLICATION, 6, 4),
    DIVERGED(NodeChannel.REPLICATION, 6, 5),
    AWAITS_TERM(NodeChannel.REPLICATION, 6, 7),
    REPLACES(NodeChannel.REPLICATION, 6, 9),
    FORWARDED(NodeChannel.REQUEST, 0, 0),
    BUILT(NodeChannel.COPY, 0, 0),
    CATALOG(NodeChannel.CATALOG, 0, 0),
    FRAGMENTS(NodeChannel.TRANSACTION, 2, 1, 26),
    UNDO(NodeChannel.TRANSACTION, 2, 2),
    VOTE_BACK(NodeChannel.TRANSACTION, 2, 5),
    ARRIVE(NodeChannel.TRANSACTION, 2, 6),
    READ(NodeChannel.TRANSACTION, 2, 7, 25, 28),
    REPLY(NodeChannel.TRANSACTION, 2, 10, 22, 27),
    PASSED(NodeChannel.TRANSACTION, 2, 15, 24),
    RELEASED(NodeChannel.TRANSACTION, 2, 17),
    FOUND(NodeChannel.TRANSACTION, 2, 16),
    RELEASE(NodeChannel.TRANSACTION, 2, 8),
    LEAVE(NodeChannel.TRANSACTION, 2, 9),
    WOUNDED(NodeChannel.TRANSACTION, 2, 12),
    VOTE_RECALLED(NodeChannel.TRANSACTION, 2, 13),
    BROKEN(NodeChannel.TRANSACTION, 2, 20),
    REFUSED(NodeChannel.TRANSACTION, 2, 21),
    OUTDATED(NodeChannel.REPLICATION, 6, 6),
    BEHIND(NodeChannel.REPLICATION, 6, 8),
    CLOCK_WANTED(NodeChannel.REPLICATION, 6, 10),
    CLOCK_PASSED(NodeChannel.REPLICATION, 6, 11),
    CHANGE_ANNOUNCED(NodeChannel.CATALOG, 2, 1),
    CHANGE_TAKEN(NodeChannel.CATALOG, 2, 2),
    CHANGE_TRIED(NodeChannel.CATALOG, 2, 3),
    CHANGE_READY(NodeChannel.CATALOG, 2, 4),
    CHANGE_ABORTED(NodeChannel.CATALOG, 2, 6),
    CHANGE_ASKED(NodeChannel.CATALOG, 2, 7),
    PRIMARY_COUNTS(NodeChannel.CATALOG, 2, 8),
    PRIMARY_COUNTED(NodeChannel.CATALOG, 2, 9),
    CHANGE_SOUGHT(NodeChannel.CATALOG, 2, 10),
    MOVE_BEGUN(NodeChannel.RECONFIGURATION, 2, 1),
    ROWS_SENT(NodeChannel.RECONFIGURATION, 2, 2),
    OUTCOMES_SENT(NodeChannel.RECONFIGURATION, 2, 3),
    MOVE_UNDONE(NodeChannel.RECONFIGURATION, 2, 4),
    HAND_OFF_ASKED(NodeChannel.RECONFIGURATION, 2, 5),
    TARGET_ASKED(NodeChannel.RECONFIGURATION, 2, 6),
    MOVE_STEP_DONE(NodeChannel.RECONFIGURATION, 2, 7),
    MOVE_STEP_FAILED(NodeChannel.RECONFIGURATION, 2, 8);

    /** Number of moments about the end of transactions over several partitions; they come first. */
    static final int OF_TRANSACTIONS = 6;

    /** Number of moments for which ambushes wait; they come first. */
    static final int OF_AMBUSHES = 16;

    private static final int PARTITION_PLACE = 1;

    /** Behind the channel, the version, the kind and the number of the request. */
    private static final int DESTINATION_PLACE = 3 + Long.BYTES;

    private final NodeChannel channel;
    private final int place;
    private final byte[] kinds;

    /**
     * @param place of the byte that tells the kind of message; 0 for all messages of the channel
     * @param kinds what it may say
     */
    Moment(NodeChannel channel, int place, int... kinds) {
        this.channel = channel;
        this.place = place;
        this.kinds = new byte[kinds.length];
        for (int i = 0; i < kinds.length; i++) {
            this.kinds[i] = (byte) kinds[i];
        }
    }

    /** All kinds that runs of the theme have. */
    static Moment[] all(Theme theme) {
        return switch (theme) {
            case TRANSACTIONS -> Arrays.copyOf(values(), CHANGE_ANNOUNCED.ordinal());
            case CATALOG -> Arrays.copyOf(values(), MOVE_BEGUN.ordinal());
            case MOVES -> values();
        };
    }

    boolean isOf(byte[] message) {
        return message.length > place && message[0] == channel.number() && (place == 0 || isOfKind(message[place]));
    }

    private boolean isOfKind(byte told) {
        for (byte kind : kinds) {
            if (kind == told) {
                return true;
            }
        }
        return false;
    }

    /** The moment of ambushes with the number, counted around. */
    static Moment numbered(int number) {
        return values()[Math.floorMod(number, OF_AMBUSHES)];
    }

    static boolean isHeartbeat(byte[] message) {
        return message[0] == NodeChannel.HEARTBEAT.number();
    }

    /** Whether the message is about one partition's copies. */
    static boolean isOfReplication(byte[] message) {
        return message.length > PARTITION_PLACE + Integer.BYTES && message[0] == NodeChannel.REPLICATION.number();
    }

    /** The partition of the message. */
    static int partitionOf(byte[] message) {
        return ByteBuffer.wrap(message).getInt(PARTITION_PLACE);
    }

    /** Whether the message is a step of a move that its destination is to take. */
    static boolean isOfDestination(byte[] message) {
        return MOVE_BEGUN.isOf(message)
                || ROWS_SENT.isOf(message)
                || OUTCOMES_SENT.isOf(message)
                || MOVE_UNDONE.isOf(message);
    }

    /** The partition to which the move goes. */
    static int destinationOf(byte[] message) {
        return ByteBuffer.wrap(message).getInt(DESTINATION_PLACE);
    }
}
