package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.HandledRequest.Done;
import dev.fulmar.coordinator.transaction.HandledRequest.Retry;
import dev.fulmar.coordinator.transaction.HandledRequest.Underway;
import dev.fulmar.engine.partition.CommitGate.GatedReply;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.HybridLogicalClock;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts the multi-partition transactions that this node coordinates, and answers each client once the transaction's
 * home partition remembers the outcome. Thread-safe.
 */
public final class DistributedCalls {
    private static final long MAX_CLOCK_AHEAD_MICROS = 500_000;

    private final NodeServices services;
    private final CallLimits limits;
    private final PartitionRuntimes runtimes;
    private final CallWorkspaces workspaces;
    private final PartitionTransport transport;
    private final PartitionTransport ownPartitions;
    private final CommitBase.@Nullable Keeper keeper;
    private final TargetSource targets;
    private final PartitionHomes homes;
    private final HybridLogicalClock ids;
    private final LiveTransactions live = new LiveTransactions();
    private final long seed;
    private final int firstAttempt;

    /**
     * @param transport to wherever the partitions are led
     * @param ownPartitions to this node's copies
     * @param keeper null if all partitions are this node's, with one log
     * @param homes which partitions this node serves
     */
    public DistributedCalls(
            NodeServices services,
            CallLimits limits,
            PartitionRuntimes runtimes,
            PartitionTransport transport,
            PartitionTransport ownPartitions,
            CommitBase.@Nullable Keeper keeper,
            TargetSource targets,
            PartitionHomes homes) {
        this.homes = homes;
        this.ownPartitions = ownPartitions;
        this.keeper = keeper;
        this.services = services;
        this.limits = limits;
        this.runtimes = runtimes;
        this.workspaces = new CallWorkspaces(runtimes, limits, services);
        this.transport = transport;
        this.targets = targets;
        this.ids = new HybridLogicalClock(services.clock(), MAX_CLOCK_AHEAD_MICROS, 0);
        this.firstAttempt = services.random().split("attempts").nextInt(1 << 30);
        this.seed = services.random().split("distributed").nextLong();
    }

    public LiveTransactions live() {
        return live;
    }

    /** The readers behind portals, which count as transactions here. */
    public PortalReaders portals() {
        return new PortalReaders(targets, runtimes, workspaces, limits, services, transport, live, this::nextId);
    }

    /**
     * Observes an id of another node: the next one here is younger, so a node whose clock is behind does not win all
     * conflicts. An id that lies absurdly far ahead is ignored: its own node's transactions wait, and no other's.
     */
    public void observe(TransactionId id) {
        long aheadMicros =
                HybridLogicalClock.micros(id.timestamp()) - services.clock().wallMicros();
        if (aheadMicros < MAX_CLOCK_AHEAD_MICROS / 2) {
            ids.observe(id.timestamp());
        }
    }

    private TransactionId nextId() {
        return new TransactionId(ids.next(), services.node().number());
    }

    /** Asks the home partition first whether the request came before. */
    public void startOnce(IncomingRequest incoming, PartitionRuntime home) {
        takeIn(incoming, home, underway -> start(incoming, home, underway, null));
    }

    private void takeIn(IncomingRequest incoming, PartitionRuntime home, Consumer<Underway> first) {
        home.partition().inbox().put(new TakeIn(incoming, home, underway -> {
            if (incoming.request() instanceof TransactionRequest.Script script && isOfEarlierTerm(script, home)) {
                end(incoming, home, underway, Answers.COMMIT_OF_EARLIER_TERM, 0);
            } else {
                first.accept(underway);
            }
        }));
    }

    /** The term of leadership of the partition, as far as is known here. */
    public long term(PartitionRuntime runtime) {
        return keeper == null ? 0 : keeper.epochOf(runtime.partition().id());
    }

    /**
     * Whether an earlier primary may have told that the COMMIT will never be executed. That is in no log, so the
     * present primary does not know.
     */
    private boolean isOfEarlierTerm(TransactionRequest.Script script, PartitionRuntime home) {
        return script.ending() == ScriptEnding.COMMIT && script.term() != term(home);
    }

