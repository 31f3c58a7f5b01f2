package dev.fulmar.coordinator.durability.log;

import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.durability.ImageReader;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a log record's payload, which all kinds of records share: version, flags, and the transaction or
 * outcome that the flags announce. The record's kind says what the rest means. A payload that is too large for a record
 * is cut into parts; each later part begins with version and flags only.
 *
 * @param transaction transaction and attempt of a PREPARE or DECISION; null in others
 * @param commit the decision
 * @param home partition whose memory of requests takes the outcome; -1 if there is none
 * @param partitions of a PREPARE, the base partition, which knows the decision; of a DECISION in the base partition's
 *     stream, who may ask for it; else empty
 * @param settled of a DECISION in the base partition's stream, earlier transactions of that one for whose decisions
 *     nobody can ask any more
 * @param outcome of the request whose handle the record's header has; null if there is none
 * @param begin where the rest begins in the bytes that were read
 */
@SuppressWarnings("ArrayRecordComponent") // read once, compared by identity only
public record LogPayload(
        @Nullable TransactionId transaction,
        int attempt,
        boolean commit,
        List<PartitionId> partitions,
        List<TransactionId> settled,
        int home,
        byte @Nullable [] outcome,
        int begin) {
    static final int VERSION = 1;

    /** Of payloads that name partitions, which programs of version 1 must not pass over. */
    private static final int VERSION_WITH_PARTITIONS = 2;

    /** Of payloads that name transactions that are settled, behind the partitions. */
    private static final int VERSION_WITH_SETTLED = 3;

    private static final int MOST_PARTITIONS = 1 << 20;

    private static final int TRANSACTION_BYTES = Long.BYTES + Integer.BYTES;

    /** More parts follow. */
    static final int MORE = 1;

    /** The payload continues that of the record before. */
    public static final int CONTINUED = 2;

    private static final int TRANSACTION = 4;
    private static final int COMMIT = 8;
    private static final int OUTCOME = 16;
    /** The payload of a COMMAND has the seed of the procedure's random numbers. */
    static final int SEED = 32;

    private static final int PARTITIONS = 64;

    private static final int KNOWN = MORE | CONTINUED | TRANSACTION | COMMIT | OUTCOME | SEED;

    /** Version and flags. */
    static final int HEADER_BYTES = 2;

    /** Begins a payload. */
    static void begin(
            ImageBuffer out,
            @Nullable TransactionId transaction,
            int attempt,
            boolean commit,
            @Nullable RequestOutcome outcome) {
        begin(out, transaction, attempt, commit, outcome, List.of());
    }

    /** Begins a payload that names partitions, if there are any. */
    static void begin(
            ImageBuffer out,
            @Nullable TransactionId transaction,
            int attempt,
            boolean commit,
            @Nullable RequestOutcome outcome,
            List<PartitionId> partitions) {
        begin(out, transaction, attempt, commit, outcome, partitions, List.of());
    }

    /** Begins a payload that names partitions, if there are any, and then perhaps transactions that are settled. */
    static void begin(
            ImageBuffer out,
            @Nullable TransactionId transaction,
            int attempt,
            boolean commit,
            @Nullable RequestOutcome outcome,
            List<PartitionId> partitions,
            List<TransactionId> settled) {
        boolean named = !partitions.isEmpty();
        out.clear();
        out.putByte(!settled.isEmpty() ? VERSION_WITH_SETTLED : named ? VERSION_WITH_PARTITIONS : VERSION);
        out.putByte((transaction == null ? 0 : TRANSACTION)
                | (commit ? COMMIT : 0)
                | (outcome == null ? 0 : OUTCOME)
                | (named ? PARTITIONS : 0));
        if (transaction != null) {
            out.putLong(transaction.timestamp());
            out.putInt(transaction.node());
            out.putInt(attempt);
        }
        if (named) {
            out.putInt(partitions.size());
            partitions.forEach(partition -> out.putInt(partition.number()));
        }
        if (!settled.isEmpty()) {
            out.putInt(settled.size());
            settled.forEach(each -> {
                out.putLong(each.timestamp());
                out.putInt(each.node());
            });
        }
        if (outcome != null) {
            out.putInt(outcome.home());
            out.putInt(outcome.outcome().length);
            out.putBytes(outcome.outcome());
        }
    }

    /** Flags of a part; fails for a version or a flag that this program does not know. */
    public static int flags(byte[] array, int offset, int length) {
        if (length < HEADER_BYTES || !isKnown(array[offset], array[offset + 1])) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "a record of the log has a form that this version of Fulmar does not know; start the version that wrote it");
        }
        return array[offset + 1];
    }

    private static boolean isKnown(int version, int flags) {
        return switch (version) {
            case VERSION -> (flags & ~KNOWN) == 0;
            case VERSION_WITH_PARTITIONS, VERSION_WITH_SETTLED -> (flags & ~(KNOWN | PARTITIONS)) == 0;
            default -> false;
        };
    }

    private static List<PartitionId> readPartitions(ImageReader in) {
        int count = in.getInt();
        if (count < 1 || count > MOST_PARTITIONS) {
            throw new FulmarException(ErrorCode.CORRUPTION, "a record of the log names " + count + " partitions");
        }
        List<PartitionId> partitions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            partitions.add(new PartitionId(in.getInt()));
        }
        return partitions;
    }

    private static List<TransactionId> readSettled(ImageReader in) {
        int count = in.getInt();
        if (count < 1 || count > MOST_PARTITIONS) {
            throw new FulmarException(ErrorCode.CORRUPTION, "a record of the log names " + count + " transactions");
        }
        List<TransactionId> settled = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            settled.add(new TransactionId(in.getLong(), in.getInt()));
        }
        return settled;
    }

    /** Reads transaction, attempt and decision only, for which the first part is enough. */
    public static LogPayload readTransaction(byte[] array, int offset, int end) {
        int flags = flags(array, offset, end - offset);
        if ((flags & TRANSACTION) == 0) {
            return new LogPayload(null, 0, false, List.of(), List.of(), -1, null, 0);
        }
        ImageReader in = new ImageReader(array, offset + HEADER_BYTES, end);
        TransactionId transaction = new TransactionId(in.getLong(), in.getInt());
        return new LogPayload(transaction, in.getInt(), (flags & COMMIT) != 0, List.of(), List.of(), -1, null, 0);
    }

    /** Reads a whole payload. */
    public static LogPayload read(byte[] array, int offset, int end) {
        int flags = flags(array, offset, end - offset);
        ImageReader in = new ImageReader(array, offset + HEADER_BYTES, end);
        TransactionId transaction = null;
        int attempt = 0;
        if ((flags & TRANSACTION) != 0) {
            transaction = new TransactionId(in.getLong(), in.getInt());
            attempt = in.getInt();
        }
        List<PartitionId> partitions = (flags & PARTITIONS) == 0 ? List.of() : readPartitions(in);
        List<TransactionId> settled = array[offset] == VERSION_WITH_SETTLED ? readSettled(in) : List.of();
        int home = -1;
        byte[] outcome = null;
        if ((flags & OUTCOME) != 0) {
            home = in.getInt();
            outcome = new byte[in.getInt()];
            System.arraycopy(array, in.take(outcome.length), outcome, 0, outcome.length);
        }
        return new LogPayload(
                transaction, attempt, (flags & COMMIT) != 0, partitions, settled, home, outcome, in.place());
    }

    /** Where the rest begins, without reading the outcome: for those that have just written the payload. */
    public static int restOffset(byte[] array, int offset) {
        int flags = array[offset + 1];
        int place = offset + HEADER_BYTES;
        if ((flags & TRANSACTION) != 0) {
            place += Long.BYTES + 2 * Integer.BYTES;
        }
        if ((flags & PARTITIONS) != 0) {
            place += Integer.BYTES + Integer.BYTES * LittleEndian.getInt(array, place);
        }
        if (array[offset] == VERSION_WITH_SETTLED) {
            place += Integer.BYTES + TRANSACTION_BYTES * LittleEndian.getInt(array, place);
        }
        if ((flags & OUTCOME) != 0) {
            place += 2 * Integer.BYTES + LittleEndian.getInt(array, place + Integer.BYTES);
        }
        return place;
    }
}
