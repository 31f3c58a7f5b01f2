package dev.fulmar.pmemlog.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import dev.fulmar.pmemlog.record.RecordWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a stream's owner appended, and what it knows to be durable. */
final class StreamModel {
    private final int stream;
    private final List<Entry> appended = new ArrayList<>();
    private @Nullable PartitionLogBuffer lane;
    private int certified;
    private long released;

    /** A record, or what was read of one; the position is that of the lane in which it was appended. */
    record Entry(RecordKind kind, long sequence, int epoch, long id, int payloadBytes, long position) {
        boolean isSame(Entry other) {
            return kind == other.kind
                    && sequence == other.sequence
                    && epoch == other.epoch
                    && id == other.id
                    && payloadBytes == other.payloadBytes;
        }
    }

    StreamModel(int stream) {
        this.stream = stream;
    }

    /** A record as it was read. Its payload repeats the last byte of its id. */
    static Entry read(RecordReader record) {
        byte[] payload = record.payload();
        for (byte value : payload) {
            assertThat(value).isEqualTo((byte) record.requestId());
        }
        return new Entry(record.kind(), record.sequence(), record.epoch(), record.requestId(), payload.length, 0);
    }

    void use(PartitionLogBuffer newLane) {
        lane = newLane;
        assertThat(newLane.stream()).isEqualTo(stream);
        List<Entry> state = state(appended);
        assertThat(newLane.lastSequence())
                .isEqualTo(state.isEmpty() ? 0 : state.getLast().sequence());
    }

    /** Appends a record if the lane has room. */
    boolean append(RecordKind kind, long id, int payloadBytes) {
        PartitionLogBuffer owned = owned();
        return commit(kind, owned.begin(kind, payloadBytes), id, payloadBytes);
    }

    /** Begins a new epoch, which takes so many records back, but none that was released. */
    boolean beginEpoch(long id, int takenBack) {
        PartitionLogBuffer owned = owned();
        long sequence = Math.max(released + 1, owned.lastSequence() + 1 - takenBack);
        return commit(RecordKind.EPOCH, owned.beginEpoch(owned.epoch() + 1, sequence, 8), id, 8);
    }

    private boolean commit(RecordKind kind, @Nullable RecordWriter record, long id, int payloadBytes) {
        if (record == null) {
            return false;
        }
        PartitionLogBuffer owned = owned();
        byte[] payload = new byte[payloadBytes];
        Arrays.fill(payload, (byte) id);
        record.clientHandle(1, id).payload(payload, 0, payloadBytes);
        long position = owned.commit(payloadBytes);
        appended.add(new Entry(kind, owned.lastSequence(), owned.epoch(), id, payloadBytes, position));
        return true;
    }

    private PartitionLogBuffer owned() {
        return Objects.requireNonNull(lane);
    }

    /** Records that nobody may lose any more. */
    int acknowledged() {
        PartitionLogBuffer used = lane;
        int count = certified;
        while (used != null && count < appended.size() && appended.get(count).position() <= used.durablePosition()) {
            count++;
        }
        return count;
    }

    /** The last sequence that is durable, up to which a checkpoint may be taken. */
    long durableSequence() {
        List<Entry> state = state(appended.subList(0, acknowledged()));
        return state.isEmpty() ? 0 : state.getLast().sequence();
    }

    /** A checkpoint has everything up to the sequence. */
    void release(OperationLog log, long sequence) {
        // Whatever is not durable may take back no released record, so that the model can tell.
        if (sequence > released && sequence <= lowestUndecided()) {
            released = sequence;
        }
        log.release(stream, released);
    }

    private long lowestUndecided() {
        return appended.subList(acknowledged(), appended.size()).stream()
                .mapToLong(entry -> entry.sequence() - 1)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** What the records leave when later epochs have made earlier ones void. */
    private static List<Entry> state(List<Entry> entries) {
        List<Entry> state = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.kind() == RecordKind.EPOCH) {
                state.removeIf(earlier -> earlier.sequence() >= entry.sequence());
            }
            state.add(entry);
        }
        return state;
    }

    /**
     * Checks that what was recovered, from the base's successor on, is what a number of the first appended records
     * left, at least the acknowledged ones. Goes on from there.
     */
    void recover(List<Entry> recovered, long base, String context) {
        assertThat(base).as("%s: what is gone was released", context).isLessThanOrEqualTo(released);
        int acknowledged = acknowledged();
        for (int count = appended.size(); count >= acknowledged; count--) {
            if (leave(appended.subList(0, count), recovered, base)) {
                appended.subList(count, appended.size()).clear();
                lane = null;
                certified = acknowledged;
                return;
            }
        }
        throw new AssertionError(context + ": stream " + stream + " recovered " + recovered + " after " + base
                + ", but appended " + appended + ", of which " + acknowledged + " were acknowledged");
    }

    private static boolean leave(List<Entry> entries, List<Entry> recovered, long base) {
        List<Entry> expected = state(entries);
        expected.removeIf(entry -> entry.sequence() <= base);
        if (expected.size() != recovered.size()) {
            return false;
        }
        for (int i = 0; i < expected.size(); i++) {
            if (!expected.get(i).isSame(recovered.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** What was recovered may have been seen by others: it is as good as acknowledged. */
    void certify() {
        certified = appended.size();
    }

    int size() {
        return appended.size();
    }
}
