package dev.fulmar.coordinator;

import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.invocation.InvokedProcedures;
import dev.fulmar.coordinator.request.AwaitedTurn;
import dev.fulmar.coordinator.request.CalledStatement;
import dev.fulmar.coordinator.request.DrawnNumbers;
import dev.fulmar.coordinator.request.NumberedStatement;
import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptResults;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.routing.Reach;
import dev.fulmar.coordinator.statement.NeededSteps;
import dev.fulmar.coordinator.statement.PlannedScripts;
import dev.fulmar.coordinator.statement.PlannedStep;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.statement.RowNumberDraw;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.statement.Statements.Meaning;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.CallContinuation;
import dev.fulmar.coordinator.transaction.DistributedCalls;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.coordinator.transaction.LocalScript;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.engine.plan.TableMarks;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.engine.spi.Invocation;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has the statements of sessions planned, and checks the rights that they need, before their transaction starts. So no
 * partition's thread plans them. Thread-safe.
 */
final class ScriptRouting {
    private static final long[] NO_NUMBERS = {};

    /** Runs work on a planner's thread, or answers the request if that cannot be. */
    interface Planner {
        /** @param letters of the texts to plan */
        void plan(IncomingRequest incoming, int letters, Runnable work);
    }

    private static final Runnable NOTHING_FOLLOWS = () -> {};

    /** A partition stores such rows within some tens of milliseconds. */
    private static final long MOST_BYTES_OF_A_TURN = 2 << 20;

    private final Statements statements;
    private final SequenceRanges numbers;
    private final Planner planner;
    private final RequestHomes places;
    private final DistributedCalls distributed;
    private final LeaseRouting leases;
    private final int capacity;
    private final CallContinuation continuation;
    private final BiConsumer<IncomingRequest, FulmarException> refuses;
    private final ScriptChanges changes;
    private final PlannedScripts recent = new PlannedScripts();

    ScriptRouting(
            Statements statements,
            SequenceRanges numbers,
            Planner planner,
            RequestHomes places,
            DistributedCalls distributed,
            LeaseRouting leases,
            int capacity,
            CallContinuation continuation,
            BiConsumer<IncomingRequest, FulmarException> refuses,
            ScriptChanges changes) {
        this.changes = changes;
        this.statements = statements;
        this.numbers = numbers;
        this.planner = planner;
        this.places = places;
        this.distributed = distributed;
        this.leases = leases;
        this.capacity = capacity;
        this.continuation = continuation;
        this.refuses = refuses;
    }

    /** Starts the transaction once all its statements are planned for the program; throws where one may not run. */
    void route(IncomingRequest incoming, TransactionRequest.Script script, Program program) {
        if (script.ending() == ScriptEnding.RELEASE) {
            leases.release(incoming, script, step -> find(script, step, program), program);
            return;
        }
        if (script.ending() == ScriptEnding.CHANGE && script.steps().isEmpty()) {
            changes.ask(script, incoming.sink());
            return;
        }
        List<PlannedStep> known = recent.find(script, program);
        int allowed = known.size();
        long unknownLetters = 0;
        for (ScriptStep step : script.steps().subList(allowed, script.steps().size())) {
            PlannedStep found = find(script, step, program);
            Invocation call = found == null && step.isNew() ? statements.findCall(step.sql()) : null;
            if (call != null) {
                answerCall(incoming, call, script.statement(step), program);
                return;
            }
            if (found == null) {
                unknownLetters += step.sql().length();
            } else {
                known.add(behind(known, found));
            }
        }
        if (known.size() == script.steps().size()) {
            start(incoming, script, known, allowed, program);
        } else {
            planner.plan(
                    incoming,
                    (int) Math.min(unknownLetters, Integer.MAX_VALUE),
                    () -> planAndStart(incoming, script, program));
        }
    }

    /** The session runs the statement of the procedure instead. */
    private static void answerCall(
            IncomingRequest incoming, Invocation call, TransactionRequest.AdHoc statement, Program program) {
        TransactionRequest.AdHoc called = InvokedProcedures.statement(call, statement, program);
        answer(incoming, new CalledStatement(called.sql(), called.parameters()).toAnswer());
    }

