package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.transaction.SnapshotSource;
import dev.fulmar.engine.partition.counter.OwnedCounter;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Lets snapshot readers wait at a backup until its primary has confirmed that the backup has every commit up to their
 * timestamp. The primary confirms once its clock has passed the timestamp, and all that it had committed by then is on
 * all copies in sync. One question is under way at a time, and stands for all readers that have come before it.
 */
public final class CopyReads implements SnapshotSource {
    /** Time that a reader waits for the primary's word before it asks the primary to read. */
    private static final long PATIENCE_NANOS = 200_000_000;

    /** Without an answer after this time the question is put again: a link may have broken. */
    private static final long RETRY_NANOS = 50_000_000;

    private record Waiting(long timestamp, long sinceNanos, Answer answer) {}

    private final BooleanSupplier isOpen;
    private final ReplicaLog stream;
    private final LongConsumer asking;
    private final Clock clock;
    private final Probes probes;
    private final OwnedCounter served = new OwnedCounter();
    private final OwnedCounter passedOn = new OwnedCounter();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /** Timestamp that the primary was asked to pass and has not confirmed; 0 if there is none. */
    private long asked;

    private long askedNanos;

    /**
     * @param isOpen whether the copy is in sync as far as is known here; for any thread
     * @param asking asks the primary for the timestamp, or does nothing
     */
    CopyReads(BooleanSupplier isOpen, ReplicaLog stream, LongConsumer asking, Clock clock, Probes probes) {
        this.probes = probes;
        this.isOpen = isOpen;
        this.stream = stream;
        this.asking = asking;
        this.clock = clock;
    }

    @Override
    public boolean isOpen() {
        return isOpen.getAsBoolean();
    }

    @Override
    public boolean isReadable() {
        return isOpen() && stream.isWhole();
    }

    @Override
    public long newestCommit() {
        return stream.newestCommit();
    }

    @Override
    public void await(long timestamp, Answer answer) {
        if (!isReadable()) {
            answer.told(false);
            return;
        }
        waiting.addLast(new Waiting(timestamp, clock.monotonicNanos(), answer));
        if (asked == 0) {
            ask();
        }
    }

    private void ask() {
        asked = 0;
        for (Waiting reader : waiting) {
            asked = Math.max(asked, reader.timestamp);
        }
        if (asked != 0) {
            askedNanos = clock.monotonicNanos();
            asking.accept(asked);
        }
    }

    /** The copy has all that is or will be committed at or below the timestamp. */
    void passed(long timestamp) {
        if (timestamp >= asked) {
            asked = 0;
        }
        answer(reader -> reader.timestamp <= timestamp, isReadable());
        if (asked == 0) {
            ask();
        }
    }

    private interface Choice {
        boolean has(Waiting reader);
    }

    /** Answers the chosen readers; a reader that is answered may ask for something else at once. */
    private void answer(Choice choice, boolean isThere) {
        List<Waiting> going = new ArrayList<>();
        waiting.removeIf(reader -> {
            boolean goes = choice.has(reader);
            if (goes) {
                going.add(reader);
            }
            return goes;
        });
        going.forEach(reader -> reader.answer.told(isThere));
    }

    /** Whether no reader waits. For the partition's thread. */
    boolean isCalm() {
        return waiting.isEmpty();
    }

    /** To be called now and then. */
    void timePassed() {
        if (waiting.isEmpty()) {
            return;
        }
        Invariants.check(asked != 0, "a copy that readers wait at has asked its primary");
        long nowNanos = clock.monotonicNanos();
        answer(reader -> nowNanos - reader.sinceNanos >= PATIENCE_NANOS, false);
        if (asked != 0 && nowNanos - askedNanos >= RETRY_NANOS) {
            ask();
        }
    }

    /** Ends all waits: the copy leads, follows another primary, or is rebuilt, so its question gets no answer. */
    void end() {
        asked = 0;
        answer(reader -> true, false);
    }

    @Override
    public void served() {
        probes.reached("copies: a snapshot is read");
        served.increment();
    }

    @Override
    public void passedOn() {
        probes.reached("copies: a reader is passed on");
        passedOn.increment();
    }

    /** Readers that read here; any thread. */
    public long servedCount() {
        return served.get();
    }

    /** Readers that came and had to ask the primary; any thread. */
    public long passedOnCount() {
        return passedOn.get();
    }
}
