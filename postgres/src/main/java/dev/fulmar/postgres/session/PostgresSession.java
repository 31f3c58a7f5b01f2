package dev.fulmar.postgres.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.activity.SessionActivity;
import dev.fulmar.postgres.dialect.ChangingWith;
import dev.fulmar.postgres.dialect.ObjectLists;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.dialect.Translator;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.Severity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The session of one client of PostgreSQL's protocol, from its log-in on: takes its messages one after another, and
 * answers them. Not thread-safe: lives on its {@link SessionThread}.
 */
public final class PostgresSession {
    private static final int MOST_CLOSES = 100;

    private final ClientOutput output;
    private final String origin;
    private final HeldWork held;
    private final StatementExecution execution;
    private final ExtendedQueries extended;
    private final ArrayDeque<Work> waiting = new ArrayDeque<>();

    /** Statements of a Query behind a COPY whose data come now. */
    private final ArrayDeque<Work> afterCopy = new ArrayDeque<>();

    /** The statement of a Query that is executed, or was last; null for none. */
    private Work.@Nullable Statement executed;

    /** An extended query has failed: messages are skipped up to the next Sync. */
    private boolean skipsToSync;

    private boolean isGoingOn;
    private boolean isOver;

    /** The reason for which the session ends soon; null if it does not. */
    private @Nullable FulmarException stopping;

    public PostgresSession(SessionServices services, ClientIdentity client, SessionThread thread, ClientOutput output) {
        this.output = output;
        this.origin = client.origin();
        HeldMemory memory = new HeldMemory(services.underWay());
        PreparedTexts prepared = new PreparedTexts(memory);
        this.held = new HeldWork(output, prepared, memory, services.limits().reruns());
        this.execution = new StatementExecution(
                services, client, thread, output, memory, prepared, held, this::goOn, this::failed);
        this.extended = new ExtendedQueries(execution, prepared, output);
    }

    /**
     * Begins with what the client has said at first, and tells it that it may send statements.
     *
     * @param settings values by their names, in their order
     * @param key with which another connection cancels a statement
     */
    public void begin(Map<String, String> settings, BackendMessage.BackendKeyData key) {
        execution
                .activity()
                .begin(
                        key.processId(),
                        execution.facts().user(),
                        execution.facts().database(),
                        origin);
        settings.forEach(execution.settings()::begin);
        execution.settings().reportAll();
        output.send(key);
        ready();
    }

    /** Takes the client's next message. */
    public void take(FrontendMessage message) {
        if (!isOver) {
            waiting.add(new Work.Message(message));
            goOn();
        }
    }

    /** Messages that wait; a connection that has many is read no further for a while. */
    public int waiting() {
        return waiting.size();
    }

    /** The client takes more rows. */
    public void writable() {
        execution.writable();
        goOn();
    }

    /** Ends the statement that is executed now, if one is. */
    public void cancel() {
        held.cancel();
        execution.cancel();
    }

    /** The client is gone: its transaction is rolled back. */
    public void leave() {
        isOver = true;
        waiting.clear();
        afterCopy.clear();
        execution.leave();
    }

    private void goOn() {
        if (isGoingOn) {
            return; // what called does, without a call within a call for each error
        }
        isGoingOn = true;
        try {
            while (!isOver && output.isWritable() && mayGoOn()) {
                goOn(waiting.remove());
            }
        } finally {
            isGoingOn = false;
        }
    }

    private void goOn(Work next) {
        if (next instanceof Work.Statement && !execution.block().isOpen() && extended.hasNoPortals()) {
            held.beginHere();
        }
        if (!isQuery(next)) { // its statements are work of their own
            held.add(next);
        } else if (held.hasWork()) {
            held.drop();
        }
        try {
            switch (next) {
                case Work.Message(FrontendMessage message) -> handle(message);
                case Work.Statement statement -> statement(statement);
                case Work.QueryEnd() -> end();
            }
        } catch (FulmarException e) {
            failed(e, placesOf(next));
        }
    }

    private static boolean isQuery(Work work) {
        return work instanceof Work.Message(FrontendMessage.Query _);
    }