    /**
     * Does work for a request that is no transaction of the partitions, unless the home partition knows it already.
     *
     * @param work gives the answer, once, on whatever thread; it may be asked to do the same work again
     */
    public void doOnce(IncomingRequest incoming, PartitionRuntime home, Consumer<Consumer<TransactionResponse>> work) {
        Consumer<Underway> first = underway -> work.accept(response -> {
            TakeDown known = new TakeDown(incoming, home, underway, response, 0, true);
            home.partition().inbox().put(new DoneElsewhere(incoming, home, underway, response, known));
            respond(incoming, response);
        });
        takeIn(incoming, home, first);
    }

    /**
     * Runs code of the engine's own, which no client repeats, as a transaction of this node's copies of all partitions.
     *
     * @param rank 0 for one as old as any other that begins now; else it is older than all others but those of a lower
     *     rank
     * @param begins told of the transaction before it asks for a lock
     */
    public void run(
            ControlCode code,
            long rank,
            Consumer<LiveTransactions.Live> begins,
            DistributedTransaction.Completion completion) {
        TransactionId id =
                rank == 0 ? nextId() : new TransactionId(rank, services.node().number());
        DistributedTransaction transaction = new DistributedTransaction(
                id,
                ownPartitions,
                services.fibers(),
                code,
                (response, restarts) -> {
                    live.remove(id);
                    completion.completed(response, restarts);
                },
                null);
        live.add(transaction, null);
        begins.accept(transaction);
        transaction.start();
    }

    /**
     * Starts the transaction of a request.
     *
     * @param underway the home's memory of the request, or null if it keeps none
     * @param continuation routes the request anew if its key is elsewhere when an attempt begins; null if it has none
     */
    public void start(
            IncomingRequest incoming,
            PartitionRuntime home,
            @Nullable Underway underway,
            @Nullable CallContinuation continuation) {
        start(incoming, home, underway, continuation, null);
    }

    /** Runs a COMMIT and undoes it; notes what each partition yields, if all yield what the client was shown. */
    public void tryOut(IncomingRequest incoming, PartitionRuntime home, SeenParts seen) {
        start(incoming, home, null, null, seen);
    }

    private void start(
            IncomingRequest incoming,
            PartitionRuntime home,
            @Nullable Underway underway,
            @Nullable CallContinuation continuation,
            @Nullable SeenParts seen) {
        TransactionRequest request = incoming.request();
        TransactionId id = nextId();
        AtomicReference<Scheduler.@Nullable Timer> timer = new AtomicReference<>();
        DistributedTransaction transaction = new DistributedTransaction(
                id,
                transport,
                HomeFibers.of(home, services.fibers()),
                call(
                        incoming,
                        home,
                        continuation == null ? null : underway,
                        id,
                        limits.procedure(request.timeoutNanos()),
                        seen),
                (response, restarts) -> {
                    live.remove(id);
                    cancel(timer);
                    if (continuation != null && underway != null && response.equals(Answers.ROUTED_ANEW)) {
                        home.partition().inbox().put(new TakeBack(incoming, home, underway, continuation));
                    } else {
                        end(incoming, home, underway, response, restarts);
                    }
                },
                keeper == null ? null : base(home.partition().id(), keeper));
        boolean isForClientOnly =
                request instanceof TransactionRequest.Script script && script.ending() == ScriptEnding.UNDO;
        if (isForClientOnly) {
            live.addReader(transaction, incoming);
        } else {
            live.add(transaction, incoming);
        }
        timer.set(timeOut(transaction, request));
        if (runtimes.cancelled().has(request)
                || (isForClientOnly && incoming.sink().isGone())) {
            cancel(transaction);
        }
        transaction.start();
    }

    private CommitBase base(PartitionId partition, CommitBase.Keeper known) {
        return new CommitBase(partition, known.epochOf(partition), firstAttempt, known);
    }

