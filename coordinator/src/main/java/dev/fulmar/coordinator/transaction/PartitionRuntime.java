package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.reconfiguration.ReconfigurationReplay;
import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.request.RequestHistory;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.Expiry;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.invocation.LocalStatementRunner;
import dev.fulmar.engine.procedure.invocation.ProcedureExecution;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.DataNeed;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls and fragments on one partition, with the partition's storage, its bound statements and its remembered
 * outcomes of requests. Touched by the partition's thread only, unless a method says otherwise.
 */
public final class PartitionRuntime {
    private static final long SOON_NANOS = 1_000_000;

    /** Ad hoc statements that stay bound to the partition; when there are more, all are forgotten. */
    private static final int AD_HOC_BOUND = 1000;

    /** Limit of the memory that the outcomes of remembered requests take. */
    private static final long HISTORY_BYTES = 16 << 20;

    /** Factor by which the repetition of a call may take longer than its first run. */
    private static final long TIME_OF_REPEATS = 16;

    /** Slots that one slice frees. */
    private static final int FREED_SLOTS = 1000;

    private final Partition partition;
    private final PartitionStorage storage;
    private final CallLimits limits;
    private final ByteBudget underWay;
    private final RandomSource random;
    private final ExecutionContext context;
    private final ProcedureExecution execution;
    private final LocalStatementRunner localStatements;
    private final RequestHistory<HandledRequest> history;
    private final KeyedCalls keyedCalls;
    private long depositions;

    private final PartitionFragments fragments;
    private final SnapshotQueries snapshotQueries;
    private final SnapshotQueries copyQueries;
    private final DecisionBook decisions = new DecisionBook();
    private final SeenStates seenStates = new SeenStates();
    private final PartitionExpiry expiry;
    private final Scheduler scheduler;
    private final ReconfigurationReplay steps;

    private @Nullable RepeatCheck repeatCheck;
    private final Set<LoadedProcedure> adHoc = new HashSet<>();
    private volatile ProcedureFigures[] figures = {new ProcedureFigures()};
    private Program program;
    private long deadlineNanos;
    private long lastSeed;
    private long lastMicros;
    private long storageVersion;

    private CancelledRequests cancelled = new CancelledRequests();

    /** The handle of the request that runs, 0 for anything else. */
    private long runningClient;

    private long runningRequest;

    /** The way to the client of a call that only reads, while it runs. */
    private @Nullable ResponseSink runningReader;

    /** @param historyClients clients whose requests are remembered */
    public PartitionRuntime(
            Partition partition,
            PartitionStorage storage,
            Program program,
            CallLimits limits,
            NodeServices services,
            int historyClients) {
        this.partition = partition;
        this.storage = storage;
        this.limits = limits;
        this.underWay = services.underWay();
        this.program = program;
        this.random = services.random().split("partition-" + partition.id().number());
        this.context = new ExecutionContext(
                storage, program.plan(), partition.id().number(), limits.intermediateBytes(), this::checkDeadline);
        context.measureWith(partition.clock());
        this.execution = new ProcedureExecution(partition.clock(), services.allocatedBytes(), limits.maxResultBytes());
        this.localStatements = new LocalStatementRunner(context);
        this.history = new RequestHistory<>(historyClients, HISTORY_BYTES, HandledRequest::bytes);
        this.keyedCalls = new KeyedCalls(history);
        this.snapshotQueries = new SnapshotQueries(
                context, partition.clock(), limits.maxResultBytes(), services.underWay(), false, program);
        this.copyQueries = new SnapshotQueries(
                context, partition.clock(), limits.maxResultBytes(), services.underWay(), true, program);
        this.fragments = new PartitionFragments(storage, context, limits.maxResultBytes());
        this.scheduler = services.scheduler();
        this.steps = services.steps();
        this.expiry = new PartitionExpiry(this, services.scheduler(), program);
    }

    /** The states in which sessions have seen their statements. */
    SeenStates seenStates() {
        return seenStates;
    }

    public Partition partition() {
        return partition;
    }

    /** Decisions of transactions over several nodes whose base partition this is. */
    public DecisionBook decisions() {
        return decisions;
    }

    public PartitionStorage storage() {
        return storage;
    }

    /** Frees memory of dropped tables and buckets in slices between transactions. On the partition's thread. */
    public void freeSlowly() {
        partition.slices().add(() -> storage.freeSome(FREED_SLOTS));
    }

    /** Takes steps of reconfigurations again. */
    public ReconfigurationReplay steps() {
        return steps;
    }

