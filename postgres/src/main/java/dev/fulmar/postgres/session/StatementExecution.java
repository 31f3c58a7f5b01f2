package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.activity.OwnActivity;
import dev.fulmar.postgres.copy.CopyTransactions;
import dev.fulmar.postgres.dialect.SessionFacts;
import dev.fulmar.postgres.dialect.TableCreation;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.setting.SessionSettings;
import dev.fulmar.postgres.temporary.SessionTables;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.session.SessionCommand;
import dev.fulmar.wire.session.TransactionMode;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Executes the statements of a session, one at a time, and sends their results. */
final class StatementExecution {
    private final SessionServices services;
    private final ClientIdentity client;
    private final ClientOutput output;
    private final SessionSettings settings;
    private final SessionCommands commands;
    private final HeldMemory memory;
    private final AnswerSink sink;
    private final LargeResults large;
    private final CopyExecution copies;
    private final DatabaseRequests requests;
    private final CopyRequests copyRequests;
    private final Runnable free;
    private final BiConsumer<FulmarException, Places> failed;
    private final TransactionBlock block = new TransactionBlock();
    private final DeclaredCursors cursors;
    private final HeldWork held;
    private final SessionTables temporary;
    private final TableWork tableWork;
    private final SessionLocks locks;
    private final SessionCalls calls;
    private final Descriptions descriptions;
    private final SentRows rows;
    private final OwnActivity activity;

    /** The client is gone: nothing is sent any more. */
    private boolean isOver;

    /**
     * @param held hears of what cannot be done again
     * @param free is told when the next statement may be executed
     * @param failed hears of errors of statements
     */
    StatementExecution(
            SessionServices services,
            ClientIdentity client,
            SessionThread thread,
            ClientOutput output,
            HeldMemory memory,
            PreparedTexts prepared,
            HeldWork held,
            Runnable free,
            BiConsumer<FulmarException, Places> failed) {
        this.services = services;
        this.client = client;
        this.output = output;
        this.rows = new SentRows(output);
        this.activity = new OwnActivity(services.sessions());
        this.free = free;
        this.failed = failed;
        this.memory = memory;
        this.held = held;
        this.sink = new AnswerSink(thread, this::answered, memory, client.origin());
        this.cursors = new DeclaredCursors(sink.heldCursors());
        this.settings = client.settings(services.usualPlace(), sink.settings(), output);
        this.commands = new SessionCommands(settings, prepared, cursors, output, sink::lastNumbers);
        this.large = new LargeResults(services, sink, memory, block, this::ask, this::openInstead);
        this.copies = new CopyExecution(this, output, failed);
        this.requests = new DatabaseRequests(services, client, settings, sink);
        this.temporary = new SessionTables(services.temporary());
        this.tableWork = new TableWork(
                temporary, block, this::ask, (sql, answered) -> request(0, sql, Bound.NO_PARAMETERS, answered), failed);
        SessionWait wait = new SessionWait(thread, failed, this::goOnIfFree);
        this.locks = new SessionLocks(services.locks(), wait, settings, output);
        this.calls = new SessionCalls(locks, new SessionPause(wait, services.scheduler(), settings), settings);
        this.descriptions = new Descriptions(
                services.describer(),
                thread,
                sink,
                block::changes,
                (text, parameters) -> requests.next(inSession(text).sql(), parameters),
                failed,
                this::goOnIfFree);
        this.copyRequests = new CopyRequests(
                requests, block, text -> temporary.marked(text, settings.statementStyle()), this::goOnIfFree);
    }

    SessionSettings settings() {
        return settings;
    }

    SessionFacts facts() {
        return commands.facts(client, activity);
    }

    OwnActivity activity() {
        return activity;
    }

    TransactionBlock block() {
        return block;
    }

    HeldMemory memory() {
        return memory;
    }

    DeclaredCursors cursors() {
        return cursors;
    }

    SessionServices services() {
        return services;
    }

