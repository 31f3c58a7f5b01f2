package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.AwaitedTurn;
import dev.fulmar.coordinator.request.CalledStatement;
import dev.fulmar.coordinator.request.DrawnNumbers;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.RowSearch;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptResults;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.SerialEvents;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.wire.session.CursorCommand;
import dev.fulmar.wire.session.SessionCommand;
import dev.fulmar.wire.session.TransactionMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One transaction that a client sends statement by statement, from BEGIN to COMMIT or ROLLBACK. Its statements are
 * executed in the order in which they come; changes of rows that wait together run together. A statement that fails for
 * what it says leaves the transaction as it was. If it could not be executed, the transaction only ends: later
 * statements may have been sent as if it had been. Thread-safe: the thread that brings an event handles it, unless
 * another one handles events; then that one does it too.
 */
final class Session {
    /** Listener to a session, which calls it while it handles events. */
    interface Listener {
        /** The transaction can only end. */
        void failed(ErrorCode code);

        /** Nothing is left of it; the last call. */
        void ended();
    }

    /** An event in the life of a session. */
    private sealed interface Event {
        record Sent(TransactionRequest.AdHoc request, ResponseSink sink) implements Event {}

        record Answered(TransactionResponse response) implements Event {}

        record LookedAt() implements Event {}

        record Abandoned() implements Event {}
    }

    private final SessionView view;
    private final TransactionRouter router;
    private final OpenTransaction transaction;
    private final SnapshotReads reads;
    private final Cursors cursors;
    private final HotReads hot;
    private final HeldAnswers answers;
    private final Listener listener;
    private final IdleWatch idle;

    private final SerialEvents<Event> events = new SerialEvents<>(this::handleSafely);

    // Touched while handling events only.
    private final ArrayDeque<Asked> waiting = new ArrayDeque<>();
    private final StatementBatching batching = new StatementBatching();
    private @Nullable Running running;
    private @Nullable FulmarException failure;

    /** Whether its client has heard nothing of the failure. */
    private boolean isUntold;

    private boolean isOver;
    private boolean isAbandoned;

    Session(
            SessionView view,
            TransactionRouter router,
            Clock clock,
            Scheduler scheduler,
            SessionLimits limits,
            OpenTransaction transaction,
            SnapshotReads reads,
            HotReads hot,
            Listener listener) {
        this.view = view;
        this.router = router;
        this.transaction = transaction;
        this.reads = reads;
        this.cursors =
                new Cursors(transaction, reads, (query, sink) -> waiting.addFirst(new Asked(query, sink)), this::read);
        this.hot = hot;
        this.answers = new HeldAnswers(limits.reruns());
        this.listener = listener;
        this.idle = new IdleWatch(limits, clock, scheduler, () -> events.post(new Event.LookedAt()));
    }

    /** The session as it was after the last event. Any thread. */
    OpenSession show() {
        return view.show();
    }

    /** The next statement; its answer goes to the sink. */
    void execute(TransactionRequest.AdHoc request, ResponseSink sink) {
        events.post(new Event.Sent(request, sink));
    }

    /** The client does not want what it asked for. Any thread. */
    void cancel(long clientId, long requestId) {
        reads.cancel(clientId, requestId);
    }

    /** The client is gone: what is not being committed never will be. */
    void abandon() {
        events.post(new Event.Abandoned());
    }

    private void handleSafely(Event event) {
        try {
            handle(event);
        } catch (RuntimeException | Error defect) { // else its client would wait for ever, as would all later events
            broke(defect);
        }
    }

    /** Tells all that wait of the defect, and ends. */
    private void broke(Throwable defect) {
        Running begun = running;
        running = null;
        if (begun != null) {
            waitAgain(begun, 0);
        }
        while (!waiting.isEmpty()) {
            respond(waiting.remove(), Answers.defect(defect));
        }
        if (!isOver) {
            isOver = true;
            transaction.release(); // not sent: that may be what broke, and leases end by themselves
            transaction.close();
            listener.ended();
        }
        FatalErrors.handIfFatal(defect);
    }

