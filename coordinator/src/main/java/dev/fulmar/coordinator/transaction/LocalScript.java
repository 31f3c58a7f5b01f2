package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.routing.Reach;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.engine.partition.UndoPort;
import dev.fulmar.engine.procedure.AbsentDataSignal;
import dev.fulmar.engine.procedure.MovedDataSignal;
import dev.fulmar.engine.procedure.PartitionMismatchSignal;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Statements of a session that need one partition only. They take one turn of the partition, without a lock and
 * without votes. They are undone then, or commit if nobody asks later what became of the COMMIT. So nothing of it is
 * remembered.
 */
public final class LocalScript extends SinglePartitionWork {
    private static final Logger LOG = LoggerFactory.getLogger(LocalScript.class);

    /** The next step of the request. */
    private enum Next {
        REPLY,
        REROUTE,
        /** Its rows have left by a plan that is about to be known here. */
        REROUTE_LATER,
        DISTRIBUTE
    }

    private final IncomingRequest incoming;
    private final TransactionRequest.Script script;
    private final List<CallTarget> targets;
    private final List<Reach> reaches;
    private final Program program;
    private final PartitionRuntime runtime;
    private final CallContinuation continuation;
    private final Runnable committed;

    private Next next = Next.REPLY;
    private TransactionResponse response = Answers.STOPPING;
    private boolean awaitedData;

    /** Whether its statements together took longer than one call may. */
    private boolean isTooLong;

    /**
     * @param script the incoming request, which is to be undone or to commit
     * @param targets of its statements, in their order
     * @param reaches of the statements
     * @param program for which they are planned
     * @param committed runs on the partition's thread once it has committed, before that is durable
     */
    public LocalScript(
            IncomingRequest incoming,
            TransactionRequest.Script script,
            List<CallTarget> targets,
            List<Reach> reaches,
            Program program,
            PartitionRuntime runtime,
            CallContinuation continuation,
            Runnable committed) {
        Invariants.check(
                script.ending() == ScriptEnding.UNDO
                        || (script.ending() == ScriptEnding.COMMIT
                                && !incoming.sink().asksForOutcomes()),
                "a COMMIT that somebody asks about is executed where it is remembered");
        Invariants.check(
                targets.size() == script.steps().size() && reaches.size() == targets.size(),
                "each statement of a script has its target and its reach");
        this.incoming = incoming;
        this.script = script;
        this.targets = List.copyOf(targets);
        this.reaches = List.copyOf(reaches);
        this.program = program;
        this.runtime = runtime;
        this.continuation = continuation;
        this.committed = committed;
    }

    @Override
    protected boolean mayTakeLong() {
        for (CallTarget target : targets) {
            if (!target.pace().isQuick()) {
                return true;
            }
        }
        return false;
    }

    @Override
    protected Verdict execute(Partition partition) {
        next = Next.REPLY;
        if (runtime.program() != program) {
            next = Next.REROUTE;
            return Verdict.DUPLICATE;
        }
        long waitedNanos = partition.clock().monotonicNanos() - incoming.nanos();
        if (waitedNanos > runtime.limits().timeoutNanos(script.timeoutNanos())) {
            response = awaitedData ? Answers.withoutData(waitedNanos) : Answers.tooLate(waitedNanos);
            return Verdict.ABORT;
        }
        if (runtime.cancelled().has(script) || (!commits() && incoming.sink().isGone())) {
            response = Answers.failed(CancelledRequests.failure());
            return Verdict.ABORT;
        }
        return run(partition, waitedNanos);
    }

    private Verdict run(Partition partition, long waitedNanos) {
        BudgetLimits budget = runtime.limits().procedure(script.timeoutNanos());
        long endNanos = partition.clock().monotonicNanos() + budget.timeNanos();
        isTooLong = false;
        SeenStatements seen = commits()
                ? null
                : new SeenStatements(
                        runtime.seenStates(),
                        script,
                        plans(),
                        partition,
                        program.catalog().version());
        try {
            Committed results = new ScriptRun(
                            script,
                            incoming.sink(),
                            runtime.underWay(),
                            number -> seen != null && seen.has(number),
                            (number, step, sink) -> execute(partition, number, step, budget, endNanos, sink, seen))
                    .run();
            return ended(results, seen);
        } catch (PartitionMismatchSignal mismatch) {
            return distribute();
        } catch (AbsentDataSignal absent) {
            awaitedData = true;
            long restNanos = runtime.limits().timeoutNanos(script.timeoutNanos()) - waitedNanos;
            awaits(resume -> runtime.fetch(absent.need(), resume, Math.max(1, restNanos)));
            return Verdict.AWAIT;
        } catch (MovedDataSignal moved) {
            next = Next.REROUTE_LATER;
            return Verdict.RERUN;
        } catch (FulmarException failure) {
            response = Answers.failed(failure);
            return isTooLong ? distribute() : Verdict.ABORT;
        }
    }

