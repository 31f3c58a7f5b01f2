package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.partition.CommitGate.GatedReply;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.SnapshotReader;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a snapshot transaction at one partition. Touched by the partition's thread only, but for its identity.
 */
public final class PartitionSnapshotRead implements SnapshotReader {
    private final PartitionRuntime runtime;
    private final TransactionId reader;
    private final int attempt;
    private final boolean strict;
    private final boolean passesOnly;

    private @Nullable SnapshotReadRequest question;

    /** The question that has not been told yet that its timestamp is passed. */
    private @Nullable SnapshotReadRequest unpassed;

    /** The question that has not been answered yet. */
    private @Nullable SnapshotReadRequest unread;

    /** The copy that is read here; null where the partition is led. Set before the visit comes to the partition. */
    private @Nullable SnapshotSource source;

    private boolean gone;

    /** The copy cannot serve the reader. */
    private boolean isPassedOn;

    /** Why the partition keeps nothing for the reader; it is not registered then. */
    private @Nullable FragmentFailure refusal;

    /** Another node leads the partition. */
    private boolean sentAway;

    private @Nullable VersionReader versions;

    /** By their numbers. */
    private final TreeMap<Integer, SnapshotReading> readings = new TreeMap<>();

    /** @param attempt counts the reader's restarts */
    public PartitionSnapshotRead(PartitionRuntime runtime, TransactionId reader, int attempt, boolean strict) {
        this(runtime, reader, attempt, strict, false);
    }

    private PartitionSnapshotRead(
            PartitionRuntime runtime, TransactionId reader, int attempt, boolean strict, boolean passesOnly) {
        this.runtime = runtime;
        this.reader = reader;
        this.attempt = attempt;
        this.strict = strict;
        this.passesOnly = passesOnly;
    }

    /**
     * Makes the partition's primary pass a timestamp, and reads nothing there: so it holds nothing back, and waits for
     * no vote.
     */
    static PartitionSnapshotRead passing(PartitionRuntime runtime, TransactionId reader, int attempt) {
        return new PartitionSnapshotRead(runtime, reader, attempt, false, true);
    }

    public PartitionId partition() {
        return runtime.partition().id();
    }

    public TransactionId reader() {
        return reader;
    }

    public int attempt() {
        return attempt;
    }

    public boolean isStrict() {
        return strict;
    }

    /** Whether a copy that follows may take the primary's place. */
    public boolean mayReadCopy() {
        return !strict && !passesOnly && attempt == 0;
    }

    /** Reads a copy that follows. Before the visit comes to the partition. */
    public void readAt(SnapshotSource copy) {
        source = copy;
    }

    /** Whether it reads a copy that follows. */
    public boolean isAtCopy() {
        return source != null;
    }

    void arrive(Partition partition, SnapshotReadRequest first) {
        asked(first);
        SnapshotSource copy = source;
        if (gone) {
            return;
        }
        if (copy == null) {
            partition.readers().register(this, strict, first.timestamp());
        } else if (copy.isReadable()) {
            admitted(partition, Math.max(first.timestamp(), copy.newestCommit()));
        } else {
            passOn(copy, first);
        }
    }

    /** Ends the attempt, which is made again at the primary: the copy cannot serve it. */
    private void passOn(SnapshotSource copy, SnapshotReadRequest asked) {
        if (!isPassedOn) {
            isPassedOn = true;
            copy.passedOn();
        }
        fail(
                asked,
                ErrorCode.TRANSACTION_RESTART,
                "the copy of partition " + runtime.partition().id() + " here cannot serve the reader");
    }

    private void asked(SnapshotReadRequest next) {
        question = next;
        unpassed = next;
        unread = next;
    }

    private void passed(SnapshotReadRequest asked, long clock) {
        if (asked.equals(unpassed)) {
            unpassed = null;
            boolean isClear =
                    source != null || !strict || runtime.partition().readers().isClear(this, clock);
            asked.passed(clock, isClear);
        }
    }

    private void answered(SnapshotReadRequest asked, List<FragmentResult> results, @Nullable FragmentFailure failure) {
        if (asked.equals(unread)) {
            unread = null;
            asked.read(results, failure);
        }
    }

