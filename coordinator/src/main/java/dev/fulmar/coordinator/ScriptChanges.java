package dev.fulmar.coordinator;

import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.access.StatementNeeds;
import dev.fulmar.coordinator.change.AddedRows;
import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.change.ClientChange;
import dev.fulmar.coordinator.change.JointEdit;
import dev.fulmar.coordinator.change.PasswordSealing;
import dev.fulmar.coordinator.planning.PlanningClaim;
import dev.fulmar.coordinator.request.NumberedStatement;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptResults;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.transaction.DistributedCalls;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.execution.LiteralCheck;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Executes the transactions of sessions that change the catalog. A statement is checked against the catalog as the
 * transaction's earlier statements leave it; no partition hears of it. COMMIT goes to the partition that remembers the
 * client's transactions, and from there to the node that makes the changes of the catalog. It makes all of them in one.
 * Thread-safe.
 */
final class ScriptChanges {
    /** Bytes of texts and parameters of INSERTs that come with a change: the catalog keeps all its changes for ever. */
    private static final int MOST_ROW_BYTES = 64 << 10;

    private static final byte[] NO_RESULTS = {};

    private final Statements statements;
    private final ChangeQueue changes;
    private final PasswordSealing passwords;
    private final RequestHomes places;
    private final DistributedCalls distributed;
    private final Function<IncomingRequest, PlanningClaim> claims;

    /** A change as it is made: its entry, and its description for observers; empty for rows. */
    private record Part(CatalogEntry entry, Optional<String> description) {}

    /** Port to the way in which queries run. */
    @FunctionalInterface
    interface Queries {
        /** Runs the only statement of a script, whose answer is that of the client's request. */
        void run(IncomingRequest incoming, TransactionRequest.Script script, PreparedStatement query, Program program);
    }

    ScriptChanges(
            Statements statements,
            ChangeQueue changes,
            PasswordSealing passwords,
            RequestHomes places,
            DistributedCalls distributed,
            Function<IncomingRequest, PlanningClaim> claims) {
        this.statements = statements;
        this.changes = changes;
        this.passwords = passwords;
        this.places = places;
        this.distributed = distributed;
        this.claims = claims;
    }

    /**
     * Executes a script with changes of the catalog. For a planner's thread; throws where a statement may not run.
     *
     * @param queries runs queries of the catalog as the transaction has changed it
     */
    void route(IncomingRequest incoming, TransactionRequest.Script script, Program program, Queries queries) {
        ScriptResults results = new ScriptResults();
        Draft draft = new Draft(script, program);
        for (ScriptStep step : script.steps()) {
            try {
                Committed result = draft.add(step);
                PreparedStatement query = draft.query;
                if (query != null && script.ending().undoes()) {
                    queries.run(incoming, script.with(List.of(step)), query, program);
                    return;
                }
                if (step.isNew()) {
                    results.add(result, false, 0);
                }
            } catch (FulmarException failure) { // what does not go together is refused, and ends no transaction
                throw failure.code() == ErrorCode.NOT_SUPPORTED ? failure : ScriptRouting.of(step, failure);
            }
        }
        switch (script.ending()) {
            case UNDO, TRY -> answer(incoming, results.toAnswer());
            case COMMIT -> commit(incoming, script, draft.parts);
            case CHANGE -> make(incoming, script, draft.parts, response -> answer(incoming, response));
            case ASK, LEASE, LEASE_HERE, TURN, QUEUE, RELEASE ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a transaction that changes tables keeps no rows from others; leave FOR UPDATE out");
        }
    }

    /** The changes of one script, and the catalog to which they lead. */
    private final class Draft {
        private final TransactionRequest.Script script;
        private final Program program;
        private final JointEdit edit;
        private final List<Part> parts = new ArrayList<>();

        /** Tables that get rows, as they are then. */
        private final Map<String, Table> filled = new TreeMap<>();

        private long rowBytes;

        /** A new query, which is the last statement then. */
        private @Nullable PreparedStatement query;

        Draft(TransactionRequest.Script script, Program program) {
            this.script = script;
            this.program = program;
            this.edit = new JointEdit(program.catalog());
        }