    private Verdict ended(Committed results, @Nullable SeenStatements seen) {
        if (isTooLong) {
            return distribute();
        }
        if (seen == null) {
            response = Committed.DONE;
            return Verdict.COMMIT;
        }
        seen.end();
        response = results;
        return Verdict.ABORT;
    }

    private SeenStatements.Plans plans() {
        return new SeenStatements.Plans() {
            @Override
            public Object of(int number) {
                return targets.get(number).procedure();
            }

            @Override
            public Reach reach(int number) {
                return reaches.get(number);
            }
        };
    }

    private boolean commits() {
        return script.ending() == ScriptEnding.COMMIT;
    }

    /** As a transaction over several partitions, others can take the partition from it between its statements. */
    private Verdict distribute() {
        next = Next.DISTRIBUTE;
        return Verdict.RERUN;
    }

    /** All statements together have the time of one call, so that no other one waits longer for its turn. */
    private ScriptRun.Executed execute(
            Partition partition,
            int number,
            ScriptStep step,
            BudgetLimits budget,
            long endNanos,
            ResponseSink sink,
            @Nullable SeenStatements seen) {
        if (runtime.cancelled().has(script)) {
            throw CancelledRequests.failure();
        }
        CallTarget target = targets.get(number);
        UndoPort undo = partition.undo();
        long begin = undo.position();
        long startNanos = partition.clock().monotonicNanos();
        IncomingRequest statement = new IncomingRequest(script.statement(step), sink, incoming.nanos());
        try {
            BudgetLimits rest = budget.withTimeNanos(Math.max(1, endNanos - startNanos));
            Committed result = Answers.committed(
                    runtime.run(target, statement, rest, startNanos, script.micros(), step.seed()),
                    statement,
                    runtime.underWay());
            long images = script.comparesImages() ? runtime.imagesSince(begin) : 0;
            ScriptRun.Executed executed =
                    new ScriptRun.Executed(result, target.procedure().isReadOnly(), images);
            if (seen == null) {
                return executed;
            }
            ScriptRun.Executed known = step.isNew() ? executed.digested(step) : executed;
            seen.ran(number, known, runtime.tablesChangedSince(begin));
            return known;
        } catch (FulmarException failure) {
            undo.undoTo(begin);
            isTooLong |= number > 0 && failure.code() == ErrorCode.PROCEDURE_TIME_BUDGET;
            throw failure;
        } finally {
            target.pace().took(partition.clock().monotonicNanos() - startNanos);
        }
    }

    @Override
    protected void broke(Throwable cause) {
        next = Next.REPLY;
        response = Answers.defect(cause);
    }

    @Override
    protected void undoneAfterwards(FulmarException refusal) {
        response = Answers.failed(refusal);
    }

    @Override
    protected void settled(Partition partition, Verdict verdict, long commitTimestamp) {
        if (next == Next.DISTRIBUTE && !isTooLong) {
            partition.counters().mismatchReruns.increment();
        }
        if (next == Next.REPLY) {
            ProcedureFigures figures = runtime.figures(Program.AD_HOC);
            figures.latency.record(partition.clock().monotonicNanos() - incoming.nanos());
            if (response instanceof Failed failed) {
                figures.failed.increment();
                partition.counters().aborted(failed.code()).increment();
            } else {
                figures.committed.increment();
            }
        }
        if (verdict == Verdict.COMMIT) {
            tellOfCommit();
        }
    }

    /** The commit stands whatever becomes of this, and its client hears of it. */
    private void tellOfCommit() {
        try {
            committed.run();
        } catch (RuntimeException | Error defect) {
            LOG.error("what waited for a COMMIT cannot go on", defect);
            FatalErrors.handIfFatal(defect);
        }
    }

    @Override
    protected void revoked(Partition partition) {}

    @Override
    public void leave(ReplyBatch replies) {
        switch (next) {
            case REPLY -> reply(response, replies);
            case REROUTE -> continuation.reroute(incoming);
            case REROUTE_LATER -> runtime.soon(() -> continuation.reroute(incoming));
            case DISTRIBUTE -> continuation.distribute(incoming, runtime, null);
        }
    }

    @Override
    public void lost(FulmarException cause, ReplyBatch replies) {
        reply(Answers.lost(cause), replies);
    }

    private void reply(TransactionResponse answer, ReplyBatch replies) {
        incoming.sink().respond(script, answer);
        replies.replied(incoming.sink());
    }

    @Override
    public void turnedAway(Partition partition) {
        continuation.reroute(incoming);
    }

    @Override
    public void refused(PartitionId partition) {
        incoming.sink().respond(script, Answers.STOPPING);
        incoming.sink().flush();
    }
}