    /** The memory budget of requests and results under way. */
    ByteBudget underWay() {
        return underWay;
    }

    CallLimits limits() {
        return limits;
    }

    /** Ends requests that are cancelled from now on. Before the partition runs. */
    void heed(CancelledRequests requests) {
        cancelled = requests;
    }

    CancelledRequests cancelled() {
        return cancelled;
    }

    SnapshotQueries snapshotQueries() {
        return snapshotQueries;
    }

    /** Queries for readers of the copy while another node leads. */
    SnapshotQueries copyQueries() {
        return copyQueries;
    }

    /**
     * Switches readers of the copy to a version of the catalog; false if its log has its tables at another version.
     * Transactions bring no changes of the catalog to a copy.
     */
    boolean readsCopyWith(Program wanted) {
        if (storageVersion != wanted.catalog().version()) {
            return false;
        }
        if (!copyQueries.uses(wanted)) {
            copyQueries.use(wanted);
        }
        return true;
    }

    RequestHistory<HandledRequest> history() {
        return history;
    }

    /** Requests that came here for their key. */
    public KeyedCalls keyedCalls() {
        return keyedCalls;
    }

    /** The number of times that another node began to lead after this one. */
    long depositions() {
        return depositions;
    }

    /** Remembers what a request of an earlier life came to. Before the partition runs. */
    public void remember(long clientId, long requestId, TransactionResponse outcome) {
        history.put(clientId, requestId, new HandledRequest.Done(outcome));
    }

    /** The log has the outcome of a request of which the transaction is under way. On the partition's thread. */
    public void decided(RequestOutcome outcome) {
        if (history.find(outcome.clientId(), outcome.requestId()) instanceof HandledRequest.Underway underway) {
            keyedCalls.committed(underway, guardOfRoutes());
            underway.decided(OutcomeBytes.read(outcome.outcome()));
            history.put(outcome.clientId(), outcome.requestId(), underway); // what was noted of it is old
        }
    }

    /** Remembers of a request of an earlier life that it had an outcome. Before the partition runs. */
    public void rememberForgotten(long clientId, long requestId) {
        history.putForgotten(clientId, requestId);
    }

    /** Remembers of a client of an earlier life which request was the highest. Before the partition runs. */
    public void rememberForgottenClient(long clientId, long highestRequestId) {
        history.putForgottenClient(clientId, highestRequestId);
    }

    /**
     * Forgets rows, requests and decisions, as before the first; tables stay. On the partition's thread, while nothing
     * runs.
     */
    public void forgetEverything() {
        storage.forgetRows();
        forgetUses();
    }

    /**
     * Forgets tables, requests and decisions, as before the first change of the catalog. On the partition's thread,
     * while nothing runs.
     */
    public void forgetTables() {
        storage.forgetTables();
        storageVersion = 0;
        forgetUses();
    }

    private void forgetUses() {
        seenStates.forget();
        history.clear();
        decisions.clear();
        localStatements.retain(List.of()); // they are bound to tables that are gone
        use(program);
    }

    /**
     * Forgets requests that have not ended, since another node leads the partition: it does not know them, and may
     * execute them. A request whose outcome is in the log has ended. On the partition's thread. Failures are forgotten
     * too: it may be unconfirmed that the state that they tell of was not old. A retry runs anew, as it would where
     * they were never known. Preparations for a change of the catalog are discarded: they must be told of every change
     * of the rows.
     */
    public void deposed() {
        depositions++;
        seenStates.forget();
        storage.discardPreparation();
        storage.moves().deposed();
        List<Runnable> forgetting = new ArrayList<>();
        history.visit(new RequestHistory.Visitor<>() {
            @Override
            public void outcome(long clientId, long requestId, HandledRequest outcome) {
                if (outcome instanceof HandledRequest.Underway underway) {
                    forgetting.add(() -> {
                        Committed decided = underway.decided();
                        if (decided == null) {
                            history.remove(clientId, requestId);
                        } else {
                            history.put(clientId, requestId, new HandledRequest.Done(decided));
                        }
                        underway.answer(Answers.elsewhere());
                    });
                } else if (outcome instanceof HandledRequest.Done(Failed _)) {
                    forgetting.add(() -> history.remove(clientId, requestId));
                }
            }
        });
        forgetting.forEach(Runnable::run);
    }

    /** Shows what is remembered of requests. */
    public void visitHistory(RequestHistory.Visitor<HandledRequest> visitor) {
        history.visit(visitor);
    }

    /** Grows whenever something is remembered of requests. */
    public long historyChanges() {
        return history.changes();
    }

