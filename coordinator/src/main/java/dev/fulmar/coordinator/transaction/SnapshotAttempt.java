package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a snapshot transaction to read at one timestamp. It proposes a timestamp to all its partitions at
 * once. A partition that has not passed it adopts it and reads right away, so one round is enough if none has.
 * Otherwise the timestamp is the highest that any of them has passed, and the others pass it too. A strict attempt
 * releases the replies to later commits when all its partitions have passed the timestamp. Where it sees what another
 * strict reader holds back, all partitions of the cluster must have passed. For the transaction's fiber.
 */
final class SnapshotAttempt implements FragmentDispatch {
    private static final PartSize NOTHING = new PartSize(1, 1);

    private final SnapshotTransaction transaction;
    private final PartitionRuntimes runtimes;
    private final PartitionTransport transport;
    private final boolean strict;
    private final boolean single;
    private final int number;

    /** Partitions that have to confirm what they held back. */
    private final TreeSet<PartitionId> confirming = new TreeSet<>();

    /** Partitions that are not read, and had to pass the timestamp. */
    private final TreeSet<PartitionId> passed = new TreeSet<>();

    private @Nullable SnapshotConfirmation confirmation;
    private final TreeMap<PartitionId, PartitionSnapshotRead> visits = new TreeMap<>();
    private long timestamp;
    private int nextStatement;
    private boolean over;
    private boolean restart;

    /** It reads part by part, for as long as its client likes. */
    private boolean lasts;

    /**
     * @param number counts the transaction's restarts
     * @param single whether the first batch is the only one, so that no partition needs to be visited that it does not
     *     touch
     */
    SnapshotAttempt(
            SnapshotTransaction transaction,
            PartitionRuntimes runtimes,
            PartitionTransport transport,
            boolean strict,
            boolean single,
            int number) {
        this.number = number;
        this.transaction = transaction;
        this.runtimes = runtimes;
        this.transport = transport;
        this.strict = strict;
        this.single = single;
    }

    /** The timestamp of the rows that were read; 0 if none were. */
    long timestamp() {
        return timestamp;
    }

    /** Whether the catalog changed meanwhile, so that the results are worthless. */
    boolean mustRestart() {
        return restart;
    }

    @Override
    public Outcome run(SortedMap<PartitionId, List<FragmentWork>> work) {
        if (over) {
            throw ended();
        }
        if (work.isEmpty()) {
            return new Outcome(new TreeMap<>(), null);
        }
        Invariants.check(!single || timestamp == 0, "a reader of one batch reads once, at one timestamp");
        SnapshotBatch round = visits.isEmpty() ? begin(work) : read(work, timestamp);
        await(round::isRead);
        Outcome outcome = round.outcome();
        heed(outcome.failure());
        if (single) {
            confirm();
            close();
        }
        return outcome;
    }

    /** Registers at all partitions, for queries that are not known yet. */
    void registerEverywhere() {
        register(List.copyOf(withAllPartitions(new TreeMap<>()).keySet()));
    }

    /** Registers at the partitions, which keep their versions until {@link #leave}, and chooses the timestamp. */
    void register(List<PartitionId> partitions) {
        Invariants.check(visits.isEmpty(), "a reader in parts registers once");
        lasts = true;
        TreeMap<PartitionId, List<FragmentWork>> nothing = new TreeMap<>();
        partitions.forEach(partition -> nothing.put(partition, List.of()));
        SnapshotBatch round = begin(nothing);
        await(round::isRead);
        check(round.outcome().failure());
        confirm();
    }

    /**
     * The next rows of the work at a partition where the attempt is registered; the work is the same in each call.
     *
     * @param reading number of the reading
     * @return null if none are left; else a block that is full, or the last one
     */
    @Nullable FragmentResult part(PartitionId partition, FragmentWork work, PartSize size, int reading) {
        Outcome outcome = ask(partition, List.of(work), size, reading);
        List<FragmentResult> results = outcome.results().get(partition);
        return results == null || results.isEmpty() ? null : results.getFirst();
    }

    /** Ends a reading in parts at a partition, where the attempt stays registered. */
    void endReading(PartitionId partition, int reading) {
        ask(partition, List.of(), NOTHING, reading);
    }

    private Outcome ask(PartitionId partition, List<FragmentWork> work, PartSize size, int reading) {
        TreeMap<PartitionId, List<FragmentWork>> only = new TreeMap<>();
        only.put(partition, work);
        SnapshotBatch round = read(only, timestamp, size, reading);
        await(round::isRead);
        Outcome outcome = round.outcome();
        check(outcome.failure());
        return outcome;
    }

    /** Leaves a partition that has yielded all its rows. */
    void leave(PartitionId partition) {
        leave(partition, visits.remove(partition));
    }

    private void check(@Nullable FragmentFailure failure) {
        heed(failure);
        if (failure != null) {
            throw new FulmarException(failure.code(), failure.message());
        }
    }

    /** Ends the attempt if no control code can handle the failure. */
    private void heed(@Nullable FragmentFailure failure) {
        if (failure == null || !DistributedTransaction.endsAttempt(failure.code())) {
            return;
        }
        over = true;
        restart = failure.code() == ErrorCode.TRANSACTION_RESTART;
        if (!restart) {
            transaction.cancel(failure.code(), failure.message());
        }
        throw ended();
    }