    private void handle(Event event) {
        switch (event) {
            case Event.Sent(TransactionRequest.AdHoc request, ResponseSink sink) ->
                waiting.add(answers.of(request, sink));
            case Event.Answered(TransactionResponse response) -> answered(response);
            case Event.LookedAt _ -> look();
            case Event.Abandoned _ -> abandoned();
        }
        while (running == null && !waiting.isEmpty()) {
            begin(waiting.remove());
        }
        if (isAbandoned && running == null) {
            end();
        }
        view.update(state());
        idle.watch(isOver, phase());
    }

    private IdleWatch.Phase phase() {
        if (running != null) {
            return IdleWatch.Phase.EXECUTES;
        }
        return failure == null ? IdleWatch.Phase.THINKS : IdleWatch.Phase.FAILED;
    }

    private OpenSession.State state() {
        Running begun = running;
        if (begun != null) {
            return begun.purpose().state();
        }
        return failure == null ? OpenSession.State.IDLE : OpenSession.State.FAILED;
    }

    private void abandoned() {
        isAbandoned = true;
        Running begun = running;
        if (begun != null) {
            router.departed(begun); // a statement that only its client waits for ends
            reads.departed();
            if (begun.purpose().state() == OpenSession.State.WAITING) {
                release(); // it waits no longer
            }
        }
    }

    private void begin(Asked asked) {
        TransactionRequest.AdHoc request = asked.request();
        endIfOverdue();
        try {
            boolean isRefused = isOver || isAbandoned || asked.sink().isGone();
            TransactionResponse answer = isRefused
                    ? Answers.failed(Sessions.noTransaction())
                    : answer(asked, SessionCommand.of(request.sql()));
            if (answer != null) {
                respond(asked, answer);
            }
        } catch (FulmarException e) {
            Running begun = running;
            if (begun != null) {
                running = null;
                waitAgain(begun, 1);
            }
            respond(asked, Answers.failed(e));
        }
        idle.touch();
    }

    /** A client that has one statement after another executed takes too long as well. */
    private void endIfOverdue() {
        FulmarException overdue = isOver || failure != null ? null : idle.overdue();
        if (overdue != null) {
            isUntold = true;
            fail(overdue);
        }
    }

    /** Null if the answer comes later. */
    private @Nullable TransactionResponse answer(Asked asked, SessionCommand statement) {
        FulmarException why = failure;
        switch (statement) {
            case SessionCommand.Rollback _ -> end();
            case SessionCommand.Commit _ -> {
                return commit(asked);
            }
            case SessionCommand.Chain chain -> throw chain.refused();
            case SessionCommand.Begin _ ->
                throw new FulmarException(
                        ErrorCode.ACTIVE_TRANSACTION, "a transaction is open already; COMMIT or ROLLBACK it first");
            default -> {
                if (why != null && isUntold) {
                    isUntold = false;
                    throw why;
                }
                if (why != null) {
                    throw new FulmarException(
                            ErrorCode.FAILED_TRANSACTION,
                            "the transaction has failed, so ROLLBACK it, and run it again from BEGIN on ("
                                    + why.getMessage() + ")");
                }
                return execute(asked, statement);
            }
        }
        return Committed.DONE;
    }

    private @Nullable TransactionResponse execute(Asked asked, SessionCommand statement) {
        switch (statement) {
            case SessionCommand.SetMode(TransactionMode mode) -> transaction.set(mode);
            case SessionCommand.Savepoint(String name) -> transaction.setSavepoint(name, cursors.declared());
            case SessionCommand.RollbackTo(String name) -> cursors.closeFrom(transaction.rollbackTo(name));
            case SessionCommand.Release(String name) -> transaction.release(name);
            case CursorCommand command -> {
                return cursors.execute(command, asked.request(), asked.sink());
            }
            default -> {
                run(asked);
                return null;
            }
        }
        return Committed.DONE;
    }