    /** The version of the catalog that transactions here run with. */
    public Program program() {
        return program;
    }

    /** Follows another version of the catalog from the next transaction on; readers of snapshots begin anew. */
    public void use(Program newProgram) {
        snapshotQueries.use(newProgram);
        follow(newProgram);
    }

    private void follow(Program newProgram) {
        program = newProgram;
        context.setPartitionPlan(newProgram.plan());
        if (repeatCheck != null) {
            repeatCheck.use(newProgram.names().size());
        }
        expiry.use(newProgram);
        int known = figures.length;
        int wanted = newProgram.names().size();
        if (wanted > known) {
            ProcedureFigures[] more = Arrays.copyOf(figures, wanted);
            for (int i = known; i < wanted; i++) {
                more[i] = new ProcedureFigures();
            }
            figures = more;
        }
        forgetBoundStatements();
    }

    /** Version of the catalog that the storage was changed to in this life; 0 if it was not. */
    public long storageVersion() {
        return storageVersion;
    }

    /**
     * Version of the catalog that the tables have: that of the transactions, or that of the log where only a replay
     * runs.
     */
    public long catalogVersion() {
        return Math.max(storageVersion, program.catalog().version());
    }

    /** The storage was changed to a version of the catalog. */
    public void storageStands(long version) {
        storageVersion = version;
        copyQueries.use(program); // what is kept is bound to the tables of before
    }

    /** A transaction has changed the storage to a version of the catalog, which counts from now on. */
    public void changed(Program newProgram) {
        // A log may have told the storage of later changes, which are taken on one after the other.
        storageVersion = Math.max(storageVersion, newProgram.catalog().version());
        use(newProgram);
    }

    /**
     * A transaction has changed the plan, which counts from now on. Readers of earlier snapshots go on with the plan of
     * before.
     *
     * @param promised timestamp at which the partition promised to commit it, or later
     */
    public void planned(Program newProgram, long promised, long commitTimestamp) {
        storageVersion = Math.max(storageVersion, newProgram.catalog().version());
        long oldestReader = storage.horizon().timestamp();
        snapshotQueries.programs().succeed(newProgram, promised, commitTimestamp, oldestReader);
        follow(newProgram);
    }

    /** Asks the guard before data is read or written; null for none. On the partition's thread. */
    public void guardData(@Nullable DataAccess access) {
        context.guardData(access);
    }

    /** Whether rows that belong to the partition may be elsewhere. */
    public boolean mayLackRows() {
        return context.isGuarded();
    }

    /** The guard that is asked for the keys that calls are routed by; null for none. */
    @Nullable DataAccess guardOfRoutes() {
        DataAccess access = context.dataAccess();
        return access != null && access.guardsRoutes() ? access : null;
    }

    /** Fetches data for a call, which goes on without it when its time is over: it then ends. */
    void fetch(DataNeed need, Runnable resume, long restNanos) {
        Scheduler.Timer timeOut = scheduler.schedule(restNanos, resume);
        need.fetch(() -> {
            timeOut.cancel();
            resume.run();
        });
    }

    /** Does something when a little time has passed, so that nobody goes round in vain. */
    void soon(Runnable task) {
        scheduler.schedule(SOON_NANOS, task);
    }

    private void forgetBoundStatements() {
        localStatements.retain(List.copyOf(program.registry().procedures().values()));
        fragments.forget();
        adHoc.clear();
    }

    /** Figures by the places that the program gives; any thread. */
    public ProcedureFigures[] figures() {
        return figures;
    }

    ProcedureFigures figures(int index) {
        return figures[index];
    }

    /** Runs a call here from begin to end; the reply is in the execution. */
    ProcedureExecution run(CallTarget target, IncomingRequest incoming, BudgetLimits budget, long nowNanos) {
        return run(target, incoming, budget, nowNanos, partition.timestamps().nowMicros(), random.nextLong());
    }

    /** Runs a call that has its time and its seed already. */
    ProcedureExecution run(
            CallTarget target, IncomingRequest incoming, BudgetLimits budget, long nowNanos, long micros, long seed) {
        if (Invariants.EXPENSIVE) {
            Invariants.check(runningReader == null, "a partition thread runs one call at a time");
        }
        TransactionRequest request = incoming.request();
        byte[] parameterList = request.parameters();
        runningClient = request.clientId();
        runningRequest = request.requestId();
        if (target.index() == Program.AD_HOC) {
            countAdHoc(target.procedure());
        }
        setDeadline(nowNanos + budget.timeNanos());
        lastSeed = seed;
        lastMicros = micros;
        storage.holdToMark(target.procedure().addsRows());
        runningReader = target.procedure().isReadOnly() ? incoming.sink() : null;
        try {
            execution.run(
                    target.procedure(),
                    parameterList,
                    micros,
                    seed,
                    budget,
                    localStatements.open(target.procedure(), micros));
        } finally {
            runningReader = null;
            storage.holdToMark(false);
        }
        return execution;
    }

