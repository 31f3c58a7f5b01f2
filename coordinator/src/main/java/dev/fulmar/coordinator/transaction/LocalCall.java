package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.routing.RoutedKey;
import dev.fulmar.coordinator.transaction.HandledRequest.Done;
import dev.fulmar.coordinator.transaction.HandledRequest.Retry;
import dev.fulmar.coordinator.transaction.HandledRequest.Underway;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.RepeatableCall;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.engine.partition.UndoPort;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.AbsentDataSignal;
import dev.fulmar.engine.procedure.MovedDataSignal;
import dev.fulmar.engine.procedure.PartitionMismatchSignal;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.DataNeed;
import dev.fulmar.engine.spi.Presence;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/** A request that runs on one partition from begin to end. */
public final class LocalCall extends SinglePartitionWork implements RepeatableCall {
    /** The next step of the request. */
    private enum Next {
        REPLY,
        /** No reply: the request is answered together with the one that it repeats. */
        NOTHING,
        REROUTE,
        /** Its rows have left by a plan that is about to be known here. */
        REROUTE_LATER,
        DISTRIBUTE
    }

    private final IncomingRequest incoming;
    private final TransactionRequest request;
    private final CallTarget target;
    private final Program program;
    private final PartitionRuntime runtime;
    private final CallContinuation continuation;

    private Next next = Next.REPLY;
    private TransactionResponse response = Answers.STOPPING;
    private long startNanos;

    /** The entry that this execution put into the history, or null. */
    private @Nullable HandledRequest remembered;

    /** Whether it has waited for data that was not here. */
    private boolean awaitedData;

    /** Whether a guard let it begin, which would not if its key were being handed over. */
    private boolean isGuarded;

    /** The request under way that this retry waits for, or null. */
    private @Nullable Underway awaited;

    /**
     * Whether what it waited for came although its own execution, which began to wait, was undone later: then it has
     * had its answer.
     */
    private boolean isAnswered;

    public LocalCall(
            IncomingRequest incoming,
            CallTarget target,
            Program program,
            PartitionRuntime runtime,
            CallContinuation continuation) {
        this.incoming = incoming;
        this.request = incoming.request();
        this.target = target;
        this.program = program;
        this.runtime = runtime;
        this.continuation = continuation;
    }

    @Override
    protected boolean mayTakeLong() {
        return !target.pace().isQuick();
    }

    @Override
    protected Verdict execute(Partition partition) {
        if (isAnswered) {
            next = Next.NOTHING;
            return Verdict.DUPLICATE;
        }
        next = Next.REPLY;
        if (runtime.program() != program) {
            next = Next.REROUTE;
            return Verdict.DUPLICATE;
        }
        long nowNanos = partition.clock().monotonicNanos();
        startNanos = nowNanos;
        long waitedNanos = nowNanos - incoming.nanos();
        if (waitedNanos > runtime.limits().timeoutNanos(request.timeoutNanos())) {
            response = awaitedData ? Answers.withoutData(waitedNanos) : Answers.tooLate(waitedNanos);
            return Verdict.ABORT;
        }
        if (request.clientId() != 0 && isRetry()) {
            partition.counters().duplicates.increment();
            return Verdict.DUPLICATE;
        }
        if (runtime.cancelled().has(request) || isForNobody()) {
            response = Answers.failed(CancelledRequests.failure());
            return Verdict.ABORT;
        }
        long begin = partition.undo().position();
        Verdict verdict = run(nowNanos, partition.undo(), begin);
        if (request.clientId() != 0
                && (verdict != Verdict.COMMIT || partition.undo().position() != begin)
                && verdict != Verdict.AWAIT
                && next != Next.REROUTE_LATER
                && !isRefusedForNow()
                && !(verdict == Verdict.ABORT && isForNobody())) {
            remember(verdict);
        }
        return verdict;
    }

    /**
     * Whether all that would remain of it is an answer to a client who is gone. Such a call is not begun, ends soon if
     * it runs, and is not remembered: the client may come back and send it again.
     */
    private boolean isForNobody() {
        return target.procedure().isReadOnly() && incoming.sink().isGone();
    }

