package dev.fulmar.coordinator;

import dev.fulmar.coordinator.Compilations.Compilation;
import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.change.ClientChange;
import dev.fulmar.coordinator.change.PasswordSealing;
import dev.fulmar.coordinator.invocation.InvokedProcedures;
import dev.fulmar.coordinator.planning.PlanningClaim;
import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.coordinator.request.NumberedStatement;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.PartitioningParameter;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.statement.ExplanationBlock;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.statistics.StatisticsCollector;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.CallContinuation;
import dev.fulmar.coordinator.transaction.CallLimits;
import dev.fulmar.coordinator.transaction.DistributedCalls;
import dev.fulmar.coordinator.transaction.HandledRequest;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.coordinator.transaction.LocalCall;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.coordinator.transaction.ReadExtent;
import dev.fulmar.coordinator.transaction.RequestPassing;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Routes each request: into a partition's inbox, to a multi-partition transaction, to the queue of catalog changes, or
 * to another node. Thread-safe.
 */
final class DatabaseRouter implements TransactionRouter, CallContinuation {
    /** Time that a request waits for a version of the catalog that other nodes have already. */
    private static final long CATALOG_PATIENCE_NANOS = 2_000_000_000;

    private static final long CATALOG_RETRY_NANOS = 5_000_000;

    /** Time that a cancelled request may be on its way to where it runs. */
    private static final long CANCELLED_NANOS = 60_000_000_000L;

    private final AtomicReference<Program> current;
    private final PartitionRuntimes runtimes;
    private final DistributedCalls distributed;
    private final int distributedCapacity;
    private final Statements statements;
    private final StatisticsCollector census;
    private final ChangeQueue changes;
    private final UnfinishedTables pending;
    private final OwnStatements ways;
    private final StagedChanges staged;
    private final PasswordSealing passwords;
    private final PlanningQueue planning;
    private final CallLimits limits;
    private final Clock clock;
    private final Scheduler scheduler;
    private final PartitionHomes homes;
    private final Compilations compilations = new Compilations();
    private final RequestHomes places;
    private final LeaseRouting leases;
    private final ScriptRouting scripts;
    private final PortalRouting portals;
    private final DescriptionRouting descriptions;
    private final StatementNumbers numbers;
    private volatile boolean stopping;

    DatabaseRouter(
            DatabaseConfiguration configuration,
            NodeServices services,
            AtomicReference<Program> current,
            PartitionRuntimes runtimes,
            DistributedCalls distributed,
            Statements statements,
            PlanningQueue planning,
            StatisticsCollector census,
            ChangeQueue changes,
            UnfinishedTables pending,
            PartitionHomes homes) {
        this.current = current;
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
        this.places = new RequestHomes(
                runtimes, homes, new RequestPassing(homes, runtimes.cancelled(), clock, scheduler, this::reroute));
        SequenceRanges ranges =
                new SequenceRanges(clock, services.random(), () -> current.get().catalog(), this::route);
        this.numbers = new StatementNumbers(ranges, runtimes.cancelled(), this::route, this::refuseNumbers);
        this.leases = new LeaseRouting(places, limits, runtimes.cancelled(), clock, scheduler, statements::rowByRow);
        this.scripts = new ScriptRouting(
                statements,
                ranges,
                this::plan,
                places,
                distributed,
                leases,
                distributedCapacity,
                this,
                this::refuse,
                new ScriptChanges(statements, changes, passwords, places, distributed, this::claim));
        QueryPlanning queries = new QueryPlanning(current, statements, census, this::plan, places, clock);
        this.portals = new PortalRouting(statements, queries, this::plan, places, distributed.portals(), ranges);
        this.descriptions = new DescriptionRouting(queries);
        this.ways = new NodeWays(this, statements, changes, planning, portals, current, this::failure);
        this.staged = new StagedChanges(ways, pending, changes, current, runtimes.cancelled(), clock, scheduler);
    }

    @Override
    public void submit(TransactionRequest request, ResponseSink sink) {
        IncomingRequest incoming = new IncomingRequest(request, sink, clock.monotonicNanos());
        if (stopping) {
            answer(incoming, Answers.STOPPING);
        } else if (sink.isOfNode() || !NumberedStatement.looksLikeOne(request)) {
            route(incoming);
        } else {
            answer(incoming, Answers.failed(NumberedStatement.refused()));
        }
    }