    private boolean mayGoOn() {
        if (!execution.copies().isUnderWay()) {
            unpark();
            return !execution.isBusy() && !waiting.isEmpty() && mayBegin();
        }
        while (!waiting.isEmpty() && !(waiting.element() instanceof Work.Message)) {
            afterCopy.add(waiting.remove());
        }
        return execution.copies().takesMore() && !waiting.isEmpty();
    }

    private void unpark() {
        while (!afterCopy.isEmpty()) {
            waiting.addFirst(afterCopy.removeLast());
        }
    }

    private static Places placesOf(Work work) {
        return work instanceof Work.Message(FrontendMessage.Parse parse) ? Places.of(parse.sql()) : Places.NONE;
    }

    /**
     * Whether the next message may be handled. What follows an Execute says whether it stands alone; a client has to
     * send a Sync or Flush before it waits. So has it behind a Describe that its Execute answers.
     */
    private boolean mayBegin() {
        if (waiting.peek() instanceof Work.Message(FrontendMessage.Describe describe)
                && !skipsToSync
                && extended.describesByRows(describe)) {
            return extended.isFollowed(describe, following(1));
        }
        if (!(waiting.peek() instanceof Work.Message(FrontendMessage.Execute _)) || skipsToSync) {
            return true;
        }
        // A client that sends nothing but Close is not waited for.
        return waiting.size() > MOST_CLOSES || behindCloses(true) != null;
    }

    /** The messages from that place of those that wait on, two at most. */
    private List<FrontendMessage> following(int place) {
        List<FrontendMessage> messages = new ArrayList<>();
        int number = 0;
        for (Work work : waiting) {
            if (number >= place + 2) {
                break;
            }
            if (number >= place && work instanceof Work.Message(FrontendMessage message)) {
                messages.add(message);
            }
            number++;
        }
        return messages;
    }

    /** The first that waits and is no Close, but for the first of all if that is left out; null if there is none. */
    private @Nullable Work behindCloses(boolean withoutFirst) {
        boolean isLeftOut = withoutFirst;
        for (Work work : waiting) {
            if (!isLeftOut && !isClose(work)) {
                return work;
            }
            isLeftOut = false;
        }
        return null;
    }

    private static boolean isClose(Work work) {
        return work instanceof Work.Message(FrontendMessage.Close _);
    }

    /** Whether an Execute is all that is executed up to the next Sync. */
    private boolean standsAlone() {
        return behindCloses(false) instanceof Work.Message(FrontendMessage.Sync _);
    }

    private void handle(FrontendMessage message) {
        if (skipsToSync && !endsSkipping(message)) {
            return;
        }
        if (execution.copies().isUnderWay() && !(message instanceof FrontendMessage.Terminate)) {
            execution.copies().take(message);
            return;
        }
        switch (message) {
            case FrontendMessage.Query(String sql) -> query(sql);
            case FrontendMessage.Sync _ -> {
                skipsToSync = false;
                end();
            }
            case FrontendMessage.Flush _ -> output.flush();
            case FrontendMessage.Terminate _ -> terminate();
            case FrontendMessage.Parse parse -> {
                execution.activity().executes(parse.sql());
                extended.parse(parse);
            }
            case FrontendMessage.Bind bind -> extended.bind(bind);
            case FrontendMessage.Describe describe -> extended.describe(describe, following(0));
            case FrontendMessage.Execute execute -> execute(execute);
            case FrontendMessage.Close close -> extended.close(close);
            case FrontendMessage.CopyData _, FrontendMessage.CopyDone _, FrontendMessage.CopyFail _ -> {
                // The rest of a COPY that has failed, as the protocol has it.
            }
            case FrontendMessage.Unreadable(char type, String reason) ->
                unreadable(type, new FulmarException(ErrorCode.MALFORMED_REQUEST, reason));
            case FrontendMessage.FunctionCall _ ->
                failsAsAQuery(new FulmarException(
                        ErrorCode.NOT_SUPPORTED, "calls of functions by their numbers are not supported; use SELECT"));
            case FrontendMessage.StartupMessage _,
                    FrontendMessage.SslRequest _,
                    FrontendMessage.GssEncryptionRequest _,
                    FrontendMessage.CancelRequest _,
                    FrontendMessage.AuthenticationResponse _ ->
                finish(new FulmarException(
                        ErrorCode.MALFORMED_REQUEST, "a message of the log-in came in the session; connect again"));
        }
    }