    /** Whether the request came before; then it has its answer, or will get it together with the first one. */
    private boolean isRetry() {
        HandledRequest known = runtime.history().find(request.clientId(), request.requestId());
        switch (known) {
            case Done(TransactionResponse first) -> response = first;
            case Underway first -> {
                if (Invariants.EXPENSIVE) {
                    Invariants.check(awaited == null, "a retry waits for one earlier request");
                }
                first.await(new Retry(request, incoming.sink()));
                awaited = first;
                next = Next.NOTHING;
            }
            case null -> {
                if (!runtime.history().mayHaveForgotten(request.clientId(), request.requestId())) {
                    return false;
                }
                response = Answers.forgotten();
            }
        }
        return true;
    }

    private Verdict run(long nowNanos, UndoPort undo, long begin) {
        try {
            Verdict held = heldUp(nowNanos);
            if (held != null) {
                return held;
            }
            BudgetLimits budget = runtime.limits().procedure(request.timeoutNanos());
            Committed answer =
                    Answers.committed(runtime.run(target, incoming, budget, nowNanos), incoming, runtime.underWay());
            RepeatCheck check = runtime.repeatCheck();
            boolean changed = undo.position() != begin;
            response = check != null && changed && repeatable() != null && check.isDue(target)
                    ? check.repeat(
                            target.procedure(),
                            begin,
                            answer,
                            () -> Answers.committed(runtime.runAgain(target.procedure(), request.parameters(), budget)))
                    : answer;
            return Verdict.COMMIT;
        } catch (PartitionMismatchSignal mismatch) {
            if (!runtime.limits().strict()) {
                next = Next.DISTRIBUTE;
                return Verdict.RERUN;
            }
            response = new Failed(
                    ErrorCode.PARTITION_MISMATCH,
                    request.subject() + " needs rows of other partitions: " + mismatch.getMessage()
                            + "; partition it otherwise, or leave the strict mode");
            return Verdict.ABORT;
        } catch (AbsentDataSignal absent) {
            return await(absent.need(), nowNanos);
        } catch (MovedDataSignal moved) {
            return moved();
        } catch (FulmarException failure) {
            response = Answers.failed(failure);
            return Verdict.ABORT;
        }
    }

    /** Null if the guard lets the call begin, as usual. */
    private @Nullable Verdict heldUp(long nowNanos) {
        DataAccess guard = runtime.guardOfRoutes();
        isGuarded = guard != null;
        if (guard == null) {
            return null;
        }
        RoutedKey key = target.key(request.parameters(), program.plan());
        if (key instanceof RoutedKey.Unknown) {
            return null; // a statement, which asks for its own key when it runs
        }
        return switch (key.presence(guard)) {
            case Presence.Present() -> null;
            case Presence.Absent(DataNeed need) -> await(need, nowNanos);
            case Presence.Moved() -> moved();
        };
    }

    private Verdict await(DataNeed need, long nowNanos) {
        awaitedData = true;
        awaits(resume -> runtime.fetch(need, resume, restNanos(nowNanos)));
        return Verdict.AWAIT;
    }

    private Verdict moved() {
        next = Next.REROUTE_LATER;
        return Verdict.RERUN;
    }

    /** The time that is left to the request, at least 1. */
    private long restNanos(long nowNanos) {
        return Math.max(1, runtime.limits().timeoutNanos(request.timeoutNanos()) - (nowNanos - incoming.nanos()));
    }

    /** Whether the call left no trace, and may succeed when the client retries. */
    private boolean isRefusedForNow() {
        return next == Next.REPLY && response instanceof Failed failed && failed.code() == ErrorCode.SERVER_BUSY;
    }

