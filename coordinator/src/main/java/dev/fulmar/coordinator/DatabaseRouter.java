package dev.fulmar.coordinator;

import dev.fulmar.coordinator.Compilations.Compilation;
import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.change.PasswordSealing;
import dev.fulmar.coordinator.planning.PlanningClaim;
import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.PartitioningParameter;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.routing.Spread;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.statement.ExplanationBlock;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.statistics.TableCensus;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.Arrival;
import dev.fulmar.coordinator.transaction.CallContinuation;
import dev.fulmar.coordinator.transaction.CallLimits;
import dev.fulmar.coordinator.transaction.DistributedCalls;
import dev.fulmar.coordinator.transaction.HandledRequest;
import dev.fulmar.coordinator.transaction.LocalCall;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.engine.partition.PartitionInbox;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds out where a request runs, and puts it there. Thread-safe. */
final class DatabaseRouter implements TransactionRouter, CallContinuation {
    /** How long a request waits for a version of the catalog that others have already. */
    private static final long CATALOG_PATIENCE_NANOS = 2_000_000_000;

    private static final long CATALOG_RETRY_NANOS = 5_000_000;

    /** How long a request that is cancelled may be on its way to where it runs. */
    private static final long CANCELLED_NANOS = 60_000_000_000L;

    private final AtomicReference<Program> current;
    private final PartitionPlan plan;
    private final PartitionRuntimes runtimes;
    private final DistributedCalls distributed;
    private final int distributedCapacity;
    private final Statements statements;
    private final TableCensus census;
    private final ChangeQueue changes;
    private final PendingTables pending;
    private final PasswordSealing passwords;
    private final PlanningQueue planning;
    private final CallLimits limits;
    private final Clock clock;
    private final Scheduler scheduler;
    private final PartitionHomes homes;

    private final Compilations compilations = new Compilations();
    private volatile boolean stopping;

    DatabaseRouter(
            DatabaseConfiguration configuration,
            NodeServices services,
            AtomicReference<Program> current,
            PartitionRuntimes runtimes,
            DistributedCalls distributed,
            Statements statements,
            PlanningQueue planning,
            TableCensus census,
            ChangeQueue changes,
            PendingTables pending,
            PartitionHomes homes) {
        this.current = current;
        this.plan = configuration.plan();
        this.runtimes = runtimes;
        this.distributed = distributed;
        this.distributedCapacity = configuration.distributedCapacity();
        this.statements = statements;
        this.census = census;
        this.changes = changes;
        this.pending = pending;
        this.passwords = new PasswordSealing(services.random().split("password salts"));
        this.planning = planning;
        this.limits = configuration.calls();
        this.clock = services.clock();
        this.scheduler = services.scheduler();
        this.homes = homes;
    }

    @Override
    public void submit(TransactionRequest request, ResponseSink sink) {
        Arrival arrival = new Arrival(request, sink, clock.monotonicNanos());
        if (stopping) {
            answer(arrival, Answers.STOPPING);
        } else {
            route(arrival);
        }
    }

    @Override
    public void cancel(long clientId, long requestId) {
        if (runtimes.cancelled().add(clientId, requestId)) {
            distributed.cancel(clientId, requestId);
            homes.cancel(clientId, requestId);
            scheduler.schedule(CANCELLED_NANOS, () -> runtimes.cancelled().remove(clientId, requestId));
        }
    }

    /** Calls that wait for one partition ask their sink when their turn comes. */
    @Override
    public void departed(ResponseSink sink) {
        distributed.departed(sink);
        homes.departed(sink);
    }

    /** Takes no more requests. */
    void refuse() {
        stopping = true;
        pending.stop();
    }

    /** Requests that are neither at a partition nor a transaction yet. */
    int compilingCount() {
        return compilations.count();
    }

    @Override
    public void reroute(Arrival arrival) {
        route(arrival);
    }

    @Override
    public void distribute(Arrival arrival, PartitionRuntime home, HandledRequest.@Nullable Underway underway) {
        CallTarget target = arrival.request() instanceof TransactionRequest.Call call
                ? home.program().find(call.procedure())
                : null;
        if (target != null && target.procedure().isReadOnly()) {
            startSnapshot(arrival, home, underway, target.procedure());
        } else {
            distributed.start(arrival, home, underway);
        }
    }