    /**
     * Starts a transaction that only reads. It need not be remembered: a retry reads again.
     *
     * @param underway the home's memory of the request, or null if it keeps none
     */
    public void startSnapshot(
            IncomingRequest incoming,
            PartitionRuntime home,
            @Nullable Underway underway,
            boolean strict,
            ReadExtent extent) {
        TransactionRequest request = incoming.request();
        TransactionId id = nextId();
        BudgetLimits budget =
                extent == ReadExtent.PROCEDURE ? limits.procedure(request.timeoutNanos()) : patient(request);
        AtomicReference<Scheduler.@Nullable Timer> timer = new AtomicReference<>();
        SnapshotTransaction transaction = new SnapshotTransaction(
                id,
                services.clock(),
                runtimes,
                transport,
                HomeFibers.of(home, services.fibers()),
                call(incoming, home, null, id, budget, null),
                strict,
                extent == ReadExtent.ONE_BATCH,
                (response, restarts) -> {
                    live.remove(id);
                    cancel(timer);
                    end(incoming, home, underway, response, restarts);
                });
        boolean isForClientOnly = underway == null; // else retries may wait for what is read
        if (isForClientOnly) {
            live.addReader(transaction, incoming);
        } else {
            live.add(transaction, incoming);
        }
        timer.set(timeOut(transaction, request));
        if (runtimes.cancelled().has(request)
                || (isForClientOnly && incoming.sink().isGone())) {
            cancel(transaction);
        }
        transaction.start();
    }

    /** A single statement computes little between its waits, and waits as long as its reading takes. */
    private BudgetLimits patient(TransactionRequest request) {
        return limits.procedure().withTimeNanos(limits.timeoutNanos(request.timeoutNanos()));
    }

    private ControlCode call(
            IncomingRequest incoming,
            PartitionRuntime home,
            @Nullable Underway underway,
            TransactionId id,
            BudgetLimits budget,
            @Nullable SeenParts seen) {
        if (incoming.request() instanceof TransactionRequest.Script script) {
            return new ScriptCall(
                    incoming,
                    script,
                    targets,
                    home.partition().id(),
                    budget,
                    workspaces,
                    services.underWay(),
                    homes,
                    seen);
        }
        return new DistributedCall(
                incoming,
                targets,
                home.partition().id(),
                underway,
                budget,
                workspaces,
                services.clock().wallMicros(),
                seed ^ id.timestamp());
    }

    private Scheduler.Timer timeOut(LiveTransactions.Live transaction, TransactionRequest request) {
        long timeoutNanos = limits.timeoutNanos(request.timeoutNanos());
        return services.scheduler()
                .schedule(
                        timeoutNanos,
                        () -> transaction.cancel(
                                ErrorCode.TIMEOUT,
                                "the transaction was undone after " + timeoutNanos / 1_000_000
                                        + " ms; touch fewer partitions, or raise the time-out"));
    }

    /** Ends the transactions that execute the request with the handle, unless they are decided. */
    public void cancel(long clientId, long requestId) {
        FulmarException failure = CancelledRequests.failure();
        live.cancel(clientId, requestId, failure.code(), String.valueOf(failure.getMessage()));
    }

    /** Ends transactions that only read for the client, who is gone. */
    public void departed(ResponseSink client) {
        FulmarException failure = CancelledRequests.failure();
        live.departed(client, failure.code(), String.valueOf(failure.getMessage()));
    }

    private static void cancel(LiveTransactions.Live transaction) {
        FulmarException failure = CancelledRequests.failure();
        transaction.cancel(failure.code(), String.valueOf(failure.getMessage()));
    }

    private static void cancel(AtomicReference<Scheduler.@Nullable Timer> timer) {
        Scheduler.Timer running = timer.get();
        if (running != null) {
            running.cancel();
        }
    }