    boolean isBusy() {
        return requests.isAwaited()
                || rows.areWaiting()
                || descriptions.isUnderWay()
                || copyRequests.isBusy()
                || locks.waits().isUnderWay();
    }

    Descriptions descriptions() {
        return descriptions;
    }

    /** The COPY that may be under way. */
    CopyExecution copies() {
        return copies;
    }

    CopyTransactions copyTransactions() {
        return copyRequests;
    }

    /** Whether the client's next message may be handled. */
    boolean isFree() {
        return copies.isUnderWay() ? copies.takesMore() : !isBusy();
    }

    void cancel() {
        if (requests.isAwaited()) {
            services.router().cancel(client.clientId(), requests.last());
        }
        copyRequests.cancel(request -> services.router().cancel(client.clientId(), request));
        copies.cancel();
        locks.waits().cancel();
    }

    void leave() {
        isOver = true;
        activity.leave();
        requests.leave();
        rows.drop();
        sink.leave();
        memory.leave();
        copies.leave();
        copyRequests.leave();
        descriptions.leave();
        services.router().departed(sink);
        temporary.leave();
        locks.leave();
    }

    // Statements.

    /**
     * Executes a statement.
     *
     * @param standsAlone whether it is a transaction by itself, if none is open
     */
    void execute(Bound written, boolean standsAlone) {
        activity.executes(written.translation().source());
        if (tableWork.isDue()) {
            tableWork.settle(() -> execute(written, standsAlone), error -> failed.accept(error, Places.NONE));
            return;
        }
        Bound statement = written.with(inSession(written.translation()));
        Translation translation = statement.translation();
        SessionCommand command = SessionCommand.of(translation.sql());
        block.check(translation, command, standsAlone || written.portal() != null);
        if (locks.areDiscardedBy(written.translation())) {
            locks.discard(() -> execute(written, standsAlone));
            return;
        }
        temporary.check(translation);
        translation.checkPath(settings.statementStyle());
        if (cursors.areMeantBy(command, held) && !block.isOpen()) {
            finish(statement, cursors.execute(command, newRequest(), sink));
            return;
        }
        switch (command) {
            case SessionCommand.Begin(TransactionMode mode) -> begin(mode, translation);
            case SessionCommand.Commit _ -> end(true, translation);
            case SessionCommand.Rollback _ -> end(false, translation);
            case SessionCommand.Chain(boolean commits) -> chain(commits);
            case SessionCommand.RollbackTo _, SessionCommand.Savepoint _, SessionCommand.Release _ ->
                inBlock(statement, () -> temporary.executed(command));
            case SessionCommand.SetMode(TransactionMode mode) -> setMode(mode, statement);
            default -> executeSql(statement, standsAlone && !DeclaredCursors.isHeldBy(command));
        }
    }

    private Translation inSession(Translation written) {
        return written.inSession(settings.statementStyle(), temporary.schemaFor(written));
    }

    private void executeSql(Bound statement, boolean standsAlone) {
        if (temporary.areDiscardedBy(statement.translation())) {
            discard(statement);
            return;
        }
        String tag = commands.execute(statement);
        boolean isAlone = standsAlone
                && !temporary.needsTransaction(statement.translation())
                && !locks.needTransaction(statement.translation());
        if (tag != null) {
            held.dropUnless(block.isOpen());
            complete(tag, statement);
        } else if (block.isOpen() || (isAlone && !commands.readsOnly())) {
            run(statement);
        } else {
            open(commands.opening("BEGIN"), true, () -> run(statement));
        }
    }

    private void discard(Bound statement) {
        held.dropUnless(block.isOpen());
        ask(block.openNumber(), temporary.removal(), Bound.NO_PARAMETERS, statement.translation()::message, _ -> {
            temporary.discarded(!block.isOpen());
            locks.executed(statement.translation());
            commands.execute(statement);
            complete(CommandTag.of(statement.translation().words()), statement);
        });
    }