    private @Nullable PlannedStep find(TransactionRequest.Script script, ScriptStep step, Program program) {
        NumberedStatement.refuse(step.sql());
        Meaning.Runs plain = statements.find(script.statement(step.using(NO_NUMBERS)), program);
        if (plain == null) {
            return null;
        }
        PlannedStep planned = planned(script, step, plain);
        if (step.numbers().length == 0) {
            return planned;
        }
        PreparedStatement given = statements.find(planned.request().sql(), program);
        return given == null ? null : new PlannedStep(given, planned.step(), planned.request());
    }

    private static PlannedStep planned(TransactionRequest.Script script, ScriptStep step, Meaning.Runs plain) {
        ScriptStep general = step.with(plain.request().sql(), plain.request().parameters());
        return new PlannedStep(plain.statement(), general, script.statement(general));
    }

    /** The statement with the texts of the one before it where they say the same: a script has each text once. */
    private static PlannedStep behind(List<PlannedStep> before, PlannedStep planned) {
        return before.isEmpty() ? planned : planned.behind(before.getLast());
    }

    /** Null if the statement changes the catalog. */
    private @Nullable PlannedStep planAgain(TransactionRequest.Script script, ScriptStep step, Program program) {
        try {
            return plan(script, step, program);
        } catch (FulmarException failure) {
            throw of(step, failure);
        }
    }

    /** A statement that was executed before, and cannot be any more, ends the transaction. */
    static FulmarException of(ScriptStep step, FulmarException failure) {
        return step.isNew() || failure.code().category() != ErrorCode.Category.USER
                ? failure
                : new FulmarException(
                        ErrorCode.SERIALIZATION_FAILURE,
                        "a statement of the transaction cannot be executed any more; run it again from BEGIN on ("
                                + failure.getMessage() + ")");
    }

    private @Nullable PlannedStep plan(TransactionRequest.Script script, ScriptStep step, Program program) {
        NumberedStatement.refuse(step.sql());
        Meaning.Runs plain = compiled(script.statement(step.using(NO_NUMBERS)), program);
        if (plain == null) {
            return null;
        }
        PlannedStep planned = planned(script, step, plain);
        if (step.numbers().length == 0) {
            return planned;
        }
        String text = planned.request().sql();
        PreparedStatement known = statements.find(text, program);
        PreparedStatement given = known == null ? statements.compile(text, program) : known;
        return new PlannedStep(given, planned.step(), planned.request());
    }