    private void end(
            IncomingRequest incoming,
            PartitionRuntime home,
            @Nullable Underway underway,
            TransactionResponse response,
            int restarts) {
        boolean isAnswered = underway == null || keeper == null;
        home.partition().inbox().put(new TakeDown(incoming, home, underway, response, restarts, isAnswered));
        if (isAnswered) {
            respond(incoming, response);
        }
    }

    private static void respond(IncomingRequest incoming, TransactionResponse response) {
        incoming.sink().respond(incoming.request(), response);
        incoming.sink().flush();
    }

    private int figuresIndex(PartitionRuntime home, TransactionRequest request) {
        return switch (request) {
            case TransactionRequest.AdHoc _, TransactionRequest.Script _ -> Program.AD_HOC;
            case TransactionRequest.Call call -> {
                CallTarget target = home.program().find(call.procedure());
                yield target == null ? Program.AD_HOC : target.index();
            }
        };
    }

    /** Looks at the home partition whether the request is a retry, and starts it if it is not. */
    private final class TakeIn implements PartitionTask {
        private final IncomingRequest incoming;
        private final PartitionRuntime home;
        private final Consumer<Underway> first;

        /** @param first what to do if the request is no retry */
        TakeIn(IncomingRequest incoming, PartitionRuntime home, Consumer<Underway> first) {
            this.incoming = incoming;
            this.home = home;
            this.first = first;
        }

        @Override
        public void run(Partition partition) {
            if (!homes.isHere(partition.id().number())) {
                respond(Answers.wrongNode(partition.id()));
                return;
            }
            TransactionRequest request = incoming.request();
            HandledRequest known = home.history().find(request.clientId(), request.requestId());
            switch (known) {
                case Done(TransactionResponse outcome) -> repeat(partition, outcome);
                case Underway earlier -> {
                    partition.counters().duplicates.increment();
                    earlier.await(new Retry(request, incoming.sink()));
                }
                case null -> {
                    if (home.history().mayHaveForgotten(request.clientId(), request.requestId())) {
                        repeat(partition, Answers.forgotten());
                        return;
                    }
                    Underway underway = new Underway();
                    home.history().put(request.clientId(), request.requestId(), underway);
                    first.accept(underway);
                }
            }
        }

        /** Sends a remembered outcome once it is confirmed: it may come from a log whose end other copies lack. */
        private void repeat(Partition partition, TransactionResponse response) {
            partition.counters().duplicates.increment();
            partition.readers().repeat(new GatedReply() {
                @Override
                public void leave(ReplyBatch replies) {
                    incoming.sink().respond(incoming.request(), response);
                    replies.replied(incoming.sink());
                }

                @Override
                public void lost(FulmarException cause, ReplyBatch replies) {
                    incoming.sink().respond(incoming.request(), Answers.lost(cause));
                    replies.replied(incoming.sink());
                }
            });
        }

        private void respond(TransactionResponse response) {
            incoming.sink().respond(incoming.request(), response);
            incoming.sink().flush();
        }

        @Override
        public void refused(PartitionId partition) {
            respond(Answers.STOPPING);
        }
    }

    /**
     * Forgets at the home partition a request of which nothing was done, and routes it and its retries anew: its key
     * may be elsewhere.
     */
    private record TakeBack(
            IncomingRequest incoming, PartitionRuntime home, Underway underway, CallContinuation continuation)
            implements PartitionTask {
        @Override
        public void run(Partition partition) {
            TransactionRequest request = incoming.request();
            if (underway.equals(home.history().find(request.clientId(), request.requestId()))) {
                home.history().remove(request.clientId(), request.requestId());
            }
            continuation.reroute(incoming);
            for (Retry retry : underway.release()) {
                continuation.reroute(new IncomingRequest(retry.request(), retry.sink(), incoming.nanos()));
            }
        }

        @Override
        public void refused(PartitionId partition) {
            underway.answer(Answers.STOPPING);
            respond(incoming, Answers.STOPPING);
        }
    }