    @Override
    public void cancel(long clientId, long requestId) {
        if (runtimes.cancelled().add(clientId, requestId)) {
            leases.cancel(clientId, requestId);
            distributed.cancel(clientId, requestId);
            homes.cancel(clientId, requestId);
            scheduler.schedule(CANCELLED_NANOS, () -> runtimes.cancelled().remove(clientId, requestId));
        }
    }

    @Override
    public long term(long clientId) {
        return distributed.term(places.remembering(clientId));
    }

    /** Calls that wait for one partition ask their sink when their turn comes. */
    @Override
    public void departed(ResponseSink sink) {
        distributed.departed(sink);
        homes.departed(sink);
        places.passing().departed(sink);
    }

    /** Takes no more requests. */
    void refuse() {
        stopping = true;
        pending.stop();
        portals.stop();
    }

    PortalRouting portals() {
        return portals;
    }

    DescriptionRouting descriptions() {
        return descriptions;
    }

    /** Requests that are neither at a partition nor a transaction yet. */
    int compilingCount() {
        return compilations.count();
    }

    @Override
    public void reroute(IncomingRequest incoming) {
        route(incoming.with(NumberedStatement.without(incoming.request())));
    }

    @Override
    public void distribute(
            IncomingRequest incoming, PartitionRuntime home, HandledRequest.@Nullable Underway underway) {
        CallTarget target = incoming.request() instanceof TransactionRequest.Call call
                ? home.program().find(call.procedure())
                : null;
        if (target != null && target.procedure().isReadOnly()) {
            startSnapshot(incoming, home, underway, target.procedure());
        } else {
            distributed.start(incoming, home, underway, this);
        }
    }

    private void route(IncomingRequest incoming) {
        try {
            switch (incoming.request()) {
                case TransactionRequest.Call call -> routeCall(incoming, call);
                case TransactionRequest.AdHoc adHoc -> routeStatement(incoming, adHoc);
                case TransactionRequest.Script script -> scripts.route(incoming, script, current.get());
            }
        } catch (FulmarException e) {
            refuse(incoming, e);
        }
    }

    /** Answers with a failure that does not come of rows. */
    private void refuse(IncomingRequest incoming, FulmarException cause) {
        if (!triesAgain(incoming, homes.knowsCatalog())) {
            refuse(incoming, cause, () -> answer(incoming, failure(cause)));
        }
    }

    /** Refuses a statement whose numbers could not be drawn, unless its sequence has just become another one. */
    private void refuseNumbers(IncomingRequest incoming, TransactionResponse.Failed failure) {
        if (failure.code() != ErrorCode.WRONG_NODE || !triesAgain(incoming, false)) {
            answer(incoming, failure);
        }
    }

    /** Whether a statement that has numbers of another sequence than it draws from by now is given others. */
    private boolean drawsAnew(IncomingRequest incoming, FulmarException cause) {
        IncomingRequest plain = incoming.with(NumberedStatement.without(incoming.request()));
        return cause.code() == ErrorCode.WRONG_NODE && !plain.equals(incoming) && triesAgain(plain, false);
    }

    /** A request that this node's catalog refuses may be right by a newer one, which a cut-off node does not know. */
    private void refuse(IncomingRequest incoming, FulmarException cause, Runnable refusal) {
        if (cause.code().category() == ErrorCode.Category.USER && homes.knowsCatalog()) {
            homes.confirmRefusal(incoming.request(), incoming.sink(), refusal);
        } else {
            refusal.run();
        }
    }

    /** A node that does not know the newest catalog cannot say what there is not. */
    private TransactionResponse failure(FulmarException cause) {
        return homes.knowsCatalog() ? Answers.failed(cause) : Answers.olderCatalog();
    }

    /** Retries a failed request while the newest catalog is about to come, under which it may succeed. */
    private boolean triesAgain(IncomingRequest incoming, boolean isNewest) {
        if (isNewest || clock.monotonicNanos() - incoming.nanos() >= CATALOG_PATIENCE_NANOS) {
            return false;
        }
        scheduler.schedule(CATALOG_RETRY_NANOS, () -> {
            if (stopping) {
                answer(incoming, Answers.STOPPING);
            } else {
                route(incoming);
            }
        });
        return true;
    }

