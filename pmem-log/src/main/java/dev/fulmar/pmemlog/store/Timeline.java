package dev.fulmar.pmemlog.store;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Timestamps: which are drawn, which are visible, and which a snapshot may still ask for. */
final class Timeline {
    /** In a place for a timestamp: none. */
    static final long NONE = Long.MAX_VALUE;

    private final AtomicLong clock = new AtomicLong();
    private final AtomicLong watermark = new AtomicLong();
    private final AtomicLong oldestAllowed = new AtomicLong();
    private final AtomicReference<Place[]> places = new AtomicReference<>(new Place[0]);
    private final Place checkpoint = new Place();
    private final LongAdder versionBytes = new LongAdder();

    /** A session's, or the checkpoint's: what it reads and what it is about to commit. */
    static final class Place {
        private final AtomicLong snapshot = new AtomicLong(NONE);
        private final AtomicLong committing = new AtomicLong(NONE);
    }

    Place newPlace() {
        Place place = new Place();
        places.updateAndGet(before -> {
            Place[] after = Arrays.copyOf(before, before.length + 1);
            after[before.length] = place;
            return after;
        });
        return place;
    }

    void beginAt(long timestamp) {
        clock.set(timestamp);
        watermark.set(timestamp);
    }

    long watermark() {
        return watermark.get();
    }

    /**
     * Takes a snapshot of what is visible now. The place is marked before the watermark is read, so nothing that it
     * shows is dropped meanwhile.
     */
    long beginSnapshot(Place place) {
        place.snapshot.set(watermark.get());
        return watermark.get();
    }

    /** As {@link #beginSnapshot}, for the one that never expires. */
    long beginCheckpoint() {
        return beginSnapshot(checkpoint);
    }

    void endCheckpoint() {
        endSnapshot(checkpoint);
    }

    void endSnapshot(Place place) {
        place.snapshot.set(NONE);
    }

    /**
     * Draws a commit's timestamp. The place is marked before, so the watermark stays below until {@link #endCommit}.
     */
    long draw(Place place) {
        place.committing.set(clock.get() + 1);
        return clock.incrementAndGet();
    }

    /** The commit is durable and installed, or is none. */
    void endCommit(Place place) {
        place.committing.set(NONE);
    }

    /** Moves the watermark over everything that ended; returns it. */
    long advance() {
        long visible = clock.get();
        for (Place place : places.get()) {
            visible = Math.min(visible, place.committing.get() - 1);
        }
        long reached = visible;
        return watermark.accumulateAndGet(reached, Math::max);
    }

    /** No snapshot before this will ask for anything. */
    long horizon() {
        long horizon = watermark.get();
        for (Place place : places.get()) {
            horizon = Math.min(horizon, place.snapshot.get());
        }
        return Math.min(Math.max(horizon, oldestAllowed.get()), checkpoint.snapshot.get());
    }

    /** Whether what the snapshot read may have been incomplete. */
    boolean isTooOld(long snapshot) {
        return snapshot < oldestAllowed.get();
    }

    void addVersionBytes(long bytes) {
        versionBytes.add(bytes);
    }

    long versionBytes() {
        return versionBytes.sum();
    }

    /** Ends the claims of all snapshots up to now but those that begin from here on. */
    void expireSnapshots() {
        oldestAllowed.accumulateAndGet(watermark.get(), Math::max);
    }
}
