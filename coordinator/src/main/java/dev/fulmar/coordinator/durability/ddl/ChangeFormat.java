package dev.fulmar.coordinator.durability.ddl;

import dev.fulmar.coordinator.durability.catalog.CatalogHistory;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.foundation.data.MessageForm;
import dev.fulmar.foundation.data.MessageReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Messages between nodes about a change of the catalog, as bytes. In this order, big-endian: version, kind, epoch,
 * number of the attempt or of a partition, fields.
 */
final class ChangeFormat {
    private static final byte VERSION = 1;
    private static final MessageForm FORM =
            new MessageForm("messages about changes of the catalog", Set.of((int) VERSION));
    private static final byte ANNOUNCE = 1;
    private static final byte ANNOUNCED = 2;
    private static final byte TRY = 3;
    private static final byte READY = 4;
    private static final byte FAILED = 5;
    private static final byte ABORT = 6;
    private static final byte ASK = 7;
    private static final byte LEADS = 8;
    private static final byte DECIDED = 9;
    private static final byte SEEK = 10;

    /** As READY, with a timestamp. */
    private static final byte READY_AT = 11;

    private static final int FIXED_BYTES = 64;
    private static final int MOST_PARTITIONS = 1 << 20;

    private ChangeFormat() {}

    /**
     * An attempt at a change.
     *
     * @param epoch of the catalog's primary that makes it
     * @param number of the attempt within the epoch
     */
    record Attempt(long epoch, long number) implements Comparable<Attempt> {
        @Override
        public int compareTo(Attempt other) {
            int byEpoch = Long.compare(epoch, other.epoch);
            return byEpoch != 0 ? byEpoch : Long.compare(number, other.number);
        }

        /** Whether the other one is a later one of the same maker, in the same term. */
        boolean isEarlierInTerm(Attempt other) {
            return epoch == other.epoch && number < other.number;
        }
    }

    /** A message. */
    sealed interface Message {
        /** A message of an attempt. */
        sealed interface OfAttempt extends Message {
            Attempt attempt();
        }

        /**
         * To the primary: the sender leads the partition, and is about to serve it.
         *
         * @param epoch of the partition
         */
        record TermBegun(PartitionId partition, long epoch) implements Message {}

        /**
         * Primary to one that leads a partition in the epoch: no change passes it by any more but those that are
         * decided.
         *
         * @param version of the catalog to which these lead
         */
        record Decided(PartitionId partition, long epoch, long version) implements Message {}

        /** Primary to the others: do what takes long for the change, which is as {@link CatalogHistory} keeps it. */
        @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
        record Announce(Attempt attempt, byte[] kept) implements OfAttempt {}

        /** To the primary: done. */
        record Announced(Attempt attempt) implements OfAttempt {}

        /**
         * Primary to the others: lock the partitions that you lead, and make the change there, so that it can be
         * undone.
         */
        record Prepare(Attempt attempt) implements OfAttempt {}

        /**
         * To the primary: done for these partitions. Nothing happens there until it is known whether the change counts.
         *
         * @param promised timestamp that they commit at, or later; 0 if the change ends all readers of snapshots
         */
        record Ready(Attempt attempt, List<PartitionId> tried, long promised) implements OfAttempt {}

        /** To the primary: the change cannot be made here. */
        record Failed(Attempt attempt, ErrorCode code, String text) implements OfAttempt {}

        /**
         * Primary to the others: the attempt came to nothing.
         *
         * @param epoch of the primary that says so
         */
        record Abort(Attempt attempt, long epoch) implements OfAttempt {}

        /**
         * To the primary: what became of it?
         *
         * @param version to which the change would lead
         */
        record ResolveRequest(Attempt attempt, long version) implements OfAttempt {}

        /**
         * To any node, for the primary does not answer: what became of it?
         *
         * @param version to which the change would lead
         * @param epoch of the term that the sender's copy of the catalog knows
         * @param end of that copy's log
         */
        record StatusQuery(Attempt attempt, long version, long epoch, long end) implements OfAttempt {}
    }

