package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.commit.Ballot;
import dev.fulmar.coordinator.fiber.Fiber;
import dev.fulmar.coordinator.fiber.FiberFactory;
import dev.fulmar.coordinator.lock.LockSet;
import dev.fulmar.coordinator.request.SerialEvents;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.TransactionEvent.Cancelled;
import dev.fulmar.coordinator.transaction.TransactionEvent.Committable;
import dev.fulmar.coordinator.transaction.TransactionEvent.ControlEnded;
import dev.fulmar.coordinator.transaction.TransactionEvent.Heard;
import dev.fulmar.coordinator.transaction.TransactionEvent.UndoWanted;
import dev.fulmar.coordinator.transaction.TransactionEvent.WorkWanted;
import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.engine.partition.CoordinatorMessage.Decided;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.partition.CoordinatorMessage.InDoubt;
import dev.fulmar.engine.partition.CoordinatorMessage.Lost;
import dev.fulmar.engine.partition.CoordinatorMessage.Refused;
import dev.fulmar.engine.partition.CoordinatorMessage.Vote;
import dev.fulmar.engine.partition.CoordinatorMessage.VoteRecalled;
import dev.fulmar.engine.partition.CoordinatorMessage.Wounded;
import dev.fulmar.engine.partition.CoordinatorPort;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.engine.partition.PartitionMessage.BaseDecision;
import dev.fulmar.engine.partition.PartitionMessage.Decision;
import dev.fulmar.engine.partition.PartitionMessage.FragmentBatch;
import dev.fulmar.engine.partition.PartitionMessage.Prepare;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.engine.partition.PartitionMessage.UndoStatements;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One multi-partition transaction: its attempts, its locks, its commit. A wounded attempt is undone everywhere at once
 * and its control code is made to end. The next attempt begins under the same id, so that it is older than more and
 * more of its rivals.
 */
public final class DistributedTransaction implements CoordinatorPort, FragmentDispatch, LiveTransactions.Live {
    /** Takes the outcome, once, on whichever thread decides. */
    @FunctionalInterface
    public interface Completion {
        /** @param restarts attempts that were undone for an older transaction */
        void completed(TransactionResponse response, int restarts);
    }

    private final TransactionId id;
    private final PartitionTransport transport;
    private final ControlCode control;
    private final Completion completion;
    private final @Nullable CommitBase base;
    private final Fiber fiber;

    private final SerialEvents<TransactionEvent> events = new SerialEvents<>(this::handle);

    // Written while handling events; the fiber reads both, and clears the answer.
    private volatile @Nullable AttemptAnswer answer;
    private volatile int attempt;

    // Touched while handling events only.
    private final LockSet locks = new LockSet();
    private final TreeSet<PartitionId> neededBefore = new TreeSet<>();
    private AttemptPhase phase = AttemptPhase.EXECUTING;
    private @Nullable Failed failure;
    private @Nullable PendingBatch batch;
    private @Nullable Ballot ballot;
    private @Nullable TransactionResponse promised;
    private boolean changed;
    private PrepareMode mode = PrepareMode.SPECULATE;

    /** Partition that logs the decision for all, or null if no participant has anything to log. */
    private @Nullable PartitionId witness;

    /** Participants that have written something down. */
    private final TreeSet<PartitionId> recorders = new TreeSet<>();

    private long commitTimestamp;
    private long read; // nothing that was read is above it
    private boolean held; // of what was read nobody may hear yet, where a strict reader has not come by

    // Touched by the fiber only.
    private int nextStatement;

    /**
     * @param base where the decision is written, or null if whichever participant votes last writes it, since one log
     *     has them all
     */
    DistributedTransaction(
            TransactionId id,
            PartitionTransport transport,
            FiberFactory fibers,
            ControlCode control,
            Completion completion,
            @Nullable CommitBase base) {
        this.base = base;
        this.attempt = firstAttempt(base);
        this.id = id;
        this.transport = transport;
        this.control = control;
        this.completion = completion;
        this.fiber = fibers.create("transaction", this::runAttempts);
    }

    private static int firstAttempt(@Nullable CommitBase base) {
        return base == null ? 0 : base.firstAttempt();
    }

    @Override
    public TransactionId id() {
        return id;
    }

    @Override
    public boolean isPast(int asked) {
        return asked < attempt;
    }

    /** Begins. Called once. */
    public void start() {
        fiber.start();
    }

    @Override
    public void cancel(ErrorCode code, String message) {
        events.post(new Cancelled(code, message));
    }

    @Override
    public void deliver(CoordinatorMessage message) {
        events.post(new Heard(message));
    }

    // The fiber's side.

    private void runAttempts() {
        AttemptAnswer next;
        do {
            nextStatement = 0;
            TransactionResponse response = runAttempt();
            events.post(new ControlEnded(response));
            next = await();
        } while (next instanceof AttemptAnswer.Again);
        control.ended();
    }