    /** Whether a message is handled though others are skipped. As in PostgreSQL, its type alone says so. */
    private static boolean endsSkipping(FrontendMessage message) {
        return switch (message) {
            case FrontendMessage.Sync _, FrontendMessage.Terminate _, FrontendMessage.AuthenticationResponse _ -> true;
            case FrontendMessage.Unreadable(char type, String _) -> type == 'S' || type == 'X';
            default -> false;
        };
    }

    /** Answers a message of which only the type is known, as PostgreSQL does for that type. */
    private void unreadable(char type, FulmarException error) {
        switch (type) {
            case 'X' -> terminate();
            case 'd', 'c', 'f' -> {
                // The rest of a COPY that has failed.
            }
            case 'Q', 'F', 'S' -> {
                skipsToSync = false;
                failsAsAQuery(error);
            }
            default -> throw error;
        }
    }

    private void terminate() {
        leave();
        output.close();
    }

    private void execute(FrontendMessage.Execute execute) {
        ClientPortal portal = extended.portal(execute);
        List<Translator.Part> before = portal.begin();
        if (before.isEmpty()) {
            extended.execute(portal, execute, standsAlone());
            return;
        }
        held.drop(); // its parts are no messages of the client
        waiting.addFirst(new Work.Message(execute));
        for (Translator.Part part : before.reversed()) {
            waiting.addFirst(new Work.Statement(part, false, true, 0));
        }
    }

    /** A message that needs no Sync has failed, and with it the transaction. */
    private void failsAsAQuery(FulmarException error) {
        waiting.addFirst(new Work.QueryEnd());
        failed(error, Places.NONE);
    }

    private void query(String sql) {
        extended.closeUnnamed();
        waiting.addFirst(new Work.QueryEnd());
        List<Translator.Part> statements;
        try {
            statements = Translator.statements(sql);
        } catch (FulmarException e) {
            failed(e, Places.of(sql));
            return;
        }
        if (statements.isEmpty()) {
            output.send(new BackendMessage.EmptyQueryResponse());
        }
        boolean isLast = true;
        for (Translator.Part statement : statements.reversed()) {
            boolean isSilent = false; // the last part of a statement tells of all
            List<Translator.Part> parts = ObjectLists.parts(statement);
            int turns = ObjectLists.mayChangePlaces(statement) ? parts.size() - 1 : 0;
            for (Translator.Part part : parts.reversed()) {
                waiting.addFirst(new Work.Statement(part, isLast, isSilent, turns));
                isLast = false;
                isSilent = true;
            }
        }
    }

    private void statement(Work.Statement statement) {
        Translator.Part part = statement.part();
        executed = statement;
        try {
            Translation translation = extended.expanded(Translator.translate(part, execution.facts()));
            if (translation.firstWord().equals("PREPARE")) {
                execution.block().checkUsable();
                extended.prepare(translation, () -> output.send(new BackendMessage.CommandComplete("PREPARE")));
            } else {
                boolean standsAlone = statement.isLast() && !execution.block().isImplicit();
                Bound bound = Bound.plain(
                        translation, statement.isSilent(), execution.settings().outputStyle());
                Optional<ChangingWith> with = ChangingWith.of(translation.source(), translation.start());
                with.ifPresentOrElse(
                        parts -> extended.execute(parts, bound), () -> execution.execute(bound, standsAlone));
            }
        } catch (FulmarException e) {
            failed(e, Places.of(part));
        }
    }

    /** The end of a Query, or a Sync: an implicit transaction is committed. */
    private void end() {
        executed = null;
        execution.endImplicit(failure -> {
            if (failure != null && mayRunAgain(failure)) {
                runAgain(() -> {});
                return;
            }
            if (failure != null) {
                report(failure, Places.NONE);
            }
            ready();
        });
    }

    private boolean mayRunAgain(FulmarException failure) {
        return stopping == null && held.mayRunAgain(failure.code());
    }