        /** Adds what the statement says, and returns its answer. */
        Committed add(ScriptStep step) {
            NumberedStatement.refuse(step.sql());
            SqlFrontend.Compiled compiled = statements.prospective(step.sql(), edit.catalog());
            boolean isOfCatalog = compiled instanceof SqlFrontend.Compiled.Runnable(StatementPlan plan, var _)
                    && readsNothingStored(plan);
            if (step.failure() != null && !isOfCatalog) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a transaction in which a statement failed for its rows changes no tables; ROLLBACK it, and begin anew");
            }
            return switch (compiled) {
                case SqlFrontend.Compiled.Change(CatalogChange change) -> add(step, change);
                case SqlFrontend.Compiled.Runnable(StatementPlan plan, var _) when isOfCatalog -> ask(step, plan);
                case SqlFrontend.Compiled.Runnable(StatementPlan plan, var _) -> add(step, plan);
                case SqlFrontend.Compiled.TableOfQuery _,
                        SqlFrontend.Compiled.Explanation _,
                        SqlFrontend.Compiled.Call _ ->
                    throw new FulmarException(
                            ErrorCode.NOT_SUPPORTED,
                            "a transaction that changes tables has no such statement; send it outside of one: "
                                    + step.sql());
            };
        }

        private Committed add(ScriptStep step, CatalogChange written) {
            checkMay(written, step);
            checkWrites(step);
            AccessControl.change(script.caller(), edit.catalog(), written);
            ClientChange.check(written);
            String text = statements.completed(step.sql(), written);
            CatalogChange change = !text.equals(step.sql())
                            && statements.prospective(text, edit.catalog())
                                    instanceof SqlFrontend.Compiled.Change(var completed)
                    ? completed
                    : written;
            CatalogEdit next = CatalogEdit.of(change, edit.catalog());
            checkFilled(next);
            if (step.isNew()) {
                changes.compile(next.catalog(), program);
            }
            edit.add(next);
            PasswordSealing.Sealed sealed = passwords.seal(change, text);
            parts.add(new Part(sealed.entry(), Optional.of(sealed.description())));
            return ValueAnswer.of(change);
        }

        /** Whether the plan has all that the query yields, as those about the catalog have. */
        private boolean readsNothingStored(StatementPlan plan) {
            return plan.isReadOnly() && !StatementNeeds.hasAccesses(plan, edit.catalog());
        }

        /** One of an earlier request is not asked again: COMMIT does not depend on it. */
        private Committed ask(ScriptStep step, StatementPlan plan) {
            AccessControl.statement(script.caller(), edit.catalog(), StatementNeeds.of(plan, edit.catalog()));
            query = step.isNew() ? statements.prepared(step.sql(), plan, program) : null;
            return Committed.DONE;
        }

        private void checkWrites(ScriptStep step) {
            if (script.readOnly()) {
                throw ScriptRouting.readOnly(step.sql());
            }
        }

        /** Rows come last, so what they are added to stays as it is. */
        private void checkFilled(CatalogEdit next) {
            filled.forEach((name, table) -> {
                if (!table.equals(next.catalog().tables().get(name))) {
                    throw new FulmarException(
                            ErrorCode.NOT_SUPPORTED,
                            "the transaction has inserted rows into " + name
                                    + ", and changes it no more; change tables first, or COMMIT");
                }
            });
        }