    private void route(Arrival arrival) {
        try {
            switch (arrival.request()) {
                case TransactionRequest.Call call -> routeCall(arrival, call);
                case TransactionRequest.AdHoc adHoc -> routeStatement(arrival, adHoc);
            }
        } catch (FulmarException e) {
            if (!triesAgain(arrival, homes.knowsCatalog())) {
                refuse(arrival, e, () -> answer(arrival, failure(e)));
            }
        }
    }

    /** A request that this node's catalog refuses may be right by a newer one, which a cut-off node does not know. */
    private void refuse(Arrival arrival, FulmarException cause, Runnable refusal) {
        if (cause.code().category() == ErrorCode.Category.USER && homes.knowsCatalog()) {
            homes.confirmRefusal(arrival.request(), arrival.sink(), refusal);
        } else {
            refusal.run();
        }
    }

    /** A node that does not know the newest catalog cannot say what there is not. */
    private TransactionResponse failure(FulmarException cause) {
        return homes.knowsCatalog() ? Answers.failed(cause) : Answers.olderCatalog();
    }

    /** Where the newest catalog is about to come, what failed may be right in a moment. */
    private boolean triesAgain(Arrival arrival, boolean isNewest) {
        if (isNewest || clock.monotonicNanos() - arrival.nanos() >= CATALOG_PATIENCE_NANOS) {
            return false;
        }
        scheduler.schedule(CATALOG_RETRY_NANOS, () -> {
            if (stopping) {
                answer(arrival, Answers.STOPPING);
            } else {
                route(arrival);
            }
        });
        return true;
    }

    private void routeCall(Arrival arrival, TransactionRequest.Call call) {
        Program program = current.get();
        if (JarRequest.is(call)) {
            loadClasses(arrival, call, program);
            return;
        }
        CallTarget target = program.find(call.procedure());
        if (target == null) {
            throw unknown(call.procedure());
        }
        AccessControl.call(call.caller(), program.catalog(), target.procedure().definition(), target.index());
        if (!goesWhereItWent(arrival, target, program)) {
            return;
        }
        PartitioningParameter partitioning = target.partitioning();
        if (partitioning != null) {
            runOn(partitioning.partition(call.parameters(), plan), arrival, target, program);
            return;
        }
        switch (target.procedure().placement()) {
            case KEYED, ANYWHERE -> runOn(anyPartition(arrival), arrival, target, program);
            case MULTI_PARTITION -> runDistributed(arrival, target);
        }
    }

    /**
     * Whether a request goes to the same place whenever it is sent under its handle: where it is executed is remembered
     * that it was. All its sendings tell one version of the catalog, which was there before the first. So they agree if
     * the place is the same from that version up to this program's, and no sending is routed by an older program; and
     * those that come to the place of before only after a change are routed anew, and end here. If not, the request is
     * answered, or comes again.
     */
    private boolean goesWhereItWent(Arrival arrival, CallTarget target, Program program) {
        TransactionRequest request = arrival.request();
        long known = request.catalogVersion();
        if (known == 0 || request.clientId() == 0) {
            return true;
        }
        if (known > TransactionRequest.toldVersion(program.catalog().version())) {
            if (!triesAgain(arrival, false)) {
                answer(arrival, Answers.olderCatalog());
            }
            return false;
        }
        if (known < target.routedSince()) {
            answer(arrival, Answers.catalogChanged());
            return false;
        }
        return true;
    }

    static FulmarException unknown(String procedure) {
        return new FulmarException(
                ErrorCode.UNKNOWN_PROCEDURE, "there is no procedure " + procedure + "; CREATE PROCEDURE makes one");
    }