    private TransactionResponse runAttempt() {
        try {
            return control.run(this);
        } catch (FulmarException failed) {
            return new Failed(failed.code(), String.valueOf(failed.getMessage()));
        } catch (Throwable thrown) { // an ended attempt, or a defect: the transaction decides what becomes of it
            FatalErrors.handIfClassIsGone(thrown);
            return new Failed(ErrorCode.INTERNAL, "the transaction broke off: " + thrown);
        }
    }

    @Override
    public Outcome run(SortedMap<PartitionId, List<FragmentWork>> work) {
        if (work.isEmpty()) {
            return new Outcome(new TreeMap<>(), null);
        }
        events.post(new WorkWanted(work));
        return switch (await()) {
            case AttemptAnswer.Done(Outcome outcome) -> outcome;
            case AttemptAnswer.Over(AttemptEnded signal) -> throw signal;
            case AttemptAnswer.Again(), AttemptAnswer.End() ->
                throw Invariants.breach("a batch is answered with its outcome");
        };
    }

    @Override
    public void undoFrom(int firstStatement) {
        events.post(new UndoWanted(firstStatement));
    }

    @Override
    public int nextStatement() {
        return nextStatement++;
    }

    private AttemptAnswer await() {
        AttemptAnswer given = answer;
        while (given == null) {
            fiber.park();
            given = answer;
        }
        answer = null;
        return given;
    }

    // The events' side.

    private void handle(TransactionEvent event) {
        switch (event) {
            case WorkWanted wanted -> sendWork(wanted.work());
            case UndoWanted wanted -> undoStatements(wanted.firstStatement());
            case ControlEnded ended -> controlEnded(ended.response());
            case Heard heard -> heard(heard.message());
            case Cancelled cancelled -> cancelled(cancelled);
            case Committable(long timestamp, var refusal) -> committable(timestamp, refusal);
        }
    }

    private void reply(AttemptAnswer given) {
        answer = given;
        fiber.unpark();
    }

    private void sendWork(SortedMap<PartitionId, List<FragmentWork>> work) {
        if (phase == AttemptPhase.UNWINDING) {
            reply(over());
            return;
        }
        SortedMap<PartitionId, List<FragmentWork>> batchWork = withEarlierPartitions(work);
        batch = new PendingBatch(batchWork);
        batchWork.forEach((partition, fragments) -> {
            locks.asked(partition);
            transport.send(partition, new FragmentBatch(id, attempt, this, fragments));
        });
    }

    /** A new attempt locks at once what the earlier ones needed, rather than being wounded again half-way. */
    private SortedMap<PartitionId, List<FragmentWork>> withEarlierPartitions(
            SortedMap<PartitionId, List<FragmentWork>> work) {
        if (neededBefore.isEmpty()) {
            return work;
        }
        TreeMap<PartitionId, List<FragmentWork>> all = new TreeMap<>(work);
        for (PartitionId partition : neededBefore) {
            all.putIfAbsent(partition, List.of());
        }
        neededBefore.clear();
        return all;
    }

    private void undoStatements(int firstStatement) {
        if (phase == AttemptPhase.EXECUTING) {
            tellAll(new UndoStatements(id, attempt, firstStatement));
        }
    }

    private void controlEnded(TransactionResponse response) {
        if (phase == AttemptPhase.UNWINDING) {
            nextAttemptOrFail();
        } else if (locks.participants().isEmpty()) {
            end(response);
        } else {
            prepare(response);
        }
    }

    private void prepare(TransactionResponse response) {
        Invariants.check(locks.isComplete(), "all locks are held before PREPARE goes out");
        phase = AttemptPhase.PREPARING;
        promised = response;
        ballot = new Ballot(locks.participants());
        witness = null;
        recorders.clear();
        mode = prepareMode(response);
        if (control.undoes(response) && mode == PrepareMode.SPECULATE) {
            tellAll(new UndoStatements(id, attempt, 0));
        }
        tellAll(new Prepare(
                id,
                attempt,
                this,
                mode,
                mode == PrepareMode.COMMIT ? control.outcome(response) : null,
                base == null ? null : base.partition(),
                read));
    }

    private PrepareMode prepareMode(TransactionResponse response) {
        boolean isOne = locks.participants().size() == 1;
        boolean isAlone = isOne && isWitness(locks.participants().first()) && (base == null || base.isLed());
        boolean isUndone = control.undoes(response);
        return new PrepareChoice(isUndone, control.prepareMode(), isAlone, changed, held && !isOne).mode();
    }

    /** Whether the transaction is known to be committed if the partition says so. */
    private boolean isWitness(PartitionId partition) {
        return base == null || base.partition().equals(partition);
    }