    private void routeCall(IncomingRequest incoming, TransactionRequest.Call call) {
        Program program = current.get();
        if (JarRequest.is(call)) {
            loadClasses(incoming, call, program);
            return;
        }
        CallTarget target = program.target(call.procedure());
        AccessControl.call(call.caller(), program.catalog(), target.procedure().definition(), target.index());
        if (!goesWhereItWent(incoming, target.routedSince(), program)) {
            return;
        }
        PartitioningParameter partitioning = target.partitioning();
        if (partitioning != null) {
            runOn(partitioning.partition(call.parameters(), program.plan()), incoming, target, program);
            return;
        }
        switch (target.procedure().scope()) {
            case KEYED, ANYWHERE -> runOn(home(incoming, target), incoming, target, program);
            case MULTI_PARTITION -> runDistributed(incoming, target);
        }
    }

    /**
     * Whether all attempts of a request go to the same place, which remembers its outcome. All name one version of the
     * catalog, older than the first attempt; the place must be the same from that version to this program's. No older
     * program may route one, and the former place routes late ones anew. A request that is refused here comes again.
     */
    private boolean goesWhereItWent(IncomingRequest incoming, long routedSince, Program program) {
        TransactionRequest request = incoming.request();
        long known = request.catalogVersion();
        if (known == 0 || request.clientId() == 0) {
            return true;
        }
        if (known > TransactionRequest.toldVersion(program.catalog().version())) {
            if (!triesAgain(incoming, false)) {
                answer(incoming, Answers.olderCatalog());
            }
            return false;
        }
        if (known < routedSince) {
            answer(incoming, Answers.catalogChanged());
            return false;
        }
        return true;
    }

    private void routeStatement(IncomingRequest incoming, TransactionRequest.AdHoc adHoc) {
        Program program = current.get();
        Statements.Meaning.Runs known = statements.find(adHoc, program);
        if (known != null) {
            runAllowed(incoming.with(known.request()), known.statement());
            return;
        }
        var called = statements.findCall(adHoc.sql());
        if (called != null) {
            route(InvokedProcedures.call(incoming, called, program));
            return;
        }
        Compilation compilation =
                compilations.join(statements.textToCompile(adHoc, program), program, incoming, deadlineNanos(incoming));
        if (compilation != null) {
            startCompiling(incoming, adHoc, program, compilation);
        }
    }

    /** Compiles a query once the statistics are fresh; another statement compiles at once. */
    private void startCompiling(
            IncomingRequest incoming, TransactionRequest.AdHoc adHoc, Program program, Compilation compilation) {
        census.refreshFor(adHoc.sql(), () -> compile(incoming, adHoc, program, compilation));
    }

    private void compile(
            IncomingRequest incoming, TransactionRequest.AdHoc adHoc, Program program, Compilation compilation) {
        planning.submit(
                claim(incoming),
                adHoc.sql().length(),
                () -> {
                    try {
                        compileAndRun(incoming, adHoc, program);
                    } finally {
                        end(compilation);
                    }
                },
                refusal -> {
                    try {
                        answer(incoming, Answers.failed(refusal));
                    } finally {
                        end(compilation);
                    }
                });
    }

    private void plan(IncomingRequest incoming, int letters, Runnable work) {
        planning.submit(claim(incoming), letters, work, refusal -> answer(incoming, Answers.failed(refusal)));
    }

    private void end(Compilation compilation) {
        compilations.end(compilation).forEach(waiting -> routeAfter(compilation, waiting));
        compilations.leave();
    }

    private long deadlineNanos(IncomingRequest incoming) {
        return incoming.nanos() + limits.timeoutNanos(incoming.request().timeoutNanos());
    }

    private PlanningClaim claim(IncomingRequest incoming) {
        return new RequestClaim(incoming, deadlineNanos(incoming), runtimes.cancelled());
    }