    private void routeStatement(Arrival arrival, TransactionRequest.AdHoc adHoc) {
        Program program = current.get();
        Statements.Meaning.Runs known = statements.find(adHoc, program);
        if (known != null) {
            runAllowed(arrival.with(known.request()), known.statement());
            return;
        }
        Compilation compilation =
                compilations.join(statements.textToCompile(adHoc, program), program, arrival, deadlineNanos(arrival));
        if (compilation != null) {
            startCompiling(arrival, adHoc, program, compilation);
        }
    }

    /** A query by what is known of the tables by now. What others do as well waits for nothing. */
    private void startCompiling(
            Arrival arrival, TransactionRequest.AdHoc adHoc, Program program, Compilation compilation) {
        Runnable compiles = () -> compile(arrival, adHoc, program, compilation);
        if (Statements.mayBeQuery(adHoc.sql())) {
            census.refresh(compiles);
        } else {
            compiles.run();
        }
    }

    private void compile(Arrival arrival, TransactionRequest.AdHoc adHoc, Program program, Compilation compilation) {
        planning.submit(
                claim(arrival),
                adHoc.sql().length(),
                () -> {
                    try {
                        compileAndRun(arrival, adHoc, program);
                    } finally {
                        end(compilation);
                    }
                },
                refusal -> {
                    try {
                        answer(arrival, Answers.failed(refusal));
                    } finally {
                        end(compilation);
                    }
                });
    }

    private void end(Compilation compilation) {
        compilations.end(compilation).forEach(waiting -> routeAfter(compilation, waiting));
        compilations.leave();
    }

    private long deadlineNanos(Arrival arrival) {
        return arrival.nanos() + limits.timeoutNanos(arrival.request().timeoutNanos());
    }

    private PlanningClaim claim(Arrival arrival) {
        return new RequestClaim(arrival, deadlineNanos(arrival), runtimes.cancelled());
    }