    private void run(Bound statement) {
        Optional<TableCreation> atOnce = tableWork.atOnce(statement.translation());
        if (atOnce.isPresent()) {
            tableWork.makeAtOnce(statement, atOnce.get(), made -> finish(statement, made));
            return;
        }
        temporary.seen(statement.translation());
        if (!block.isOpen() || CopyExecution.isCopy(statement.translation())) {
            held.drop(); // the data of a COPY are not kept
        }
        if (!statement.translation().calls().isEmpty()) {
            call(statement);
            return;
        }
        if (CopyExecution.isCopy(statement.translation())) {
            copies.run(statement.translation(), count -> {
                executed(statement);
                complete("COPY " + count, statement);
            });
            return;
        }
        if (block.isReadOnly() && statement.isReadInParts()) {
            large.read(statement, feed -> open(statement, feed));
            return;
        }
        Translation text = statement.translation();
        request(text.showsPlan() ? 0 : block.openNumber(), text.sql(), statement.parameters(), answer -> {
            switch (answer) {
                case Committed committed -> {
                    executed(statement);
                    tableWork.settled(() -> finish(statement, committed));
                }
                case Failed failure
                when large.isFor(statement, failure) -> large.read(statement, feed -> open(statement, feed));
                case Failed(ErrorCode code, String message, var _) ->
                    failed.accept(new FulmarException(code, message + large.reason(code)), text::message);
            }
        });
    }

    private void executed(Bound statement) {
        block.executed(statement.translation());
        temporary.executed(statement.translation());
        locks.executed(statement.translation());
    }

    /** Has the database compute the arguments of functions of the session, and then executes these. */
    private void call(Bound statement) {
        held.drop(); // no transaction would take it back
        Translation text = statement.translation();
        long transaction = CallRows.readsNothing(text) ? 0 : block.openNumber();
        ask(transaction, text.sql(), statement.parameters(), text::message, query -> {
            Consumer<Committed> then = row -> finish(statement, row);
            calls.execute(text.calls(), query, !block.isOpen(), then, e -> failed.accept(e, text::message));
        });
    }

    /** Another transaction takes the place of one that has done nothing. */
    private void openInstead(String beginning, Runnable then) {
        block.replaced();
        Consumer<Committed> opening = _ -> open(beginning, block.isImplicit(), then);
        ask(block.number(), "ROLLBACK", Bound.NO_PARAMETERS, Places.NONE, opening);
    }

    /** Executes a query whose rows all are sent, and of which one part is held at a time where that can be. */
    void query(Bound written, Consumer<ResultFeed> opened) {
        Bound query = written.with(inSession(written.translation()));
        temporary.seen(query.translation());
        locks.checkNone(query.translation());
        if (query.translation().isQuery() && (!block.isOpen() || block.isReadOnly())) {
            large.read(query, opened);
            return;
        }
        Translation text = query.translation();
        request(block.openNumber(), text.sql(), query.parameters(), answer -> {
            if (large.isFor(query, answer)) {
                large.read(query, opened);
                return;
            }
            goOn(answer, text::message, all -> opened.accept(ResultFeed.copied(all, query.form(), memory)));
        });
    }

    private void inBlock(Bound statement, Runnable then) {
        Translation text = statement.translation();
        ask(block.number(), text.sql(), Bound.NO_PARAMETERS, text::message, answer -> {
            block.executed(text);
            settings.executed(SessionCommand.of(text.sql()));
            then.run();
            tableWork.wentBack(() -> finish(statement, answer), e -> failed.accept(e, Places.NONE));
        });
    }

    private void setMode(TransactionMode mode, Bound statement) {
        if (block.isOpen()) {
            inBlock(statement, () -> settings.transactionHas(block.set(mode)));
        } else {
            output.warn(ErrorCode.NO_ACTIVE_TRANSACTION, "SET TRANSACTION can only be used in transaction blocks");
            complete("SET", statement);
        }
    }

    // Transactions.