    /** Notes the outcome at the home partition and answers the retries that waited for it. */
    private final class TakeDown implements PartitionTask {
        private final IncomingRequest incoming;
        private final PartitionRuntime home;
        private final @Nullable Underway underway;
        private final TransactionResponse response;
        private final int restarts;
        private final boolean isAnswered;

        /**
         * @param isAnswered whether who asked has the answer already, so that only the retries that wait for it have
         *     not
         */
        TakeDown(
                IncomingRequest incoming,
                PartitionRuntime home,
                @Nullable Underway underway,
                TransactionResponse response,
                int restarts,
                boolean isAnswered) {
            this.isAnswered = isAnswered;
            this.incoming = incoming;
            this.home = home;
            this.underway = underway;
            this.response = response;
            this.restarts = restarts;
        }

        @Override
        public void run(Partition partition) {
            ProcedureFigures figures = home.figures(figuresIndex(home, incoming.request()));
            figures.distributed.increment();
            figures.restarts.add(restarts);
            (response instanceof Committed ? figures.committed : figures.failed).increment();
            figures.latency.record(services.clock().monotonicNanos() - incoming.nanos());
            if (response instanceof TransactionResponse.Failed failed) {
                partition.counters().aborted(failed.code()).increment();
            }
            Underway memory = underway;
            if (memory == null) {
                return;
            }
            HandledRequest known = home.history()
                    .find(incoming.request().clientId(), incoming.request().requestId());
            boolean isMine = memory.equals(known);
            if (isMine) {
                note(memory);
            }
            if (isAnswered || memory.decided() != null || Answers.invitesRetry(response)) {
                answer(memory, response);
            } else {
                answerOnceConfirmed(partition, memory, isMine ? response : asKnown(known));
            }
        }

        /**
         * The outcome that the log knows, for a node that has not led the home partition ever since it accepted the
         * request. If another primary has executed the request, the log knows its outcome, and the transaction here may
         * have failed for that very reason.
         */
        private static TransactionResponse asKnown(@Nullable HandledRequest known) {
            return known instanceof Done(TransactionResponse outcome) ? outcome : Answers.elsewhere();
        }

        private void note(Underway memory) {
            long client = incoming.request().clientId();
            long request = incoming.request().requestId();
            Committed decided = memory.decided();
            if (decided != null) { // whoever asked may have heard something else: that nobody knows
                home.history().put(client, request, new Done(decided));
            } else if (Answers.invitesRetry(response) || mayCommitLater(memory)) {
                home.history().remove(client, request); // it left no trace, and the next try may succeed
            } else {
                if (response instanceof Committed) { // no log here told of it
                    home.keyedCalls().committed(memory, home.guardOfRoutes());
                }
                home.history().put(client, request, new Done(response));
            }
        }

        private void answer(Underway memory, TransactionResponse outcome) {
            memory.answer(outcome);
            if (!isAnswered) {
                respond(incoming, outcome);
            }
        }

        /**
         * Answers with an outcome that changed nothing, once this node is confirmed as the home partition's primary.
         * Otherwise the request may be a retry of one that another primary has executed, and may have failed for that
         * very reason.
         */
        private void answerOnceConfirmed(Partition partition, Underway memory, TransactionResponse outcome) {
            partition.readers().repeat(new GatedReply() {
                @Override
                public void leave(ReplyBatch replies) {
                    answer(memory, outcome);
                }

                @Override
                public void lost(FulmarException cause, ReplyBatch replies) {
                    answer(memory, Answers.lost(cause));
                }
            });
        }

        /** Its session may run again, unless a client that asked for the outcome is told that there will be none. */
        private boolean mayCommitLater(Underway memory) {
            return Answers.isConflictOfCommit(incoming.request(), response) && !memory.isAwaited();
        }

        @Override
        public void refused(PartitionId partition) {
            Underway memory = underway;
            if (memory != null) {
                boolean isConfirmed = isAnswered || memory.decided() != null || Answers.invitesRetry(response);
                answer(memory, isConfirmed ? response : Answers.elsewhere());
            }
        }
    }
}