    private void compileAndRun(Arrival arrival, TransactionRequest.AdHoc adHoc, Program program) {
        try {
            switch (statements.compile(adHoc, program)) {
                case Statements.Meaning.Runs(var statement, var request) ->
                    runAllowed(arrival.with(request), statement);
                case Statements.Meaning.Changes(var change) -> change(arrival, change, adHoc.sql(), program);
                case Statements.Meaning.MakesTable made -> makeTable(arrival, made, program);
                case Statements.Meaning.Explains(var lines, var needs) -> {
                    Caller caller = adHoc.caller();
                    needs.ifPresentOrElse(
                            rights -> AccessControl.statement(caller, program.catalog(), rights),
                            () -> AccessControl.explainChange(caller, program.catalog()));
                    answer(arrival, ExplanationBlock.of(lines));
                }
            }
        } catch (FulmarException e) {
            if (triesAgain(arrival, homes.knowsCatalog())) {
                return;
            }
            // A repeated CREATE may fail because the first one did not.
            refuse(
                    arrival,
                    e,
                    () -> once(
                            arrival,
                            answer -> answer.accept(changes.isMade(handle(arrival)) ? Answers.CHANGED : failure(e))));
        } catch (Throwable defect) { // the caller must get an answer whatever happens
            answer(arrival, Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
        }
    }

    /** A compilation without a result to keep, such as DDL or an error: each waiting request compiles by itself. */
    private void routeAfter(Compilation compilation, Arrival arrival) {
        try {
            TransactionRequest.AdHoc adHoc = (TransactionRequest.AdHoc) arrival.request();
            Program program = current.get();
            String text = statements.textToCompile(adHoc, program);
            if (statements.find(adHoc, program) == null && compilation.isOf(text, program)) {
                startCompiling(arrival, adHoc, program, compilations.alone(text, program, deadlineNanos(arrival)));
            } else {
                route(arrival);
            }
        } catch (FulmarException e) {
            refuse(arrival, e, () -> answer(arrival, failure(e)));
        } catch (Throwable defect) { // those that wait behind it must get their answers too
            answer(arrival, Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
        }
    }

    private void runAllowed(Arrival arrival, PreparedStatement statement) {
        AccessControl.statement(arrival.request().caller(), statement.program().catalog(), statement.needs());
        if (goesWhereItWent(arrival, statement.target(), statement.program())) {
            run(arrival, statement);
        }
    }

    private void change(Arrival arrival, CatalogChange change, String sql, Program program) {
        Caller caller = arrival.request().caller();
        AccessControl.change(caller, program.catalog(), change);
        checkName(change);
        if (!homes.changesCatalog()) {
            homes.pass(plan.partitionCount(), arrival.request(), arrival.sink());
            return;
        }
        PasswordSealing.Sealed sealed = passwords.seal(change, sql);
        once(
                arrival,
                answer -> sealed.apply(changes, handle(arrival), claim(arrival), response -> {
                    caller.witness()
                            .changed(
                                    sealed.description(),
                                    response instanceof TransactionResponse.Failed failed
                                            ? failed.code().name()
                                            : "DONE");
                    answer.accept(response);
                }));
    }

    private static ChangeHandle handle(Arrival arrival) {
        return new ChangeHandle(arrival.request().clientId(), arrival.request().requestId());
    }

    /** A name that begins with a dot is that of a table that is still being made, which is no business of requests. */
    private static void checkName(CatalogChange change) {
        if (change instanceof CatalogChange.CreateTable create && SchemaName.isPending(create.name())) {
            throw new FulmarException(
                    ErrorCode.SYNTAX, "the name of a table does not begin with a dot; choose another one");
        }
    }

    private void makeTable(Arrival arrival, Statements.Meaning.MakesTable made, Program program) {
        AccessControl.statement(arrival.request().caller(), program.catalog(), made.needs());
        if (!homes.changesCatalog()) {
            homes.pass(plan.partitionCount(), arrival.request(), arrival.sink());
            return;
        }
        once(arrival, answer -> {
            if (changes.isMade(handle(arrival))) {
                answer.accept(Answers.CHANGED);
            } else {
                new TableMaking(made.table(), arrival.request(), ways(), pending, current, answer).start();
            }
        });
    }

    private TableMaking.Ways ways() {
        return new TableMaking.Ways() {
            @Override
            public void run(TransactionRequest.AdHoc statement, Consumer<TransactionResponse> then) {
                submit(statement, (asked, response) -> then.accept(response));
            }

            @Override
            public void change(
                    TransactionRequest.AdHoc statement, ChangeHandle handle, Consumer<TransactionResponse> then) {
                PlanningClaim claim = PlanningClaim.ofNode(then);
                planning.submitSurely(
                        claim,
                        () -> changeHere(statement, handle, claim, then),
                        refusal -> then.accept(Answers.failed(refusal)));
            }
        };
    }

    private void changeHere(
            TransactionRequest.AdHoc statement,
            ChangeHandle handle,
            PlanningClaim claim,
            Consumer<TransactionResponse> then) {
        try {
            CatalogChange change = statements.change(statement, current.get());
            changes.apply(change, new CatalogEntry.Statement(statement.sql()), handle, claim, then);
        } catch (FulmarException e) {
            then.accept(failure(e));
        } catch (Throwable defect) { // whoever waits for the table must hear of it
            then.accept(Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
        }
    }

    /** Brings a jar in; for calls that other nodes pass on too. */
    private void loadClasses(Arrival arrival, TransactionRequest.Call call, Program program) {
        AccessControl.system(call.caller(), program.catalog(), Privilege.ADMIN);
        if (homes.changesCatalog()) {
            changes.load(JarRequest.jar(call), handle(arrival), claim(arrival), response -> answer(arrival, response));
        } else {
            homes.pass(plan.partitionCount(), call, arrival.sink());
        }
    }

    /** Does the work unless the request is a retry, which gets the first answer. */
    private void once(Arrival arrival, Consumer<Consumer<TransactionResponse>> work) {
        boolean isRemembered = arrival.request().clientId() != 0
                && homes.isHere(homeOf(arrival.request()).partition().id().number());
        if (!isRemembered) {
            work.accept(response -> answer(arrival, response));
        } else {
            distributed.doOnce(arrival, homeOf(arrival.request()), work);
        }
    }

    /** The partition that remembers the client's requests over several partitions. */
    private PartitionRuntime homeOf(TransactionRequest request) {
        return runtimes.all().get(Spread.partition(request.clientId(), plan.partitionCount()));
    }

    private void run(Arrival arrival, PreparedStatement statement) {
        BitSet partitions = statement.partitions(arrival.request().parameters(), plan);
        if (partitions.cardinality() > 1) {
            runDistributed(arrival, statement.target());
        } else {
            int partition = partitions.isEmpty() ? anyPartition(arrival) : partitions.nextSetBit(0);
            runOn(partition, arrival, statement.target(), statement.program());
        }
    }

    private void runOn(int partition, Arrival arrival, CallTarget target, Program program) {
        if (!homes.isHere(partition)) {
            if (!readsCopy(partition, arrival, target)) {
                homes.pass(partition, arrival.request(), arrival.sink());
            }
            return;
        }
        PartitionRuntime runtime = runtimes.all().get(partition);
        PartitionInbox inbox = runtime.partition().inbox();
        if (!inbox.hasRoom()) {
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    "partition " + inbox.partition() + " has " + inbox.depth()
                            + " requests waiting; send fewer at once, or again after a moment");
        }
        inbox.put(new LocalCall(arrival, target, program, runtime, this));
    }

    /** Reads a single statement's rows where a copy is, without passing the request on; false if it cannot. */
    private boolean readsCopy(int partition, Arrival arrival, CallTarget target) {
        LoadedProcedure procedure = target.procedure();
        int home = anyPartition(arrival);
        boolean may = procedure.isReadOnly()
                && isSingle(procedure)
                && !isStrict(arrival.request(), procedure)
                && homes.readsCopy(partition)
                && homes.isHere(home)
                && distributed.live().count() < distributedCapacity;
        if (may) {
            startSnapshot(arrival, runtimes.all().get(home), null, procedure);
        }
        return may;
    }

    private void runDistributed(Arrival arrival, CallTarget target) {
        if (distributed.live().count() >= distributedCapacity) {
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    distributedCapacity
                            + " multi-partition transactions are under way; send fewer at once, or again after a"
                            + " moment");
        }
        TransactionRequest request = arrival.request();
        int home = target.procedure().isReadOnly() || request.clientId() == 0
                ? anyPartition(arrival)
                : Spread.partition(request.clientId(), plan.partitionCount());
        if (!homes.isHere(home)) {
            homes.pass(home, request, arrival.sink());
            return;
        }
        if (target.procedure().isReadOnly()) {
            startSnapshot(arrival, runtimes.all().get(home), null, target.procedure());
        } else if (request.clientId() == 0) {
            distributed.start(arrival, runtimes.all().get(home), null);
        } else {
            distributed.startOnce(arrival, homeOf(request));
        }
    }

    private void startSnapshot(
            Arrival arrival,
            PartitionRuntime home,
            HandledRequest.@Nullable Underway underway,
            LoadedProcedure procedure) {
        distributed.startSnapshot(arrival, home, underway, isStrict(arrival.request(), procedure), isSingle(procedure));
    }

    private static boolean isStrict(TransactionRequest request, LoadedProcedure procedure) {
        return switch (request.consistency()) {
            case DECLARED -> !procedure.readsAnySnapshot();
            case STRICT -> true;
            case SNAPSHOT -> false;
        };
    }

    /** Java code may execute its statement several times, each time on other partitions. */
    private static boolean isSingle(LoadedProcedure procedure) {
        return procedure.statements().size() == 1
                && !(procedure.definition().body() instanceof ProcedureDefinition.JavaClass);
    }

    private int anyPartition(Arrival arrival) {
        TransactionRequest request = arrival.request();
        long number = request.clientId() == 0 ? arrival.nanos() : request.clientId() * 31 + request.requestId();
        int chosen = Spread.partition(number, plan.partitionCount());
        for (int i = 0; i < plan.partitionCount(); i++) {
            int partition = (chosen + i) % plan.partitionCount();
            if (homes.isHere(partition)) {
                return partition;
            }
        }
        return chosen;
    }

    private static void answer(Arrival arrival, TransactionResponse response) {
        arrival.sink().respond(arrival.request(), response);
        arrival.sink().flush();
    }
}
