package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.record.RecordWriter;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A thread's access to the store, with a log of its own. For one thread at a time, and one transaction at a time. */
public final class StoreSession implements AutoCloseable {
    private static final int PRUNE_INTERVAL = 32;

    private final ObjectStore store;
    private final int stream;
    private final @Nullable PartitionLogBuffer lane;
    private final Timeline timeline;
    private final Timeline.Place place;
    private final Transaction transaction;
    private volatile long visibleSequence;
    private long horizon;
    private int commitsSinceHorizon = PRUNE_INTERVAL;

    StoreSession(ObjectStore store, int stream, @Nullable PartitionLogBuffer lane, Timeline.Place place) {
        this.store = store;
        this.stream = stream;
        this.lane = lane;
        this.timeline = store.timeline();
        this.place = place;
        this.transaction = new Transaction(this, store);
    }

    /** Begins a transaction, which must be committed or closed before the next. */
    public Transaction begin(Isolation isolation) {
        Invariants.check(!transaction.isOpen(), "a session has one transaction at a time");
        transaction.begin(isolation, timeline.beginSnapshot(place));
        return transaction;
    }

    /**
     * Runs the body in a transaction, and again as long as others are faster. What the body throws undoes the
     * transaction.
     */
    public <T> T run(Isolation isolation, Function<Transaction, T> body) {
        while (true) {
            try (Transaction begun = begin(isolation)) {
                T result = body.apply(begun);
                begun.commit();
                return result;
            } catch (ConflictException e) {
                StoreLog log = store.log();
                if (log != null) {
                    log.joinGroup();
                }
                Patience.giveWay();
            }
        }
    }

    int stream() {
        return stream;
    }

    /** Sequence of the last record whose commit is visible, 0 for none. For any thread. */
    long visibleSequence() {
        return visibleSequence;
    }

    /** The commit: durable and visible when it returns. */
    long commit(Transaction committing, List<Change> changes) {
        PartitionLogBuffer ownLane = lane;
        StoreLog log = store.log();
        int payloadBytes = ownLane == null ? 0 : ChangeCodec.bytes(changes);
        RecordWriter record = ownLane == null || log == null ? null : log.begin(ownLane, payloadBytes);
        long timestamp = timeline.draw(place);
        if (!committing.isValid()) {
            timeline.endCommit(place);
            throw new ConflictException("something that was read has changed");
        }
        long position = 0;
        if (record != null && ownLane != null) {
            record.commitTimestamp(timestamp);
            ChangeCodec.write(changes, record.array(), record.payloadOffset());
            position = ownLane.commit(payloadBytes);
        }
        install(changes, timestamp);
        committing.released();
        if (log != null && ownLane != null) {
            log.await(ownLane, position);
        }
        timeline.endCommit(place);
        while (timeline.advance() < timestamp) {
            if (log != null) {
                log.checkFailure();
            }
            Patience.giveWay();
        }
        if (ownLane != null) {
            visibleSequence = ownLane.lastSequence();
        }
        return timestamp;
    }

    private void install(List<Change> changes, long timestamp) {
        if (++commitsSinceHorizon >= PRUNE_INTERVAL) {
            commitsSinceHorizon = 0;
            horizon = timeline.horizon();
        }
        long superseded = 0;
        long pruned = 0;
        long bytes = 0;
        long changed = 0;
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            StoredObject object = change.object;
            byte[] image = change.image;
            Version before = object.newest();
            Version after = new Version(timestamp, image, before);
            superseded += before == null ? 0 : before.bytes();
            bytes += image == null ? 0 : image.length;
            changed += change.changedBytes();
            object.install(after);
            pruned += Version.prune(after, horizon);
            if (lane != null) {
                store.dirty().changed(object);
            }
            object.unlock();
        }
        store.counters().wrote(changes.size(), bytes, changed);
        timeline.addVersionBytes(superseded - pruned);
        if (commitsSinceHorizon == 0 && timeline.versionBytes() > store.maxVersionBytes()) {
            timeline.expireSnapshots();
        }
    }

    void ended() {
        timeline.endSnapshot(place);
    }

    /** Releases the log for another thread. */
    @Override
    public void close() {
        transaction.close();
        store.free(this);
    }
}