    private void heard(CoordinatorMessage message) {
        if (message.attempt() != attempt) {
            return;
        }
        if (phase == AttemptPhase.ENDED) {
            if (base != null && message instanceof Decided decided) {
                base.keeper().acknowledged(new DecidedAttempt(id, attempt), decided.partition());
            }
            return;
        }
        switch (message) {
            case FragmentReply reply -> fragmentsDone(reply);
            case Vote vote -> voted(vote);
            case Wounded(PartitionId voter, int _) -> wounded(voter);
            case VoteRecalled recalled -> giveVoteBack(recalled.partition());
            case Decided decided -> {
                if (phase == AttemptPhase.DECIDED && isWitness(decided.partition())) {
                    tellOthers();
                    end(promised());
                }
            }
            case Lost lost -> lost(lost);
            case Refused(var voter, int ended, var code, var why) -> lost(new Lost(voter, ended, code, why));
            case InDoubt doubt -> {} // asked by whoever stands for another node's coordinator
        }
    }

    private void fragmentsDone(FragmentReply reply) {
        PendingBatch pending = batch;
        if (phase != AttemptPhase.EXECUTING || pending == null) {
            return;
        }
        locks.granted(reply.partition());
        changed |= reply.changed();
        read = Math.max(read, reply.clock());
        held |= reply.held();
        if (!pending.done(reply)) {
            return;
        }
        FragmentFailure first = pending.failure();
        if (first != null && endsAttempt(first.code())) {
            boolean again = first.code() == ErrorCode.TRANSACTION_RESTART;
            endAttempt(again ? null : new Failed(first.code(), first.message()));
            return;
        }
        batch = null;
        if (first != null) {
            pending.partitionsBeyond(first.statement())
                    .forEach(
                            partition -> transport.send(partition, new UndoStatements(id, attempt, first.statement())));
        }
        reply(new AttemptAnswer.Done(new Outcome(pending.results(), first)));
    }

    /** Failures that no control code can handle. */
    static boolean endsAttempt(ErrorCode code) {
        return code.category() == ErrorCode.Category.INTERNAL
                || code == ErrorCode.NODE_STOPPING
                || code == ErrorCode.NOT_CONNECTED
                || code == ErrorCode.TRANSACTION_RESTART;
    }

    private void voted(Vote vote) {
        Ballot open = ballot;
        if (phase != AttemptPhase.PREPARING || open == null) {
            return;
        }
        if (vote.recorded()) {
            if (base != null) {
                recorders.add(vote.partition());
            }
            witness = vote.partition(); // the last one to vote hears first, often in the same turn of its site
        }
        switch (open.vote(vote.partition(), vote.commit(), vote.timestamp())) {
            case OPEN -> {}
            case CARRIED -> {
                if (mode == PrepareMode.UNDO) {
                    end(promised());
                } else {
                    commit(open.commitTimestamp());
                }
            }
            case REJECTED -> endAttempt(null);
        }
    }

    /** A vote that cannot be given back any more is followed by the decision. */
    private void giveVoteBack(PartitionId voter) {
        Ballot open = ballot;
        if (phase == AttemptPhase.PREPARING && open != null && open.giveBack(voter)) {
            transport.send(voter, new VoteGivenBack(id, attempt));
        }
    }

    private void commit(long timestamp) {
        ballot = null;
        try {
            control.committing(
                    timestamp,
                    at -> events.post(new Committable(Math.max(timestamp, at), null)),
                    refusal -> events.post(new Committable(timestamp, refusal)));
        } catch (FulmarException refusal) {
            committable(timestamp, refusal);
        }
    }

    private void committable(long timestamp, @Nullable FulmarException refusal) {
        if (phase == AttemptPhase.PREPARING && ballot == null) {
            if (refusal == null) {
                decide(timestamp);
            } else {
                endAttempt(new Failed(refusal.code(), String.valueOf(refusal.getMessage())));
            }
        }
    }

    /** Decides to commit: nothing can hinder it any more. The client hears once one partition has it durable. */
    private void decide(long timestamp) {
        TransactionResponse response = promised();
        if (mode == PrepareMode.COMMIT || mode == PrepareMode.RELEASE) { // it was over with the votes
            end(response);
            return;
        }
        if (base != null && !recorders.isEmpty()) {
            decideAtBase(base, timestamp, response);
            return;
        }
        PartitionId writer = witness;
        for (PartitionId partition : locks.participants()) {
            boolean writes = partition.equals(writer);
            transport.send(
                    partition,
                    new Decision(
                            id,
                            attempt,
                            true,
                            timestamp,
                            writes ? this : null,
                            writes ? control.outcome(response) : null));
        }
        if (writer == null) {
            end(response);
        } else {
            phase = AttemptPhase.DECIDED;
        }
    }