    /** Executes the statement, together with those that wait behind it and may run with it, or has it queue. */
    private void run(Asked first) {
        TransactionRequest.AdHoc request = first.request();
        List<Asked> asked = new ArrayList<>(List.of(first));
        List<ScriptStep> steps = new ArrayList<>(List.of(transaction.next(request, List.of(), 0)));
        if (transaction.isReadOnly()) {
            read(request, first.sink(), snapshot -> reads.query(request, snapshot));
            return;
        }
        ScriptEnding wish = wish(request);
        if (wish != null) {
            submit(transaction.lease(steps.getFirst(), wish, request), running(Purpose.LEASE, asked, steps, false));
            return;
        }
        if (StatementGuess.changesRows(request.sql())) {
            batching.gather(asked, steps, waiting, transaction);
        }
        run(asked, steps, false, ScriptEnding.TRY);
    }

    private void run(List<Asked> asked, List<ScriptStep> steps, boolean isLocked, ScriptEnding ending) {
        submit(
                transaction.with(steps, ending, asked.getFirst().request()),
                running(Purpose.STATEMENTS, asked, steps, isLocked));
    }

    /** Asks the transaction's snapshot. */
    private void read(TransactionRequest.AdHoc request, ResponseSink sink, Consumer<ResponseSink> question) {
        Running begun = running(Purpose.READ, List.of(new Asked(request, sink)), List.of(), false);
        running = begun;
        question.accept(begun);
    }

    private TransactionResponse read(TransactionResponse response) {
        if (response instanceof Failed(var code, var message, var _)
                && !isOver
                && (!ScriptStep.failsAlone(code) || reads.isOver())) {
            fail(new FulmarException(ErrorCode.SERIALIZATION_FAILURE, message));
        }
        return response;
    }

    /** Its wish for the lease of a row; null for none. */
    private @Nullable ScriptEnding wish(TransactionRequest.AdHoc request) {
        if (StatementGuess.isLocking(request.sql())) {
            return ScriptEnding.LEASE;
        }
        return transaction.queues() && hot.has(request.sql(), request.parameters()) ? ScriptEnding.QUEUE : null;
    }

    /** The statement may be executed that has waited for the lease of its row. */
    private void queued(Running begun, Committed answer) {
        run(begun.asked(), begun.steps(), answer.value() != 0, ScriptEnding.UNDO);
    }

    /** Nothing has run: others keep rows that one of the statements changes. All run when it has waited, once. */
    private void takeTurn(Running begun, int statement) {
        if (isAbandoned) {
            tookTurn(begun); // nobody would end the wait
            return;
        }
        try {
            submit(
                    transaction.lease(
                            begun.steps().get(statement),
                            ScriptEnding.TURN,
                            begun.asked().getFirst().request()), // by whose handle all of them are cancelled
                    running(Purpose.TURN, begun.asked(), begun.steps(), begun.isLocked()));
        } catch (FulmarException noMemory) { // then it goes on without
            run(begun.asked(), begun.steps(), begun.isLocked(), ScriptEnding.UNDO);
        }
    }

    private void tookTurn(Running begun) {
        if (isAbandoned) {
            waitAgain(begun, 0); // they are refused
        } else {
            run(begun.asked(), begun.steps(), begun.isLocked(), ScriptEnding.UNDO);
        }
    }

    private @Nullable TransactionResponse commit(Asked asked) {
        FulmarException why = failure;
        if (why != null) {
            end();
            throw why;
        }
        if (transaction.changesNothing()) { // what it has read was so at its last statement
            return committed(asked, Committed.DONE);
        }
        submit(transaction.commit(asked.request()), running(Purpose.COMMIT, List.of(asked), List.of(), false));
        return null;
    }

