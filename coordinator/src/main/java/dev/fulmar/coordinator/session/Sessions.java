package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.portal.PortalSource;
import dev.fulmar.coordinator.request.OpenOfClients;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.wire.session.SessionCommand;
import dev.fulmar.wire.session.TransactionMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The open transactions of this node's clients, and the router of everything else. A client numbers its transactions,
 * and uses no number twice. They end with its connection. Thread-safe.
 */
public final class Sessions implements TransactionRouter, SessionTransactions, SessionFigures {
    private final TransactionRouter router;
    private final PortalSource snapshots;
    private final Clock clock;
    private final Scheduler scheduler;
    private final SessionLimits limits;
    private final ByteBudget memory;
    private final AtomicLong lastSeed;
    private final int most;
    private final HotReads hot;

    private final OpenOfClients<Session> open;
    private final LongAdder begun = new LongAdder();
    private final LongAdder serializationFailures = new LongAdder();
    private final LongAdder timedOut = new LongAdder();

    /**
     * @param snapshots read for transactions that only read
     * @param random for the seeds of transactions
     * @param memory that all open transactions may take together
     * @param most transactions that may be open at once
     */
    public Sessions(
            TransactionRouter router,
            PortalSource snapshots,
            Clock clock,
            Scheduler scheduler,
            RandomSource random,
            SessionLimits limits,
            ByteBudget memory,
            int most) {
        this.router = router;
        this.snapshots = snapshots;
        this.clock = clock;
        this.scheduler = scheduler;
        this.limits = limits;
        this.memory = memory;
        this.most = most;
        this.open = new OpenOfClients<>(most);
        this.hot = new HotReads(clock);
        this.lastSeed = new AtomicLong(random.split("sessions").nextLong());
    }

    @Override
    public int openTransactions() {
        return open.count();
    }

    @Override
    public long takenBytes() {
        return memory.underWayBytes();
    }

    @Override
    public long begun() {
        return begun.sum();
    }

    @Override
    public long serializationFailures() {
        return serializationFailures.sum();
    }

    @Override
    public long timedOut() {
        return timedOut.sum();
    }

    @Override
    public List<OpenSession> oldest(int most) {
        return open.inOrder().stream().limit(most).map(Session::show).toList();
    }

    @Override
    public void submit(TransactionRequest request, ResponseSink sink) {
        router.submit(request, sink);
    }

    @Override
    public long term(long clientId) {
        return router.term(clientId);
    }

    @Override
    public void cancel(long clientId, long requestId) {
        open.inOrder().forEach(session -> session.cancel(clientId, requestId));
        router.cancel(clientId, requestId);
    }

    @Override
    public void departed(ResponseSink sink) {
        open.departed(sink).forEach(Session::abandon);
        router.departed(sink);
    }

    @Override
    public void execute(long number, TransactionRequest.AdHoc request, ResponseSink sink) {
        Session known = open.find(sink, number);
        if (known != null) {
            known.execute(request, sink);
            return;
        }
        try {
            switch (SessionCommand.of(request.sql())) {
                case SessionCommand.Begin(var mode) -> begin(number, sink, request, mode);
                // A client that commits a transaction which is not open has lost its connection, and asks for the
                // outcome.
                case SessionCommand.Commit _ ->
                    router.submit(TransactionRequest.Script.question(request), passing(request, sink));
                case SessionCommand.Rollback _ -> respond(request, sink);
                default -> throw noTransaction();
            }
        } catch (FulmarException e) {
            sink.respond(request, Answers.failed(e));
            sink.flush();
        }
    }

    @Override
    public void executeTogether(
            List<TransactionRequest.AdHoc> statements, TransactionRequest.AdHoc commit, ResponseSink sink) {
        Invariants.check(!statements.isEmpty(), "a transaction that runs once has statements");
        long seed = nextSeed(statements.size());
        List<ScriptStep> steps = new ArrayList<>();
        for (TransactionRequest.AdHoc statement : statements) {
            ScriptStep step = new ScriptStep(statement.sql(), statement.parameters(), seed + steps.size());
            steps.add(step.behind(steps.isEmpty() ? null : steps.getLast()));
        }
        TransactionRequest.Script script = new TransactionRequest.Script(
                commit.clientId(),
                commit.requestId(),
                commit.timeoutNanos(),
                steps,
                ScriptEnding.COMMIT,
                seed,
                false,
                false,
                clock.wallMicros(),
                router.term(commit.clientId()),
                commit.caller(),
                commit.catalogVersion());
        router.submit(script, new TogetherSink(router, script, commit, sink));
    }

    /** The first seed of so many statements. A transaction's numbers are those up to the next one's first. */
    private long nextSeed(int statements) {
        return lastSeed.getAndAdd(Math.max(statements, limits.statements())) + limits.statements();
    }

    private void begin(long number, ResponseSink sink, TransactionRequest.AdHoc request, TransactionMode mode) {
        OpenTransaction transaction = new OpenTransaction(
                limits,
                memory,
                mode,
                clock.wallMicros(),
                nextSeed(limits.statements()),
                router.term(request.clientId()));
        SessionView view = new SessionView(
                new SessionOrigin(sink.origin(), request.caller().user(), number), transaction, clock);
        long place = open.nextPlace();
        SnapshotReads reads = new SnapshotReads(snapshots, scheduler, transaction);
        Session opened = new Session(
                view, router, clock, scheduler, limits, transaction, reads, hot, listener(sink, number, place));
        if (!open.add(sink, number, place, opened, own -> {})) {
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    most + " transactions are open on this node; end some, or begin again after a moment");
        }
        begun.increment();
        if (sink.isGone()) {
            departed(sink); // it may have departed before the session was there
        }
        respond(request, sink);
    }

    private Session.Listener listener(ResponseSink sink, long number, long place) {
        return new Session.Listener() {
            @Override
            public void failed(ErrorCode code) {
                (code == ErrorCode.SERIALIZATION_FAILURE ? serializationFailures : timedOut).increment();
            }

            @Override
            public void ended() {
                open.remove(sink, number, place);
            }
        };
    }

    private static ResponseSink passing(TransactionRequest.AdHoc request, ResponseSink sink) {
        return (asked, response) -> {
            sink.respond(request, response);
            sink.flush();
        };
    }

    private static void respond(TransactionRequest.AdHoc request, ResponseSink sink) {
        sink.respond(request, Committed.DONE);
        sink.flush();
    }

    static FulmarException noTransaction() {
        return new FulmarException(
                ErrorCode.NO_ACTIVE_TRANSACTION,
                "no transaction is open here, or it ended with its connection; run it again from BEGIN on");
    }
}