    private void remember(Verdict verdict) {
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    remembered == null, "a partition forgets a call that was undone before it remembers it anew");
        }
        HandledRequest entry = verdict == Verdict.RERUN ? underway() : new Done(response);
        if (verdict == Verdict.COMMIT && !isGuarded) { // else its key stays, and its outcome with it
            runtime.keyedCalls().committed();
        }
        remembered = entry;
        runtime.history().put(request.clientId(), request.requestId(), entry);
    }

    private Underway underway() {
        PartitionPlan plan = program.plan();
        Underway begun = new Underway(plan.version(), target.key(request.parameters(), plan));
        runtime.keyedCalls().begins(request.clientId(), request.requestId(), begun);
        return begun;
    }

    @Override
    public @Nullable RequestOutcome outcome() {
        return request.clientId() != 0 && response instanceof Committed committed
                ? new RequestOutcome(
                        request.clientId(),
                        request.requestId(),
                        runtime.partition().id().number(),
                        OutcomeBytes.of(committed))
                : null;
    }

    @Override
    public @Nullable RepeatableCall repeatable() {
        return target.index() != Program.AD_HOC
                        && target.procedure().isLoggedAsCommand()
                        && !runtime.lastCall().metFailure()
                ? this
                : null;
    }

    @Override
    public byte[] procedureName() {
        return target.procedure().nameBytes();
    }

    @Override
    public byte[] parameters() {
        return request.parameters();
    }

    @Override
    public long procedureTimeMicros() {
        return runtime.lastMicros();
    }

    @Override
    public boolean drewRandom() {
        return runtime.lastCall().drewRandom();
    }

    @Override
    public long seed() {
        return runtime.lastSeed();
    }

    @Override
    public long clientId() {
        return request.clientId();
    }

    @Override
    public long requestId() {
        return request.requestId();
    }

    @Override
    protected void undoneAfterwards(FulmarException refusal) {
        if (remembered != null) {
            runtime.history().remove(request.clientId(), request.requestId());
            remembered = null;
        }
        response = Answers.failed(refusal);
    }

    @Override
    public void lost(FulmarException cause, ReplyBatch replies) {
        stopWaiting();
        if (isAnswered) {
            return;
        }
        incoming.sink().respond(request, Answers.lost(cause));
        replies.replied(incoming.sink());
    }

    @Override
    protected void broke(Throwable cause) {
        next = Next.REPLY;
        response = Answers.defect(cause);
    }

    @Override
    protected void settled(Partition partition, Verdict verdict, long commitTimestamp) {
        ProcedureFigures figures = runtime.figures(target.index());
        switch (verdict) {
            case COMMIT -> figures.committed.increment();
            case ABORT -> {
                figures.failed.increment();
                if (response instanceof Failed failed) {
                    partition.counters().aborted(failed.code()).increment();
                }
            }
            case RERUN -> {
                if (next == Next.DISTRIBUTE) {
                    partition.counters().mismatchReruns.increment();
                }
            }
            case AWAIT -> throw Invariants.breach("a call that waits for data has not ended");
            case DUPLICATE -> {}
        }
        if (next == Next.REPLY) {
            long endNanos = partition.clock().monotonicNanos();
            figures.latency.record(endNanos - incoming.nanos());
            target.pace().took(endNanos - startNanos);
        }
    }

    @Override
    protected void revoked(Partition partition) {
        if (remembered != null) {
            runtime.history().remove(request.clientId(), request.requestId());
            remembered = null;
        }
        stopWaiting();
    }

    /** Stops waiting for the first request's answer. */
    private void stopWaiting() {
        Underway waited = awaited;
        if (waited != null) {
            awaited = null;
            isAnswered = !waited.forsake(new Retry(request, incoming.sink()));
        }
    }

    @Override
    public void leave(ReplyBatch replies) {
        switch (next) {
            case REPLY -> {
                incoming.sink().respond(request, response);
                replies.replied(incoming.sink());
            }
            case REROUTE -> continuation.reroute(incoming);
            case REROUTE_LATER -> runtime.soon(() -> continuation.reroute(incoming));
            case DISTRIBUTE ->
                continuation.distribute(incoming, runtime, remembered instanceof Underway underway ? underway : null);
            case NOTHING -> {}
        }
    }

    @Override
    public void turnedAway(Partition partition) {
        if (!isAnswered) {
            continuation.reroute(incoming);
        }
    }

    @Override
    public void refused(PartitionId partition) {
        if (isAnswered) {
            return;
        }
        incoming.sink().respond(request, Answers.STOPPING);
        incoming.sink().flush();
    }
}