    private Running running(Purpose purpose, List<Asked> asked, List<ScriptStep> steps, boolean isLocked) {
        return new Running(purpose, asked, steps, isLocked, response -> events.post(new Event.Answered(response)));
    }

    private void submit(TransactionRequest.Script script, Running begun) {
        running = begun;
        router.submit(script, begun);
    }

    private void answered(TransactionResponse response) {
        Running begun = running;
        if (begun == null) {
            throw Invariants.breach("a session gets an answer to what it asked");
        }
        running = null;
        idle.touch();
        TransactionRequest.AdHoc called =
                CalledStatement.of(response, begun.asked().getFirst().request());
        if (called != null) {
            waiting.addFirst(new Asked(called, begun.asked().getFirst().sink()));
            return;
        }
        switch (begun.purpose()) {
            case COMMIT -> {
                if (!runsAgain(begun, response)) {
                    respond(begun.asked().getFirst(), committed(begun.asked().getFirst(), response));
                }
            }
            case LEASE -> {
                if (response instanceof Committed answer && !isAbandoned) {
                    switch (answer.kind()) {
                        case TABLE -> {
                            transaction.refused();
                            respond(begun.asked().getFirst(), answer); // it tells of no stored row, so it is not kept
                        }
                        case TABLES -> {
                            transaction.refused();
                            Asked asked = begun.asked().getFirst();
                            RowByRowQuery.begin(
                                    asked.request(),
                                    asked.sink(),
                                    RowSearch.read(answer),
                                    (next, query) -> waiting.addFirst(new Asked(next, query)));
                        }
                        case NOTHING, VALUE -> queued(begun, answer);
                    }
                } else {
                    if (response instanceof Failed(var code, var _, var _)
                            && !isAbandoned
                            && ScriptStep.failsAlone(code)) {
                        transaction.refused(code); // else its text would keep the others from being released
                    }
                    executed(begun, List.of(new ScriptResults.Result(response, false)));
                }
            }
            case TURN -> tookTurn(begun);
            case STATEMENTS -> executed(begun, response);
            case READ -> {
                if (!runsAgain(begun, response)) {
                    respond(begun.asked().getFirst(), read(response));
                    reads.answered(cursors.places());
                }
            }
        }
    }

    private void executed(Running begun, TransactionResponse response) {
        switch (response) {
            case Committed answer -> {
                List<long[]> numbers = DrawnNumbers.read(answer);
                if (AwaitedTurn.read(answer) >= 0) {
                    takeTurn(begun, AwaitedTurn.read(answer));
                } else if (numbers == null) {
                    executed(begun, ScriptResults.read(answer));
                } else {
                    executeWith(numbers, begun);
                }
            }
            case Failed failed
            when begun.asked().size() > 1 && ScriptStep.failsAlone(failed.code()) -> {
                batching.failed(begun.asked().size());
                waitAgain(begun, 0);
            }
            case Failed failed -> executed(begun, List.of(new ScriptResults.Result(failed, false)));
        }
    }

    private void executed(Running begun, List<ScriptResults.Result> results) {
        if (!results.isEmpty() && runsAgain(begun, results.getFirst().response())) {
            return;
        }
        batching.succeeded();
        for (int i = 0; i < results.size(); i++) {
            respond(begun.asked().get(i), executed(begun, i, results.get(i)));
        }
        waitAgain(begun, results.size());
    }

    /** The statements are sent again, with the numbers of sequences that they use from now on. */
    private void executeWith(List<long[]> numbers, Running begun) {
        List<ScriptStep> steps = new ArrayList<>();
        for (int i = 0; i < begun.steps().size(); i++) {
            steps.add(begun.steps().get(i).using(numbers.get(i)));
        }
        run(begun.asked(), steps, begun.isLocked(), ScriptEnding.TRY);
    }

    /** Statements that did not run wait again, before all others. */
    private void waitAgain(Running begun, int first) {
        begun.asked().subList(first, begun.asked().size()).reversed().forEach(waiting::addFirst);
    }