    static ByteBuffer write(Message message) {
        return switch (message) {
            case Message.Announce(Attempt attempt, byte[] kept) ->
                begin(ANNOUNCE, attempt, kept.length).put(kept).flip();
            case Message.Announced(Attempt attempt) ->
                begin(ANNOUNCED, attempt, 0).flip();
            case Message.Prepare(Attempt attempt) -> begin(TRY, attempt, 0).flip();
            case Message.Ready(Attempt attempt, List<PartitionId> tried, long promised) -> {
                ByteBuffer out = begin(promised == 0 ? READY : READY_AT, attempt, tried.size() * Integer.BYTES);
                if (promised != 0) {
                    out.putLong(promised);
                }
                out.putInt(tried.size());
                tried.forEach(partition -> out.putInt(partition.number()));
                yield out.flip();
            }
            case Message.Failed(Attempt attempt, ErrorCode code, String text) -> {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                yield begin(FAILED, attempt, bytes.length)
                        .putInt(code.number())
                        .put(bytes)
                        .flip();
            }
            case Message.Abort(Attempt attempt, long epoch) ->
                begin(ABORT, attempt, 0).putLong(epoch).flip();
            case Message.ResolveRequest(Attempt attempt, long version) ->
                begin(ASK, attempt, 0).putLong(version).flip();
            case Message.StatusQuery(Attempt attempt, long version, long epoch, long end) ->
                begin(SEEK, attempt, 0)
                        .putLong(version)
                        .putLong(epoch)
                        .putLong(end)
                        .flip();
            case Message.TermBegun(PartitionId partition, long epoch) ->
                begin(LEADS, new Attempt(epoch, partition.number()), 0).flip();
            case Message.Decided(PartitionId partition, long epoch, long version) ->
                begin(DECIDED, new Attempt(epoch, partition.number()), 0)
                        .putLong(version)
                        .flip();
        };
    }

    private static ByteBuffer begin(byte kind, Attempt attempt, int contentBytes) {
        return ByteBuffer.allocate(FIXED_BYTES + contentBytes)
                .put(VERSION)
                .put(kind)
                .putLong(attempt.epoch)
                .putLong(attempt.number);
    }

    /** The message that the rest of the buffer is; refuses anything else. */
    static Message read(ByteBuffer in) {
        return FORM.readWhole(in, (version, kind, fields) -> {
            Attempt attempt = new Attempt(fields.naturalLong(), fields.naturalLong());
            return read(kind, attempt, fields);
        });
    }

    private static Message read(int kind, Attempt attempt, MessageReader in) {
        return switch (kind) {
            case ANNOUNCE -> {
                byte[] kept = in.rest();
                if (kept.length < CatalogRecord.HEADER_BYTES) {
                    throw new IllegalArgumentException("a change of " + kept.length + " bytes");
                }
                yield new Message.Announce(attempt, kept);
            }
            case ANNOUNCED -> new Message.Announced(attempt);
            case TRY -> new Message.Prepare(attempt);
            case READY -> new Message.Ready(attempt, partitions(in), 0);
            case READY_AT -> {
                long promised = in.naturalLong();
                yield new Message.Ready(attempt, partitions(in), promised);
            }
            case FAILED -> new Message.Failed(attempt, ErrorCode.ofNumber(in.getInt()), in.restAsText());
            case ABORT -> new Message.Abort(attempt, in.getLong());
            case ASK -> new Message.ResolveRequest(attempt, in.getLong());
            case SEEK -> new Message.StatusQuery(attempt, in.getLong(), in.getLong(), in.getLong());
            case LEADS -> new Message.TermBegun(partition(attempt), attempt.epoch);
            case DECIDED -> new Message.Decided(partition(attempt), attempt.epoch, in.getLong());
            default -> throw MessageReader.unknownKind(kind);
        };
    }

    private static PartitionId partition(Attempt fields) {
        if (fields.number < 0 || fields.number >= MOST_PARTITIONS) {
            throw new IllegalArgumentException("partition " + fields.number);
        }
        return new PartitionId((int) fields.number);
    }

    private static List<PartitionId> partitions(MessageReader in) {
        int count = in.count(Integer.BYTES);
        if (count > MOST_PARTITIONS) {
            throw new IllegalArgumentException(count + " partitions");
        }
        List<PartitionId> partitions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            partitions.add(new PartitionId(in.getInt()));
        }
        return partitions;
    }

    /** The error for a message that contradicts others. */
    static FulmarException malformed(String what) {
        return FORM.malformed(what, null);
    }
}