    private void compileAndRun(IncomingRequest incoming, TransactionRequest.AdHoc adHoc, Program program) {
        try {
            switch (statements.compile(adHoc, program)) {
                case Statements.Meaning.Runs(var statement, var request) ->
                    runAllowed(incoming.with(request), statement);
                case Statements.Meaning.Calls(var invocation) ->
                    route(InvokedProcedures.call(incoming, invocation, program));
                case Statements.Meaning.Changes(var change, var sql) -> change(incoming, change, sql, program);
                case Statements.Meaning.MakesTable made -> makeTable(incoming, made, program);
                case Statements.Meaning.Explains(var lines, var needs) -> {
                    Caller caller = adHoc.caller();
                    needs.ifPresentOrElse(
                            rights -> AccessControl.statement(caller, program.catalog(), rights),
                            () -> AccessControl.explainChange(caller, program.catalog()));
                    answer(incoming, ExplanationBlock.of(lines));
                }
            }
        } catch (FulmarException e) {
            if (drawsAnew(incoming, e) || triesAgain(incoming, homes.knowsCatalog())) {
                return;
            }
            // A repeated CREATE may fail because the first one did not.
            refuse(
                    incoming,
                    e,
                    () -> once(
                            incoming,
                            answer -> answer.accept(changes.isMade(handle(incoming)) ? Answers.CHANGED : failure(e))));
        } catch (Throwable defect) { // the caller must get an answer whatever happens
            answer(incoming, Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
        }
    }

    /** A compilation without a result to keep, such as DDL or an error: each waiting request compiles by itself. */
    private void routeAfter(Compilation compilation, IncomingRequest incoming) {
        try {
            TransactionRequest.AdHoc adHoc = (TransactionRequest.AdHoc) incoming.request();
            Program program = current.get();
            String text = statements.textToCompile(adHoc, program);
            if (statements.find(adHoc, program) == null && compilation.isOf(text, program)) {
                startCompiling(incoming, adHoc, program, compilations.alone(text, program, deadlineNanos(incoming)));
            } else {
                route(incoming);
            }
        } catch (FulmarException e) {
            refuse(incoming, e, () -> answer(incoming, failure(e)));
        } catch (Throwable defect) { // those that wait behind it must get their answers too
            answer(incoming, Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
        }
    }

    private void runAllowed(IncomingRequest incoming, PreparedStatement statement) {
        AccessControl.statement(incoming.request().caller(), statement.program().catalog(), statement.needs());
        if (statement.needsNumbers()) {
            numbers.give(incoming, statement);
        } else if (goesWhereItWent(incoming, statement.routedSince(incoming.request()), statement.program())) {
            run(incoming, statement);
        }
    }

    private void change(IncomingRequest incoming, CatalogChange change, String sql, Program program) {
        Caller caller = incoming.request().caller();
        AccessControl.change(caller, program.catalog(), change);
        ClientChange.check(change);
        if (!homes.changesCatalog()) {
            homes.passChange(incoming.request(), ValueAnswer.noting(change, incoming, current));
            return;
        }
        PasswordSealing.Sealed sealed = passwords.seal(change, sql);
        Optional<StagedChanges.Work> work = staged.of(change, program, incoming.request(), deadlineNanos(incoming));
        once(incoming, answer -> {
            Consumer<TransactionResponse> witnessed = response -> {
                caller.witness()
                        .changed(
                                sealed.description(),
                                response instanceof TransactionResponse.Failed failed
                                        ? failed.code().name()
                                        : "DONE");
                answer.accept(ValueAnswer.of(change, response, incoming.sink(), current));
            };
            if (work.isEmpty() || changes.isMade(handle(incoming))) {
                sealed.apply(changes, handle(incoming), claim(incoming), witnessed);
            } else {
                work.get().start(witnessed);
            }
        });
    }

    private static ChangeHandle handle(IncomingRequest incoming) {
        return ChangeHandle.of(incoming.request());
    }

    private void makeTable(IncomingRequest incoming, Statements.Meaning.MakesTable made, Program program) {
        AccessControl.statement(incoming.request().caller(), program.catalog(), made.needs());
        if (!homes.changesCatalog()) {
            homes.passChange(incoming.request(), incoming.sink());
            return;
        }
        once(incoming, answer -> {
            if (changes.isMade(handle(incoming))) {
                answer.accept(Answers.CHANGED);
            } else {
                new CreateTableAs(made.table(), incoming.request(), ways, pending, current, answer).start();
            }
        });
    }

    /** Brings a jar in; for calls that other nodes pass on too. */
    private void loadClasses(IncomingRequest incoming, TransactionRequest.Call call, Program program) {
        AccessControl.system(call.caller(), program.catalog(), Privilege.ADMIN);
        if (homes.changesCatalog()) {
            changes.load(
                    JarRequest.jar(call), handle(incoming), claim(incoming), response -> answer(incoming, response));
        } else {
            homes.passChange(call, incoming.sink());
        }
    }

    /** Does the work unless the request is a retry, which gets the first answer. */
    private void once(IncomingRequest incoming, Consumer<Consumer<TransactionResponse>> work) {
        boolean isRemembered = incoming.request().clientId() != 0
                && places.remembersHere(incoming.request().clientId());
        if (!isRemembered) {
            work.accept(response -> answer(incoming, response));
        } else {
            distributed.doOnce(incoming, places.remembering(incoming.request().clientId()), work);
        }
    }

    private void run(IncomingRequest incoming, PreparedStatement statement) {
        BitSet partitions = statement.partitions(
                incoming.request().parameters(), statement.program().plan());
        if (partitions.cardinality() > 1) {
            runDistributed(incoming, statement.target());
        } else {
            int partition = partitions.isEmpty() ? home(incoming, statement.target()) : partitions.nextSetBit(0);
            runOn(partition, incoming, statement.target(), statement.program());
        }
    }

    private void runOn(int partition, IncomingRequest incoming, CallTarget target, Program program) {
        switch (homes.route(partition)) {
            case LOCAL -> runHere(partition, incoming, target, program);
            case COPY -> {
                if (!readsCopy(incoming, target)) {
                    places.passing().pass(partition, incoming);
                }
            }
            case ELSEWHERE -> places.passing().pass(partition, incoming);
        }
    }

    private void runHere(int partition, IncomingRequest incoming, CallTarget target, Program program) {
        PartitionRuntime runtime = places.withRoom(partition);
        runtime.partition().inbox().put(new LocalCall(incoming, target, program, runtime, this));
    }

    /** Reads a single statement's rows of a copy here, without passing the request on; false if it cannot. */
    private boolean readsCopy(IncomingRequest incoming, CallTarget target) {
        LoadedProcedure procedure = target.procedure();
        int home = places.any(incoming);
        boolean may = procedure.isReadOnly()
                && ReadExtent.of(procedure) == ReadExtent.ONE_BATCH
                && !incoming.request().consistency().isStrict(procedure)
                && homes.isHere(home)
                && distributed.live().count() < distributedCapacity;
        if (may) {
            startSnapshot(incoming, runtimes.all().get(home), null, procedure);
        }
        return may;
    }

    private void runDistributed(IncomingRequest incoming, CallTarget target) {
        distributed.live().checkRoom(distributedCapacity);
        TransactionRequest request = incoming.request();
        boolean isOfAny = target.procedure().isReadOnly() || request.clientId() == 0;
        int home = isOfAny
                ? places.any(incoming)
                : places.remembering(request.clientId()).partition().id().number();
        if (!homes.isHere(home)) {
            homes.pass(home, request, incoming.sink());
            return;
        }
        if (target.procedure().isReadOnly()) {
            startSnapshot(incoming, runtimes.all().get(home), null, target.procedure());
        } else if (request.clientId() == 0) {
            distributed.start(incoming, runtimes.all().get(home), null, null);
        } else {
            distributed.startOnce(incoming, places.remembering(request.clientId()));
        }
    }

    private void startSnapshot(
            IncomingRequest incoming,
            PartitionRuntime home,
            HandledRequest.@Nullable Underway underway,
            LoadedProcedure procedure) {
        boolean isStrict = incoming.request().consistency().isStrict(procedure);
        distributed.startSnapshot(incoming, home, underway, isStrict, ReadExtent.of(procedure));
    }

    /** Where a request begins that has no key. One that is repeated begins at the same partition, on any node. */
    private int home(IncomingRequest incoming, CallTarget target) {
        boolean isRepeated =
                !target.procedure().isReadOnly() && incoming.request().clientId() != 0;
        return isRepeated ? places.spread(incoming) : places.any(incoming);
    }

    private static void answer(IncomingRequest incoming, TransactionResponse response) {
        incoming.sink().respond(incoming.request(), response);
        incoming.sink().flush();
    }
}