    private void planAndStart(IncomingRequest incoming, TransactionRequest.Script script, Program program) {
        try {
            List<PlannedStep> planned = new ArrayList<>();
            for (ScriptStep step : script.steps()) {
                if (step.isNew()
                        && step.numbers().length == 0
                        && statements.compile(script.statement(step), program)
                                instanceof Meaning.Calls(Invocation call)) {
                    answerCall(incoming, call, script.statement(step), program);
                    return;
                }
                PlannedStep each = planAgain(script, step, program);
                if (each == null) {
                    changes.route(incoming, script, program, queries());
                    return;
                }
                planned.add(behind(planned, each));
            }
            start(incoming, script, planned, 0, program);
        } catch (FulmarException e) {
            refuses.accept(incoming, e);
        } catch (Throwable defect) { // the caller must get an answer whatever happens
            answer(incoming, Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
        }
    }

    private ScriptChanges.Queries queries() {
        return new ScriptChanges.Queries() {
            @Override
            public void run(
                    IncomingRequest incoming,
                    TransactionRequest.Script script,
                    PreparedStatement query,
                    Program program) {
                query(incoming, script, query, program);
            }

            @Override
            public void run(IncomingRequest incoming, TransactionRequest.Script script, Program program) {
                planAndStart(incoming, script, program);
            }
        };
    }

    /** Runs a query by itself on a partition of this node; where that changes, the whole script is planned again. */
    private void query(
            IncomingRequest incoming, TransactionRequest.Script script, PreparedStatement query, Program program) {
        int partition = places.any(incoming);
        if (!places.homes().isHere(partition)) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "this node leads no partition now, so it has no queries in a transaction that changes tables; connect"
                            + " to another one");
        }
        TransactionRequest.Script runs = script.with(ScriptEnding.UNDO);
        PartitionRuntime runtime = places.withRoom(partition);
        runtime.partition()
                .inbox()
                .put(new LocalScript(
                        incoming,
                        runs,
                        List.of(query.target()),
                        List.of(Reach.ofTables(TableMarks.ALL)),
                        program,
                        runtime,
                        continuation,
                        NOTHING_FOLLOWS));
    }

    /** Null if the statement changes the catalog. */
    private Meaning.@Nullable Runs compiled(TransactionRequest.AdHoc statement, Program program) {
        Meaning meaning = statements.compile(statement, program);
        boolean isChange = meaning instanceof Meaning.Changes
                || (meaning instanceof Meaning.MakesTable(CreateTableAsPlan made, var _) && made.makesEmptyTable());
        return isChange ? null : statement(meaning, statement.sql());
    }

    /** The meaning of the statement of the procedure that a statement calls; any other meaning as it is. */
    static Meaning called(Meaning meaning, TransactionRequest.AdHoc statement, Statements statements, Program program) {
        return meaning instanceof Meaning.Calls(Invocation call)
                ? statements.compile(InvokedProcedures.statement(call, statement, program), program)
                : meaning;
    }

    /** The statement of a transaction that changes no table; fails if it cannot be one. */
    static Meaning.Runs statement(Meaning meaning, String sql) {
        return switch (meaning) {
            case Meaning.Runs runs -> runs;
            case Meaning.Changes _ -> throw readOnly(sql);
            case Meaning.MakesTable _ ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a transaction of several statements makes no table of a query; CREATE it and INSERT the rows,"
                                + " or send the statement outside of one: " + sql);
            case Meaning.Calls _ -> throw Invariants.breach("the statement of a procedure calls none");
            case Meaning.Explains _ ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "EXPLAIN is no part of a transaction of several statements; send it outside of one");
        };
    }

    /** @param allowed statements, from the first one on, that the caller may execute */
    private void start(
            IncomingRequest incoming,
            TransactionRequest.Script script,
            List<PlannedStep> planned,
            int allowed,
            Program program) {
        List<PlannedStep> unchecked = planned.subList(allowed, planned.size());
        unchecked.forEach(each -> check(script, each, program));
        if (LeaseRouting.concerns(script)) {
            leases.route(incoming, script, planned, program);
            return;
        }
        if (unchecked.stream().anyMatch(ScriptRouting::isToDraw)) { // a number may be a key
            draw(incoming, script, planned);
            return;
        }
        planned.replaceAll(each -> each.partitions() == null ? each.at(partitions(each, program)) : each);
        remember(script, planned, program);
        boolean runsAll = !script.ending().undoes() || script.comparesImages(); // which are of the state that was seen
        startNeeded(incoming, script, runsAll ? planned : NeededSteps.of(planned), program);
    }

    private void startNeeded(
            IncomingRequest incoming, TransactionRequest.Script script, List<PlannedStep> needed, Program program) {
        List<ScriptStep> steps = new ArrayList<>(needed.size());
        List<CallTarget> targets = new ArrayList<>(needed.size());
        BitSet partitions = new BitSet();
        boolean isSlow = false;
        boolean inSteps = false;
        for (PlannedStep each : needed) {
            PreparedStatement statement = each.statement();
            steps.add(each.step());
            targets.add(statement.target());
            partitions.or(each.partitions() == null ? partitions(each, program) : each.partitions());
            isSlow |= statement.target().pace().isSlow() && needed.size() > 1;
            inSteps |= runsInSteps(statement);
        }
        TransactionRequest.Script general = script.with(steps);
        boolean isApart = isSlow || isLong(script) || (inSteps && script.comparesImages());
        if (partitions.cardinality() <= 1
                && !isApart
                && (script.ending().undoes() || commitsAlone(incoming, script, partitions))) {
            int partition = partitions.isEmpty() ? places.any(incoming) : partitions.nextSetBit(0);
            startOn(partition, incoming, general, needed, targets, program);
        } else {
            distribute(incoming.with(general), general, needed);
        }
    }

    /** Whether others are to have the partition between the statements of a COMMIT. */
    private static boolean isLong(TransactionRequest.Script script) {
        return script.ending() == ScriptEnding.COMMIT && script.bytes() > MOST_BYTES_OF_A_TURN;
    }

    /** The next script of the transaction has the same statements. */
    private void remember(TransactionRequest.Script script, List<PlannedStep> planned, Program program) {
        if (script.ending() == ScriptEnding.COMMIT) {
            recent.forget(script);
        } else {
            recent.keep(script, planned, program);
        }
    }

    /**
     * Whether the script is a COMMIT of one partition that this node leads, and nobody asks later what became of it. So
     * it needs no partition that remembers it: nobody sends it twice.
     */
    private boolean commitsAlone(IncomingRequest incoming, TransactionRequest.Script script, BitSet partitions) {
        return script.ending() == ScriptEnding.COMMIT
                && !partitions.isEmpty()
                && !incoming.sink().asksForOutcomes()
                && places.homes().isHere(partitions.nextSetBit(0));
    }

    /** Has a script that begins here wait for its turn, if it is to; else it runs. */
    private boolean awaitsTurn(IncomingRequest incoming, TransactionRequest.Script script, List<PlannedStep> planned) {
        int awaited = script.ending() == ScriptEnding.TRY ? leases.awaited(script, planned) : -1;
        if (awaited >= 0) {
            answer(incoming, AwaitedTurn.toAnswer(awaited));
        }
        return awaited >= 0;
    }

    /** Such a statement may change a row more than once, and COMMIT must see the images between the same ones. */
    private static boolean runsInSteps(PreparedStatement statement) {
        return statement.target().procedure().statements().getFirst().steps() != null;
    }

    private static BitSet partitions(PlannedStep planned, Program program) {
        try {
            return planned.statement().partitions(planned.request().parameters(), program.plan());
        } catch (FulmarException wrongParameters) {
            throw of(planned.step(), wrongParameters);
        }
    }

    /** Whether the statement is new, and draws numbers that it can be given. */
    private static boolean isToDraw(PlannedStep planned) {
        return planned.step().isNew()
                && planned.step().numbers().length == 0
                && !planned.statement().numbers().isEmpty();
    }

    /** Draws the numbers of all new statements, with which the session sends them again. */
    private void draw(IncomingRequest incoming, TransactionRequest.Script script, List<PlannedStep> planned) {
        List<GivenNumbers.Number> wanted = new ArrayList<>();
        List<PlannedStep> fresh =
                planned.stream().filter(each -> each.step().isNew()).toList();
        if (fresh.stream().anyMatch(each -> isToDraw(each) && each.statement().needsAsMany())) {
            count(incoming, script, planned, fresh.size());
            return;
        }
        fresh.stream()
                .filter(ScriptRouting::isToDraw)
                .forEach(each -> wanted.addAll(each.statement().numbers()));
        draw(incoming, wanted, all -> {
            List<long[]> each = new ArrayList<>();
            int taken = 0;
            for (PlannedStep statement : fresh) { // one that has its numbers already keeps them
                boolean isDrawn = isToDraw(statement);
                int end = taken + (isDrawn ? statement.statement().numbers().size() : 0);
                each.add(
                        isDrawn
                                ? Arrays.copyOfRange(all, taken, end)
                                : statement.step().numbers());
                taken = end;
            }
            return each;
        });
    }

    /**
     * Runs the script with a query in place of its new statement, which tells how many numbers that needs, and draws
     * them. So they are as many as the statement has rows behind the transaction's own changes.
     */
    private void count(
            IncomingRequest incoming, TransactionRequest.Script script, List<PlannedStep> planned, int newStatements) {
        if (newStatements > 1) { // the session sends each by itself then
            answer(
                    incoming,
                    new TransactionResponse.Failed(
                            ErrorCode.NOT_SUPPORTED,
                            "a statement whose rows draw numbers of sequences is run by itself"));
            return;
        }
        List<ScriptStep> steps =
                new ArrayList<>(planned.stream().map(PlannedStep::step).toList());
        steps.set(steps.size() - 1, steps.getLast().using(RowNumberDraw.question()));
        PreparedStatement statement = planned.getLast().statement();
        continuation.reroute(new IncomingRequest(
                script.with(steps).with(ScriptEnding.UNDO),
                new PassingSink<>(script, incoming.sink()) {
                    @Override
                    public void respond(TransactionRequest counting, TransactionResponse response) {
                        drawCounted(incoming, statement, response);
                    }
                },
                incoming.nanos()));
    }

    private void drawCounted(IncomingRequest incoming, PreparedStatement statement, TransactionResponse response) {
        try {
            if (response instanceof TransactionResponse.Committed answer
                    && ScriptResults.read(answer).getFirst().response()
                            instanceof TransactionResponse.Committed counted) {
                RowNumberDraw rows = RowNumberDraw.of(statement.numbers(), counted, 0);
                draw(incoming, rows.wanted(), all -> List.of(rows.given(all)));
            } else {
                answer(incoming, response); // it would not run either
            }
        } catch (FulmarException tooMany) {
            answer(incoming, Answers.failed(tooMany));
        } catch (RuntimeException | Error defect) { // the caller must get an answer whatever happens
            answer(incoming, Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
        }
    }

    /** @param each makes what each new statement is given of the numbers that were drawn */
    private void draw(IncomingRequest incoming, List<GivenNumbers.Number> wanted, Function<long[], List<long[]>> each) {
        numbers.draw(wanted, incoming.request(), incoming.sink().lastNumbers(), new SequenceRanges.Listener() {
            @Override
            public void drawn(long[] all) {
                answer(incoming, DrawnNumbers.toAnswer(each.apply(all)));
            }

            @Override
            public void failed(TransactionResponse.Failed failure) {
                answer(incoming, failure);
            }
        });
    }

    private static void answer(IncomingRequest incoming, TransactionResponse response) {
        incoming.sink().respond(incoming.request(), response);
        incoming.sink().flush();
    }

    private static void check(TransactionRequest.Script script, PlannedStep planned, Program program) {
        try {
            AccessControl.statement(
                    script.caller(), program.catalog(), planned.statement().needs());
        } catch (FulmarException refused) {
            throw of(planned.step(), refused);
        }
        if (script.readOnly()) {
            checkOnlyReads(planned.statement(), planned.step().sql());
        }
    }

    /** Fails for a statement of a transaction that only reads, if it would change something. */
    static void checkOnlyReads(PreparedStatement statement, String sql) {
        if (!statement.target().procedure().isReadOnly()) {
            throw readOnly(sql);
        }
    }

    static FulmarException readOnly(String sql) {
        return new FulmarException(
                ErrorCode.READ_ONLY_TRANSACTION, "the transaction only reads, but this would change something: " + sql);
    }

    private void startOn(
            int partition,
            IncomingRequest incoming,
            TransactionRequest.Script script,
            List<PlannedStep> planned,
            List<CallTarget> targets,
            Program program) {
        if (!places.homes().isHere(partition)) {
            if (script.ending() == ScriptEnding.COMMIT) { // it has just been led here, and is passed to no other node
                distribute(incoming.with(script), script, planned);
            } else {
                places.passing().pass(partition, incoming.with(script));
            }
            return;
        }
        if (awaitsTurn(incoming, script, planned)) {
            return;
        }
        TransactionRequest.Script runs = script.ending() == ScriptEnding.TRY ? script.with(ScriptEnding.UNDO) : script;
        PartitionRuntime runtime = places.withRoom(partition);
        runtime.partition()
                .inbox()
                .put(new LocalScript(
                        incoming.with(runs),
                        runs,
                        targets,
                        planned.stream().map(PlannedStep::reach).toList(),
                        program,
                        runtime,
                        continuation,
                        () -> committed(incoming, runs, program)));
    }

    /** A script has committed on its partition, which is not durable yet. On the partition's thread. */
    private void committed(IncomingRequest incoming, TransactionRequest.Script script, Program program) {
        if (program.plan().partitionCount() == 1 && places.homes().stayHere()) { // so what follows is behind it
            incoming.sink().applied(script);
        }
    }

    /** A run that is undone has no outcome to remember, so it begins anywhere. */
    private void distribute(IncomingRequest asked, TransactionRequest.Script script, List<PlannedStep> planned) {
        IncomingRequest incoming =
                script.ending() == ScriptEnding.ASK && !asked.sink().isOfNode()
                        ? new IncomingRequest(
                                asked.request(), new OutcomeQuestion(script, asked.sink(), changes::ask), asked.nanos())
                        : asked;
        distributed.live().checkRoom(capacity);
        boolean isOnce = !script.ending().undoes() && script.clientId() != 0;
        PartitionRuntime home = isOnce
                ? places.remembering(script.clientId())
                : places.runtimes().all().get(places.any(incoming));
        int number = home.partition().id().number();
        if (!places.homes().isHere(number)) {
            places.homes().pass(number, script, incoming.sink());
        } else if (isOnce) {
            distributed.startOnce(incoming, home);
        } else if (!awaitsTurn(incoming, script, planned)) {
            TransactionRequest runs = script.ending() == ScriptEnding.TRY ? script.with(ScriptEnding.UNDO) : script;
            distributed.start(incoming.with(runs), home, null, null);
        }
    }
}