    private void decideAtBase(CommitBase known, long timestamp, TransactionResponse response) {
        PartitionId partition = known.partition();
        commitTimestamp = timestamp;
        phase = AttemptPhase.DECIDED;
        recorders.remove(partition); // as a participant it commits with the same record
        transport.send(
                partition,
                new BaseDecision(
                        id,
                        attempt,
                        this,
                        known.epoch(),
                        timestamp,
                        control.outcome(response),
                        List.copyOf(recorders)));
    }

    /** The base partition has the decision, so the others may have it. */
    private void tellOthers() {
        if (base == null) {
            return;
        }
        base.keeper().keep(id, attempt, commitTimestamp, base.partition(), List.copyOf(recorders));
        for (PartitionId partition : locks.participants()) {
            if (!partition.equals(base.partition())) {
                CoordinatorPort teller = recorders.contains(partition) ? this : null;
                transport.send(partition, new Decision(id, attempt, true, commitTimestamp, teller, null));
            }
        }
    }

    /** Handles the loss of a participant; an undecided transaction cannot go on without one of its partitions. */
    private void lost(Lost lost) {
        Failed failed = new Failed(lost.code(), lost.message());
        boolean isUnknown = lost.code() == ErrorCode.OUTCOME_UNKNOWN;
        switch (phase) {
            case EXECUTING -> endAttempt(failed);
            case PREPARING -> {
                if (isUnknown) { // the only participant has committed, and nobody knows whether for good
                    end(failed);
                } else {
                    endAttempt(failed);
                }
            }
            case UNWINDING -> failure = failed;
            case DECIDED -> {
                if (base != null && base.partition().equals(lost.partition())) {
                    // What is written may be in force: the participants ask. What is not written never will be.
                    tellAll(isUnknown ? new PartitionMessage.Abandon(id, attempt) : Decision.abort(id, attempt));
                    end(failed);
                }
            }
            case ENDED -> {}
        }
    }

    private TransactionResponse promised() {
        TransactionResponse response = promised;
        if (response == null) {
            throw Invariants.breach("a transaction that was prepared has an answer");
        }
        return response;
    }

    /**
     * Handles a wound, or the stop of a participant that has voted. No participant undoes a decided change: one that
     * has stopped learns the decision when it starts again.
     */
    private void wounded(PartitionId partition) {
        if (phase == AttemptPhase.EXECUTING || phase == AttemptPhase.PREPARING) {
            endAttempt(null);
        } else if (phase == AttemptPhase.DECIDED && base == null && partition.equals(witness)) {
            end(new Failed(ErrorCode.OUTCOME_UNKNOWN, partition + " stopped before it had the decision"));
        }
    }

    private void cancelled(Cancelled cancelled) {
        Failed reason = new Failed(cancelled.code(), cancelled.message());
        switch (phase) {
            case EXECUTING -> endAttempt(reason);
            case UNWINDING -> failure = reason;
            case PREPARING -> {
                failure = reason; // if this attempt comes to nothing; nobody would end another one
                // A vote stays away while its partition's copies do not hear each other, and the others are locked.
                boolean isLate = cancelled.code() == ErrorCode.TIMEOUT && base != null && mode == PrepareMode.SPECULATE;
                if (ballot != null && (isLate || mode == PrepareMode.WAIT)) {
                    endAttempt(reason);
                }
            }
            case DECIDED, ENDED -> {}
        }
    }

    /** Undoes the attempt everywhere; another one follows unless the transaction fails for good. */
    private void endAttempt(@Nullable Failed finalFailure) {
        tellAll(Decision.abort(id, attempt));
        failure = finalFailure == null ? failure : finalFailure;
        if (phase == AttemptPhase.PREPARING) {
            nextAttemptOrFail();
            return;
        }
        phase = AttemptPhase.UNWINDING;
        AttemptAnswer.Over over = over();
        control.interrupt(over.signal());
        if (batch != null) { // the control code waits
            batch = null;
            reply(over);
        }
    }

    private AttemptAnswer.Over over() {
        return new AttemptAnswer.Over(new AttemptEnded("attempt " + attempt + " of the transaction is undone"));
    }

    private void nextAttemptOrFail() {
        if (failure != null) {
            end(failure);
            return;
        }
        int next = attempt + 1;
        attempt = next;
        neededBefore.addAll(locks.participants());
        locks.clear();
        ballot = null;
        promised = null;
        changed = false;
        phase = AttemptPhase.EXECUTING;
        reply(new AttemptAnswer.Again());
    }

    private void tellAll(PartitionMessage message) {
        for (PartitionId partition : locks.participants()) {
            transport.send(partition, message);
        }
    }

    private void end(TransactionResponse response) {
        phase = AttemptPhase.ENDED;
        completion.completed(response, attempt - firstAttempt(base));
        reply(new AttemptAnswer.End());
    }
}