        private Committed add(ScriptStep step, StatementPlan plan) {
            boolean isOfRowsOnly = GivenNumbers.of(plan, edit.catalog()::isDenseSequence).stream()
                    .allMatch(number -> number.kind() == GivenNumbers.Kind.ROW);
            if (step.numbers().length > 0 && !isOfRowsOnly) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a transaction that has drawn numbers of sequences changes no tables; COMMIT it first");
            }
            CatalogEntry.Rows entry = new CatalogEntry.Rows(step.sql(), step.parameters(), script.micros());
            AddedRows rows = AddedRows.of(entry, plan, edit.catalog());
            checkWrites(step);
            AccessControl.statement(script.caller(), edit.catalog(), StatementNeeds.of(plan, edit.catalog()));
            LiteralCheck.check(plan, edit.catalog());
            if (!edit.mayGetRows(rows.table())) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a transaction inserts no rows into a table that it has altered; INSERT them after COMMIT: "
                                + step.sql());
            }
            rowBytes += step.sql().length() + step.parameters().length;
            if (rowBytes > MOST_ROW_BYTES) {
                throw new FulmarException(
                        ErrorCode.TRANSACTION_TOO_LARGE,
                        "the INSERTs of a transaction that changes tables have at most " + MOST_ROW_BYTES
                                + " bytes, for the catalog keeps them; INSERT the rest after COMMIT");
            }
            filled.put(rows.table().name(), rows.table());
            parts.add(new Part(entry, Optional.empty()));
            return new Committed(Kind.VALUE, rows.count(), NO_RESULTS);
        }
    }

    private static void checkMay(CatalogChange change, ScriptStep step) {
        switch (change) {
            case CatalogChange.CreateProcedure _,
                    CatalogChange.AlterProcedure _,
                    CatalogChange.DropProcedure _,
                    CatalogChange.CreateFunction _,
                    CatalogChange.DropFunction _ ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a transaction of several statements does not change procedures or functions; send the statement outside of one: "
                                + step.sql());
            case CatalogChange.RestartSequence restart
            when restart.yieldsValue() ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "setval takes effect at once, and no transaction takes it back; send it outside of one, or use"
                                + " ALTER SEQUENCE " + restart.name() + " RESTART WITH");
            case CatalogChange.ChangeAccess(AccessChange access)
            when access instanceof AccessChange.CreateUser || access instanceof AccessChange.AlterUser ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a transaction of several statements keeps no password; send CREATE USER and ALTER USER outside of one");
            default -> {}
        }
    }

    /** Asks the partition that remembers the client's transactions first, so that it is made once. */
    private void commit(IncomingRequest incoming, TransactionRequest.Script script, List<Part> parts) {
        if (script.clientId() == 0) {
            make(incoming, script, parts, response -> answer(incoming, response));
            return;
        }
        PartitionRuntime home = places.remembering(script.clientId());
        int number = home.partition().id().number();
        if (places.homes().isHere(number)) {
            distributed.doOnce(incoming, home, then -> make(incoming, script, parts, then));
        } else {
            places.homes().pass(number, script, incoming.sink());
        }
    }

    /** Makes the changes here, or has the node make them that makes all. */
    private void make(
            IncomingRequest incoming,
            TransactionRequest.Script script,
            List<Part> parts,
            Consumer<TransactionResponse> then) {
        if (!places.homes().changesCatalog()) {
            ResponseSink sink = script.ending() == ScriptEnding.CHANGE
                    ? incoming.sink() // which says whether the script has travelled already
                    : (_, response) -> then.accept(response);
            places.homes().passChange(script.with(ScriptEnding.CHANGE), sink);
            return;
        }
        CatalogEntry.Joint entry =
                new CatalogEntry.Joint(parts.stream().map(Part::entry).toList());
        changes.join(entry, handle(script), claims.apply(incoming), response -> {
            String outcome = response instanceof TransactionResponse.Failed failed
                    ? failed.code().name()
                    : "DONE";
            parts.forEach(part -> part.description()
                    .ifPresent(what -> script.caller().witness().changed(what, outcome)));
            then.accept(response);
        });
    }

    /**
     * Answers the question whether the COMMIT with the handle was executed, once the partitions know of none: it may
     * have changed the catalog.
     */
    void ask(TransactionRequest.Script question, ResponseSink sink) {
        if (places.homes().changesCatalog()) {
            changes.ask(handle(question), response -> {
                sink.respond(question, response);
                sink.flush();
            });
        } else {
            places.homes().passChange(question.with(ScriptEnding.CHANGE), sink);
        }
    }

    private static ChangeHandle handle(TransactionRequest.Script script) {
        return ChangeHandle.of(script);
    }

    private static void answer(IncomingRequest incoming, TransactionResponse response) {
        incoming.sink().respond(incoming.request(), response);
        incoming.sink().flush();
    }
}