    private void fail(SnapshotReadRequest asked, ErrorCode code, String message) {
        fail(asked, new FragmentFailure(0, code, message));
    }

    /**
     * Reports the failure before it reports that the timestamp is passed: a reader that sees all passed then sees the
     * failures too.
     */
    private void fail(SnapshotReadRequest asked, FragmentFailure failure) {
        answered(asked, List.of(), failure);
        passed(asked, asked.timestamp());
    }

    private SnapshotReadRequest question() {
        SnapshotReadRequest asked = question;
        if (asked == null) {
            throw Invariants.breach("a reader that is at a partition asked something");
        }
        return asked;
    }

    @Override
    public void admitted(Partition partition, long timestamp) {
        SnapshotReadRequest asked = question();
        Invariants.check(versions == null, "a reader registers at a partition once");
        try {
            versions = runtime.storage().openReader(timestamp, partition.clock().monotonicNanos());
        } catch (FulmarException refused) {
            refused(asked, refused);
            return;
        }
        partition.counters().snapshots.increment();
        active(partition, 1);
        passed(asked, timestamp);
        if (timestamp == asked.timestamp()) {
            read(partition);
        }
    }

    private void refused(SnapshotReadRequest asked, FulmarException cause) {
        SnapshotSource copy = source;
        if (copy == null) {
            FragmentFailure failure = new FragmentFailure(0, cause.code(), String.valueOf(cause.getMessage()));
            refusal = failure;
            fail(asked, failure);
        } else {
            passOn(copy, asked);
        }
    }

    @Override
    public void turnedAway(Partition partition) {
        fail(question(), ErrorCode.NODE_STOPPING, stops());
    }

    private String stops() {
        return "partition " + runtime.partition().id() + " stops; try again on the restarted node";
    }

    /** Answers for a partition that has ended, and so will never answer the question. */
    void turnAway(SnapshotReadRequest asked) {
        asked.read(List.of(), new FragmentFailure(0, ErrorCode.NODE_STOPPING, stops()));
        asked.passed(asked.timestamp(), true);
    }

    @Override
    public void sentAway(Partition partition) {
        sentAway = true;
        endReading(partition);
        fail(question(), ErrorCode.NOT_CONNECTED, elsewhere());
    }

    private String elsewhere() {
        return "partition " + runtime.partition().id() + " is led by another node now; send the request again";
    }

    /** Whether nothing that the reader had to wait for has left the partition since it came. */
    boolean hasHeldBack() {
        return !sentAway;
    }

    /** The next primary too commits above the timestamp that the partition has passed for the reader. */
    void promise(Partition partition) {
        SnapshotReadRequest passed = question;
        if (passed != null && !sentAway && !gone) {
            partition.readers().promise(passed.timestamp());
        }
    }

    void read(Partition partition, SnapshotReadRequest next) {
        if (gone) {
            return;
        }
        asked(next);
        if (sentAway) {
            fail(next, ErrorCode.NOT_CONNECTED, elsewhere());
            return;
        }
        FragmentFailure refused = refusal;
        if (refused != null) { // every question is answered, also one of a procedure that lived with the failure
            fail(next, refused);
            return;
        }
        SnapshotSource copy = source;
        if (copy == null) {
            partition.timestamps().observe(next.timestamp());
        } else if (isPassedOn) {
            passOn(copy, next);
            return;
        }
        passed(next, next.timestamp());
        read(partition);
    }

    private void read(Partition partition) {
        SnapshotReadRequest asked = question();
        if (asked.work().isEmpty()) {
            SnapshotReading ended = readings.remove(asked.reading());
            if (ended != null) {
                ended.cancel();
            }
            answered(asked, List.of(), null);
            return;
        }
        SnapshotSource copy = source;
        if (copy != null) {
            copy.await(asked.timestamp(), isThere -> {
                if (!gone && asked.equals(question)) {
                    beginAtCopy(partition, copy, asked, isThere);
                }
            });
            return;
        }
        partition.readers().whenDecided(this, asked.timestamp(), () -> {
            if (!gone && !sentAway && asked.equals(question)) {
                begin(partition, asked);
            }
        });
    }