    /** Has the transaction run again, if it failed because of another one and its client knows nothing of it. */
    private boolean runsAgain(Running begun, TransactionResponse response) {
        boolean isConflict =
                response instanceof Failed(var code, var _, var _) && code == ErrorCode.SERIALIZATION_FAILURE;
        if (!isConflict || !answers.mayRunAgain() || !mayCommit(begun)) {
            return false;
        }
        ScriptStep first = begun.steps().isEmpty() ? null : begun.steps().getFirst();
        hot.noteConflict(ErrorCode.SERIALIZATION_FAILURE, transaction, first);
        List<Asked> again = answers.runAgain(() ->
                begun.asked().forEach(asked -> asked.sink().respond(asked.request(), response)));
        transaction.beginAgain();
        waiting.clear();
        waiting.addAll(again);
        return true;
    }

    /** Whether the client's transactions are remembered where they were at BEGIN; else none of its runs commits. */
    private boolean mayCommit(Running begun) {
        return transaction.isOfTerm(
                router.term(begun.asked().getFirst().request().clientId()));
    }

    /** The transaction is over, unless its COMMIT surely was not executed and may be tried again. */
    private TransactionResponse committed(Asked asked, TransactionResponse response) {
        if (response instanceof Committed) {
            cursors.keepHeld(asked.sink());
        }
        if (response instanceof Failed(var code, var _, var _) && code == ErrorCode.SERIALIZATION_FAILURE) {
            hot.noteConflict(code, transaction, null);
            listener.failed(code);
        }
        if (!(response instanceof Failed(var code, var _, var _) && code.category() == ErrorCode.Category.RETRYABLE)) {
            end();
        }
        return response;
    }

    private TransactionResponse executed(Running begun, int number, ScriptResults.Result result) {
        ScriptStep step = begun.steps().get(number);
        TransactionResponse response = result.response();
        try {
            switch (response) {
                case Committed answer
                when begun.asked().get(number).sink() instanceof RowByRowQuery query && !query.keeps(answer) -> {}
                case Committed committed ->
                    transaction.told(
                            step.shown(result.digest(committed, step.sql()), committed.results().length),
                            result.onlyReads(),
                            begun.isLocked());
                case Failed(ErrorCode code, String message, var lostNode) -> {
                    if (ScriptStep.failsForRows(code)) {
                        transaction.told(step.failed(code), false, false);
                    } else if (!ScriptStep.failsAlone(code)) {
                        hot.noteConflict(code, transaction, step);
                        fail(new FulmarException(ErrorCode.SERIALIZATION_FAILURE, message));
                        return transaction.notExecuted(new Failed(code, message, lostNode));
                    }
                }
            }
        } catch (FulmarException tooMuch) {
            return Answers.failed(tooMuch); // as if it had not run: nothing of it is left
        }
        return response;
    }

    private void release() {
        TransactionRequest.Script script = transaction.release();
        if (script != null) {
            router.submit(script, (asked, response) -> {});
        }
    }

    private void fail(FulmarException why) {
        release();
        failure = why;
        transaction.close();
        listener.failed(why.code());
    }

    private void end() {
        if (!isOver) {
            isOver = true;
            release();
            transaction.close();
            listener.ended();
        }
    }

    /** Looks whether its client takes too long. */
    private void look() {
        idle.looks();
        if (isOver || running != null) {
            return;
        }
        FulmarException late = idle.lateness();
        if (failure == null && late != null) {
            isUntold = true;
            fail(late);
            idle.touch(); // its client has as long again to hear of it
        } else if (failure != null && idle.isIdle()) {
            end();
        }
    }

    private void respond(Asked asked, TransactionResponse response) {
        view.update(state()); // a client that has its answer may look at the session
        asked.sink().respond(asked.request(), response);
        asked.sink().flush();
    }
}