    private SnapshotBatch begin(SortedMap<PartitionId, List<FragmentWork>> work) {
        SortedMap<PartitionId, List<FragmentWork>> everywhere = single || lasts ? work : withAllPartitions(work);
        SnapshotBatch first = new SnapshotBatch(everywhere, transaction.proposal(), transaction::wake);
        arrive(first, partition -> new PartitionSnapshotRead(runtimes.of(partition), transaction.id(), number, strict));
        await(first::isPassed);
        heed(first.failure()); // who failed has passed nothing, and the others' highest is not the highest of all
        timestamp = first.highestPassed();
        SnapshotBatch round = first;
        if (timestamp != first.timestamp()) {
            round = read(everywhere, timestamp);
            await(round::isPassed);
        }
        if (strict && !round.isClear() && (lasts || !round.isRead())) {
            passElsewhere();
        }
        boolean leavesAtOnce = single && round.isRead() && confirming.isEmpty();
        if (strict && !leavesAtOnce) { // else the word that the reader leaves tells the same
            release();
            leavePassed();
        }
        return round;
    }

    private void arrive(SnapshotBatch round, Function<PartitionId, PartitionSnapshotRead> visitOf) {
        for (int place = 0; place < round.size(); place++) {
            PartitionId partition = round.partition(place);
            PartitionSnapshotRead visit = visitOf.apply(partition);
            PartitionSnapshotRead earlier = visits.put(partition, visit);
            Invariants.check(earlier == null, "a reader leaves a partition before it comes there again");
            if (transport.mustConfirm(partition)) {
                confirming.add(partition);
            }
            transport.send(partition, new SnapshotReadTask.Arrive(visit, round.question(place)));
        }
    }

    /**
     * Makes every other partition pass the timestamp, because this reader sees a commit that another strict reader
     * holds back. Replies behind this reader tell of that commit too. A client that gets one must find no partition
     * whose clock is behind, or the other reader could see what the client does there. Once every partition has passed
     * the timestamp it cannot. It waits for no other reader.
     */
    private void passElsewhere() {
        SortedMap<PartitionId, List<FragmentWork>> others = withAllPartitions(new TreeMap<>());
        others.keySet().removeAll(visits.keySet());
        if (!others.isEmpty()) {
            SnapshotBatch round = new SnapshotBatch(others, timestamp, transaction::wake);
            arrive(round, partition -> PartitionSnapshotRead.passing(runtimes.of(partition), transaction.id(), number));
            passed.addAll(others.keySet());
            await(round::isPassed);
            heed(round.failure());
        }
    }

    /** The reading may take long, and needs nothing of the partitions that it only had pass the timestamp. */
    private void leavePassed() {
        if (!passed.isEmpty()) {
            confirm();
            passed.forEach(partition -> leave(partition, visits.remove(partition)));
            passed.clear();
        }
    }

    private void leave(PartitionId partition, @Nullable PartitionSnapshotRead visit) {
        if (visit != null) {
            transport.send(partition, new SnapshotReadTask.Leave(visit));
        }
    }

    private void release() {
        SnapshotConfirmation wanted = new SnapshotConfirmation(confirming.size(), transaction::wake);
        confirmation = wanted;
        visits.forEach((partition, visit) -> transport.send(partition, new SnapshotReadTask.Release(visit, wanted)));
    }

    /**
     * Waits for the partitions that are on other nodes, or may be, to confirm that they held back replies until all had
     * passed the timestamp. Before that the client must not see the result.
     */
    void confirm() {
        SnapshotConfirmation wanted = confirmation;
        if (wanted == null || over) {
            return;
        }
        await(wanted::isComplete);
        if (wanted.isBroken()) {
            over = true;
            transaction.cancel(
                    ErrorCode.NOT_CONNECTED, "a node was lost while it was read from; send the request again");
            throw ended();
        }
    }

    private SortedMap<PartitionId, List<FragmentWork>> withAllPartitions(
            SortedMap<PartitionId, List<FragmentWork>> work) {
        TreeMap<PartitionId, List<FragmentWork>> all = new TreeMap<>(work);
        for (int number = 0; number < runtimes.count(); number++) {
            all.putIfAbsent(new PartitionId(number), List.of());
        }
        return all;
    }

    private SnapshotBatch read(SortedMap<PartitionId, List<FragmentWork>> work, long at) {
        return read(work, at, null, 0);
    }

    private SnapshotBatch read(
            SortedMap<PartitionId, List<FragmentWork>> work, long at, @Nullable PartSize part, int reading) {
        SnapshotBatch round = new SnapshotBatch(work, at, part, reading, transaction::wake);
        for (int place = 0; place < round.size(); place++) {
            PartitionId partition = round.partition(place);
            PartitionSnapshotRead visit = visits.get(partition);
            if (visit == null) {
                throw Invariants.breach("a snapshot is read where the reader has registered");
            }
            transport.send(partition, new SnapshotReadTask.Read(visit, round.question(place)));
        }
        return round;
    }

    /** Waits until the condition holds; ends the attempt if the transaction has been cancelled. */
    void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (transaction.isCancelled()) {
                over = true;
                throw ended();
            }
            transaction.park();
        }
    }

    private static AttemptEnded ended() {
        return new AttemptEnded("the reading of the snapshot is over");
    }

    /** Nothing was changed. */
    @Override
    public void undoFrom(int firstStatement) {}

    @Override
    public int nextStatement() {
        return nextStatement++;
    }

    /** Leaves the partitions; the last call. */
    void close() {
        visits.forEach(this::leave);
        visits.clear();
    }
}