    private void beginAtCopy(Partition partition, SnapshotSource copy, SnapshotReadRequest asked, boolean isThere) {
        Program program = ((StatementFragment) asked.work().getFirst()).program();
        if (isThere && runtime.readsCopyWith(program)) {
            begin(partition, asked);
        } else {
            passOn(copy, asked);
        }
    }

    private void begin(Partition partition, SnapshotReadRequest asked) {
        SnapshotReading earlier = readings.get(asked.reading());
        SnapshotReading.Result answer = (results, failure) -> answer(partition, asked, results, failure);
        PartSize part = asked.part();
        if (earlier != null && part != null && earlier.isInParts()) {
            earlier.goOn(part, answer);
            return;
        }
        if (earlier != null) {
            earlier.cancel();
        }
        VersionReader known = versions;
        if (known == null) {
            throw Invariants.breach("a reader that reads is registered");
        }
        if (asked.timestamp() < known.timestamp()) {
            // The question came to another time of the partition than the one that the reader registered at; a copy
            // must not break of it.
            answered(
                    asked,
                    List.of(),
                    new FragmentFailure(
                            0,
                            ErrorCode.SNAPSHOT_TOO_OLD,
                            "the snapshot is older than the one that was registered for it; send the request again"));
            return;
        }
        known.readAt(asked.timestamp());
        SnapshotQueries queries = source == null ? runtime.snapshotQueries() : runtime.copyQueries();
        SliceLimits slices = runtime.limits().slices();
        SnapshotReading begun =
                new SnapshotReading(partition, runtime, known, asked.work(), queries, slices, part, answer);
        readings.put(asked.reading(), begun);
        begun.begin();
    }

    private void answer(
            Partition partition,
            SnapshotReadRequest asked,
            List<FragmentResult> results,
            @Nullable FragmentFailure failure) {
        SnapshotSource copy = source;
        if (copy != null) {
            answerAtCopy(copy, asked, results, failure);
            return;
        }
        partition.readers().answer(this, asked.timestamp(), new GatedReply() {
            @Override
            public void leave(ReplyBatch replies) {
                answered(asked, results, failure);
            }

            @Override
            public void lost(FulmarException cause, ReplyBatch replies) {
                boolean isElsewhere = cause.code() == ErrorCode.OUTCOME_UNKNOWN; // there is none of reading
                fail(
                        asked,
                        isElsewhere ? ErrorCode.NOT_CONNECTED : cause.code(),
                        isElsewhere ? elsewhere() : String.valueOf(cause.getMessage()));
            }
        });
    }

    /** Answers without a confirmation: all copies in sync have the rows that were read. */
    private void answerAtCopy(
            SnapshotSource copy,
            SnapshotReadRequest asked,
            List<FragmentResult> results,
            @Nullable FragmentFailure failure) {
        boolean isPrimaryToBeAsked = failure != null
                && (failure.code() == ErrorCode.SNAPSHOT_TOO_OLD || failure.code() == ErrorCode.INTERNAL);
        if (isPrimaryToBeAsked) { // the copy went on to something else meanwhile
            passOn(copy, asked);
        } else {
            copy.served();
            answered(asked, results, failure);
        }
    }

    void leave(Partition partition) {
        gone = true;
        partition.readers().leave(this);
        endReading(partition);
    }

    private void endReading(Partition partition) {
        readings.values().forEach(SnapshotReading::cancel);
        readings.clear();
        VersionReader known = versions;
        if (known != null) {
            versions = null;
            known.close();
            active(partition, -1);
            if (runtime.storage().moves().hasUnread()) {
                runtime.freeSlowly();
            }
        }
    }

    private void active(Partition partition, int change) {
        partition.counters().holdVersions(runtime.storage().undoLog().heldBytes());
        partition.counters().snapshotsActive.add(change);
        VersionReader oldest = runtime.storage().horizon().oldest();
        if (oldest != null) {
            partition.counters().snapshotsOldestNanos.set(oldest.sinceNanos());
        }
    }
}