    private void begin(TransactionMode mode, Translation translation) {
        block.checkMayBegin(mode);
        Runnable complete = () -> sendTag(CommandTag.of(translation.words()));
        if (!block.isOpen()) {
            open(commands.opening(translation.sql()), false, complete);
            return;
        }
        if (block.isImplicit()) {
            block.becomeExplicit();
        } else {
            output.warn(ErrorCode.ACTIVE_TRANSACTION, "there is already a transaction in progress");
        }
        complete.run();
    }

    private void open(String sql, boolean isImplicit, Runnable then) {
        ask(block.nextNumber(), sql, Bound.NO_PARAMETERS, Places.NONE, answer -> {
            TransactionMode mode = block.opened(sql, isImplicit);
            held.begins(sink);
            settings.transactionHas(mode);
            temporary.transactionBegins();
            locks.transactionBegins();
            then.run();
        });
    }

    private void end(boolean commits, Translation translation) {
        if (!block.isOpen()) {
            output.warn(ErrorCode.NO_ACTIVE_TRANSACTION, "there is no transaction in progress");
            sendTag(CommandTag.of(translation.words()));
            return;
        }
        if (block.isImplicit()) { // which ends all the same
            output.warn(ErrorCode.NO_ACTIVE_TRANSACTION, "there is no transaction in progress");
        }
        endBlock(commits, this::sendTag);
    }

    private void sendTag(String tag) {
        output.send(new BackendMessage.CommandComplete(tag));
    }

    /** Ends the transaction, and begins another one of the same modes. */
    private void chain(boolean commits) {
        String again = block.chained(commits ? "COMMIT" : "ROLLBACK");
        endBlock(commits, tag -> open(again, false, () -> sendTag(tag)));
    }

    /** Ends the client's transaction; one that has failed is rolled back. */
    private void endBlock(boolean commits, Consumer<String> then) {
        boolean isCommitted = commits && !block.hasFailed();
        end(isCommitted, failure -> {
            if (failure != null) {
                failed.accept(failure, Places.NONE);
            } else {
                then.accept(isCommitted ? "COMMIT" : "ROLLBACK");
            }
        });
    }

    /** Commits what came together, unless the client has said where it begins and ends. */
    void endImplicit(Consumer<@Nullable FulmarException> then) {
        if (block.isImplicit()) {
            end(true, then);
        } else {
            then.accept(null);
        }
    }

    private void end(boolean commits, Consumer<@Nullable FulmarException> then) {
        if (!commits) {
            Runnable done = () -> tableWork.settled(() -> then.accept(null));
            request(block.number(), "ROLLBACK", Bound.NO_PARAMETERS, _ -> ended(false, done));
            return;
        }
        Consumer<@Nullable FulmarException> named = cannot -> {
            if (cannot == null) {
                request(block.number(), "COMMIT", Bound.NO_PARAMETERS, answer -> committed(answer, then));
            } else {
                requests.send(block.number(), "ROLLBACK", Bound.NO_PARAMETERS);
                ended(false, () -> then.accept(cannot));
            }
        };
        if (block.isReadOnly()) {
            named.accept(null);
        } else {
            locks.name((sql, answered) -> request(block.number(), sql, Bound.NO_PARAMETERS, answered), named);
        }
    }

    SessionLocks locks() {
        return locks;
    }

    private void committed(TransactionResponse answer, Consumer<@Nullable FulmarException> then) {
        FulmarException failure = answer instanceof Failed failed ? locks.reason(failed) : null;
        if (failure == null) {
            held.drop();
        } else {
            // A COMMIT that could be sent again stays open in the database.
            requests.send(block.number(), "ROLLBACK", Bound.NO_PARAMETERS);
        }
        ended(failure == null, () -> tableWork.settled(() -> then.accept(failure)));
    }

    /** A statement has failed: its transaction only ends. */
    void fail() {
        memory.giveBackReserved(); // of a part that was not read
        if (block.isImplicit()) {
            end(false, ignored -> {});
        } else {
            block.failed();
        }
    }