    /**
     * Does all work of the transaction again, which has failed because of another one.
     *
     * @param unless what to do if that cannot be any more when the transaction has ended
     */
    private void runAgain(Runnable unless) {
        execution.rollBack(() -> {
            if (!held.mayRunAgain(ErrorCode.SERIALIZATION_FAILURE)) { // the client has cancelled it meanwhile
                unless.run();
                return;
            }
            executed = null;
            List<Work> again = held.takeBack();
            output.flush(); // so nothing that comes now leaves
            long place = output.place();
            execution.takeBack();
            output.takeBack(place); // reports of settings that the client knows nothing of
            extended.endTransaction(false);
            again.reversed().forEach(waiting::addFirst);
        });
        goOn();
    }

    private SessionActivity.State shownState() {
        return switch (execution.block().status()) {
            case IDLE -> SessionActivity.State.IDLE;
            case IN_TRANSACTION -> SessionActivity.State.IN_TRANSACTION;
            case FAILED -> SessionActivity.State.FAILED;
        };
    }

    private void ready() {
        extended.endTransaction(execution.block().isOpen());
        execution
                .activity()
                .rests(
                        shownState(),
                        execution.settings().show("application_name").value());
        output.send(new BackendMessage.ReadyForQuery(execution.block().status()));
        if (execution.block().isOpen()) {
            held.drop();
        } else {
            held.beginHere();
        }
        FulmarException reason = stopping;
        if (reason == null) {
            output.flush();
        } else {
            finish(reason);
        }
    }

    /**
     * Whether a part of a statement comes again behind the other ones. Objects that are dropped together may depend on
     * each other, so those that others still depend on wait for these.
     */
    private boolean waitsForOthers(FulmarException error) {
        Work.Statement part = executed;
        boolean mayWait =
                error.code() == ErrorCode.DEPENDENT_OBJECTS && part != null && part.isSilent() && part.turns() > 0;
        if (part == null || !mayWait) {
            return false;
        }
        held.drop(); // they are in another order since
        ArrayDeque<Work> later = new ArrayDeque<>();
        Work.Statement place = part;
        while (place.isSilent() && waiting.poll() instanceof Work.Statement next) {
            later.add(place.withPart(next.part(), next.turns()));
            place = next;
        }
        later.add(place.withPart(part.part(), part.turns() - 1));
        while (!later.isEmpty()) {
            waiting.addFirst(later.removeLast());
        }
        return true;
    }

    /** A statement has failed: the rest of its Query, or all up to the next Sync, is not executed. */
    private void failed(FulmarException error, Places places) {
        if (waitsForOthers(error)) {
            goOn();
        } else if (mayRunAgain(error)) {
            runAgain(() -> reportFailed(error, places));
        } else {
            reportFailed(error, places);
        }
    }

    private void reportFailed(FulmarException error, Places places) {
        executed = null;
        report(error, places);
        unpark();
        while (waiting.peek() instanceof Work.Statement) {
            waiting.remove();
        }
        skipsToSync = !(waiting.peek() instanceof Work.QueryEnd);
        execution.fail();
        goOn();
    }

    private void report(FulmarException error, Places places) {
        output.send(new BackendMessage.ErrorResponse(diagnostic(Severity.ERROR, error, places)));
    }

    /** The last message of a session that ends. */
    public static BackendMessage fatal(FulmarException error) {
        return new BackendMessage.ErrorResponse(diagnostic(Severity.FATAL, error, Places.NONE));
    }

    private void finish(FulmarException error) {
        output.send(fatal(error));
        leave();
        output.close();
    }

    /** Ends the session as soon as no statement is executed, and says why. */
    public void stop(FulmarException reason) {
        stopping = reason;
        execution.locks().waits().cancel();
        if (!isOver && !isBusy()) {
            finish(reason);
        }
    }

    /** Whether a statement is executed, or its rows wait for the client. */
    public boolean isExecuting() {
        return execution.isBusy();
    }

    /** Whether a statement is executed, or messages wait. */
    public boolean isBusy() {
        return execution.isBusy() || !waiting.isEmpty();
    }

    static Diagnostic diagnostic(Severity severity, FulmarException error, Places places) {
        return Diagnostics.of(severity, error.code(), places.message(String.valueOf(error.getMessage())));
    }
}