    /**
     * Runs the last call once more, with its time and its seed, and a multiple of its time limit. A garbage collection
     * or a busy machine does not end it; the call met no other limits.
     */
    ProcedureExecution runAgain(LoadedProcedure procedure, byte[] parameterList, BudgetLimits first) {
        long most = CallReplay.UNLIMITED.timeNanos() / TIME_OF_REPEATS;
        BudgetLimits budget = CallReplay.UNLIMITED.withTimeNanos(Math.min(first.timeNanos(), most) * TIME_OF_REPEATS);
        setDeadline(partition.clock().monotonicNanos() + budget.timeNanos());
        context.endFunctionsPatientlyBy(deadlineNanos);
        execution.run(
                procedure, parameterList, lastMicros, lastSeed, budget, localStatements.open(procedure, lastMicros));
        return execution;
    }

    /**
     * Runs some calls that are logged as commands twice from now on, to see whether they can be replayed. Before the
     * partition runs.
     *
     * @param diverged hears of a procedure that did something else the second time, on the partition's thread
     */
    public void checkRepeats(BiConsumer<LoadedProcedure, String> diverged) {
        RepeatCheck check = new RepeatCheck(partition.undo(), storage, diverged);
        check.use(program.names().size());
        repeatCheck = check;
    }

    @Nullable RepeatCheck repeatCheck() {
        return repeatCheck;
    }

    /** The call that ran last. */
    ProcedureExecution lastCall() {
        return execution;
    }

    /** Seed of the call that ran last. */
    long lastSeed() {
        return lastSeed;
    }

    /** The time that the last call saw. */
    long lastMicros() {
        return lastMicros;
    }

    /** Replays calls of an earlier life of the node. Before the partition runs. */
    public CallReplay replay() {
        return new CallReplay(partition, storage, program);
    }

    private void countAdHoc(LoadedProcedure procedure) {
        if (adHoc.size() >= AD_HOC_BOUND && !adHoc.contains(procedure)) {
            forgetBoundStatements();
        }
        adHoc.add(procedure);
    }

    /** Runs a fragment of a statement. */
    FragmentResult run(StatementFragment fragment) {
        if (fragments.isFullFor(fragment.procedureStatement(), AD_HOC_BOUND)) {
            forgetBoundStatements();
        }
        setDeadline(partition.clock().monotonicNanos() + fragment.timeNanos());
        runningClient = 0;
        return fragments.run(fragment);
    }

    /** Digest of the images of the rows that changed since the undo position, as fragments tell it. */
    long imagesSince(long position) {
        return fragments.imagesSince(position);
    }

    /** The tables whose rows changed since the undo position, as {@link dev.fulmar.engine.plan.TableMarks}. */
    long tablesChangedSince(long position) {
        return fragments.tablesChangedSince(position);
    }

    /** Deletes rows that are too old, as many as one transaction may; returns how many. */
    long expire(Table table, Expiry rule) {
        setDeadline(partition.clock().monotonicNanos() + limits.procedure(0).timeNanos());
        return fragments.expire(
                table, rule, program.catalog(), partition.timestamps().nowMicros());
    }

    /** Deletes by this rows of replicated tables that are too old. Before the partition runs. */
    public void expireEverywhereBy(BiConsumer<String, LongConsumer> statements) {
        expiry.runBy(statements::accept);
    }

    /** The statement that deletes rows of a replicated table that are too old; null if there are none. */
    @Nullable String expiryOf(Table table, Expiry rule) {
        return OldestRows.statement(storage, table, rule, partition.timestamps().nowMicros());
    }

    private void setDeadline(long nanos) {
        deadlineNanos = nanos;
        context.endFunctionsBy(nanos);
    }

    private void checkDeadline() {
        ResponseSink reader = runningReader;
        if (cancelled.has(runningClient, runningRequest) || (reader != null && reader.isGone())) {
            throw CancelledRequests.failure();
        }
        if (partition.clock().monotonicNanos() - deadlineNanos > 0) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_TIME_BUDGET,
                    "a statement was stopped when the time budget of its call was spent; read fewer rows or raise the budget");
        }
    }
}