    /** Rolls the transaction back in the database, if it is open there yet; the session knows nothing of that. */
    void rollBack(Runnable then) {
        if (block.isOpen()) {
            request(block.number(), "ROLLBACK", Bound.NO_PARAMETERS, ignored -> then.run());
        } else {
            then.run();
        }
    }

    /** Forgets the transaction, which was rolled back. */
    void takeBack() {
        memory.giveBackReserved();
        ended(false, () -> {});
    }

    private void ended(boolean isCommitted, Runnable then) {
        block.ended();
        cursors.transactionEnds();
        settings.transactionEnds(isCommitted);
        temporary.transactionEnds(isCommitted);
        locks.transactionEnds(then);
    }

    // Requests.

    private void ask(Consumer<TransactionRequest.AdHoc> question, Bound statement, Consumer<Committed> then) {
        TransactionRequest.AdHoc request = newRequest();
        requests.await(answer -> goOn(answer, statement.translation()::message, then));
        question.accept(request);
    }

    private void goOn(TransactionResponse answer, Places places, Consumer<Committed> then) {
        switch (answer) {
            case Committed committed -> then.accept(committed);
            case Failed(ErrorCode code, String message, var _) ->
                failed.accept(new FulmarException(code, message), places);
        }
    }

    /** Asks, and goes on if the answer is no failure. */
    private void ask(long transaction, String sql, byte[] parameters, Places places, Consumer<Committed> then) {
        request(transaction, sql, parameters, answer -> goOn(answer, places, then));
    }

    private void request(long transaction, String sql, byte[] parameters, Consumer<TransactionResponse> then) {
        requests.await(then);
        requests.send(transaction, sql, parameters);
    }

    /** A request without a text, under a handle of its own. */
    TransactionRequest.AdHoc newRequest() {
        return requests.next("", Bound.NO_PARAMETERS);
    }

    private void answered(long requestId, TransactionResponse response) {
        if (isOver) {
            return;
        }
        try {
            if (!copyRequests.answered(requestId, response) && !requests.answered(requestId, response)) {
                return; // nobody awaits it
            }
        } catch (FulmarException e) {
            failed.accept(e, Places.NONE);
        }
        goOnIfFree();
    }

    private void goOnIfFree() {
        if (isFree()) {
            free.run();
        }
    }

    // Results.

    private void finish(Bound statement, Committed answer) {
        if (statement.isTaken(answer)) {
            return;
        }
        switch (answer.kind()) {
            case NOTHING -> complete(CommandTag.of(statement.translation().words()), statement);
            case VALUE -> complete(CommandTag.ofRows(statement.translation().words(), answer.value()), statement);
            case TABLE -> open(statement, ResultFeed.whole(answer, statement.form(), memory));
            case TABLES ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED, "several results of one statement are not supported here");
        }
    }

    /** The first rows of a result are here. */
    private void open(Bound statement, ResultFeed feed) {
        statement.opened(feed, output);
        send(feed, statement);
    }

    /** Sends rows, and then the end or the pause of the portal. */
    void send(ResultFeed feed, Bound statement) {
        long limit = statement.rowLimit() == Long.MAX_VALUE ? Long.MAX_VALUE : feed.sent() + statement.rowLimit();
        long before = feed.sent();
        List<String> words = statement.translation().words();
        rows.send(feed, statement, limit, sent -> complete(CommandTag.ofRows(words, sent - before), statement));
    }

    SentRows rows() {
        return rows;
    }

    /** The client takes more rows. */
    void writable() {
        if (rows.writable() && !isBusy()) {
            free.run();
        }
    }

    private void complete(String tag, Bound statement) {
        memory.giveBackReserved(); // for rows that were no part of the answer
        ClientPortal portal = statement.portal();
        if (portal != null) {
            portal.describe(output, BackendMessage.NoData::new);
            portal.done();
        }
        cursors.executed(statement.translation());
        if (!statement.isSilent()) {
            sendTag(tag);
        }
    }
}
