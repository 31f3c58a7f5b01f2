package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.change.PasswordSealing;
import dev.fulmar.coordinator.draft.ChangeDraft;
import dev.fulmar.coordinator.draft.DraftTools;
import dev.fulmar.coordinator.planning.PlanningClaim;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptResults;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.transaction.DistributedCalls;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.SeenParts;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Executes the transactions of sessions that change the catalog. A statement is checked against the catalog as the
 * transaction's earlier statements leave it; of a change no partition hears. Statements about rows of tables that the
 * transaction leaves as they were run on those, without the changes. COMMIT goes to the partition that remembers the
 * client's transactions, and from there to the node that makes the changes of the catalog. It runs the statements about
 * rows once more, and makes all changes in one. Thread-safe.
 */
final class ScriptChanges {
    /** Runs of a COMMIT's statements about rows: others may change rows between a run and the change of the catalog. */
    private static final int MOST_RUNS = 5;

    private final ChangeQueue changes;
    private final DraftTools tools;
    private final RequestHomes places;
    private final DistributedCalls distributed;
    private final Function<IncomingRequest, PlanningClaim> claims;

    /** Port to the way in which statements run that change no table. */
    interface Queries {
        /** Runs the only statement of a script, whose answer is that of the client's request. */
        void run(IncomingRequest incoming, TransactionRequest.Script script, PreparedStatement query, Program program);

        /** Runs the statements of a script, which are about rows; its answer is that of the client's request. */
        void run(IncomingRequest incoming, TransactionRequest.Script script, Program program);
    }

    ScriptChanges(
            Statements statements,
            ChangeQueue changes,
            PasswordSealing passwords,
            RequestHomes places,
            DistributedCalls distributed,
            Function<IncomingRequest, PlanningClaim> claims) {
        this.changes = changes;
        this.tools = new DraftTools(statements, changes, passwords);
        this.places = places;
        this.distributed = distributed;
        this.claims = claims;
    }

    /**
     * Executes a script with changes of the catalog. For a planner's thread; throws where a statement may not run.
     *
     * @param queries runs queries of the catalog as the transaction has changed it, and statements about rows
     */
    void route(IncomingRequest incoming, TransactionRequest.Script script, Program program, Queries queries) {
        ScriptResults results = new ScriptResults();
        ChangeDraft draft = new ChangeDraft(script, program, tools);
        boolean hasNew = false;
        boolean runs = false;
        for (ScriptStep step : script.steps()) {
            try {
                boolean isOfRows = draft.runs(step);
                if (script.ending().undoes() && step.isNew() && hasNew && isOfRows != runs) {
                    break; // the session sends it again, behind those before it
                }
                Committed result = isOfRows ? draft.run(step) : draft.add(step);
                PreparedStatement query = draft.query();
                if (query != null && script.ending().undoes()) {
                    queries.run(incoming, script.with(List.of(step)), query, program);
                    return;
                }
                if (step.isNew()) {
                    results.add(result);
                    hasNew = true;
                    runs = isOfRows;
                }
            } catch (FulmarException failure) { // what does not go together is refused, and ends no transaction
                throw failure.code() == ErrorCode.NOT_SUPPORTED ? failure : ScriptRouting.of(step, failure);
            }
        }
        draft.checkRows();
        switch (script.ending()) {
            case UNDO, TRY -> {
                if (runs) {
                    queries.run(incoming, script.with(draft.ofRows()).with(ScriptEnding.UNDO), program);
                } else {
                    answer(incoming, results.toAnswer());
                }
            }
            case COMMIT -> commit(incoming, script, draft);
            case CHANGE -> make(incoming, script, draft, response -> answer(incoming, response));
            case ASK, LEASE, LEASE_HERE, TURN, QUEUE, RELEASE ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a transaction that changes tables keeps no rows from others; leave FOR UPDATE out");
        }
    }

    /** Asks the partition that remembers the client's transactions first, so that it is made once. */
    private void commit(IncomingRequest incoming, TransactionRequest.Script script, ChangeDraft draft) {
        if (script.clientId() == 0) {
            make(incoming, script, draft, response -> answer(incoming, response));
            return;
        }
        PartitionRuntime home = places.remembering(script.clientId());
        int number = home.partition().id().number();
        if (places.homes().isHere(number)) {
            distributed.doOnce(incoming, home, then -> make(incoming, script, draft, then));
        } else {
            places.homes().pass(number, script, incoming.sink());
        }
    }

    /** Makes the changes here, or has the node make them that makes all. */
    private void make(
            IncomingRequest incoming,
            TransactionRequest.Script script,
            ChangeDraft draft,
            Consumer<TransactionResponse> then) {
        if (!places.homes().changesCatalog()) {
            ResponseSink sink = script.ending() == ScriptEnding.CHANGE
                    ? incoming.sink() // which says whether the script has travelled already
                    : (_, response) -> then.accept(response);
            places.homes().passChange(script.with(ScriptEnding.CHANGE), sink);
            return;
        }
        Consumer<TransactionResponse> ends = response -> {
            String outcome = response instanceof TransactionResponse.Failed failed
                    ? failed.code().name()
                    : "DONE";
            draft.parts()
                    .forEach(part -> part.description()
                            .ifPresent(what -> script.caller().witness().changed(what, outcome)));
            then.accept(response);
        };
        if (draft.isToCompare()) {
            runAndJoin(incoming, script, draft, 1, ends);
        } else {
            join(incoming, script, draft.entry(), ends);
        }
    }

    private void join(
            IncomingRequest incoming,
            TransactionRequest.Script script,
            CatalogEntry.Joint entry,
            Consumer<TransactionResponse> then) {
        changes.join(entry, handle(script), claims.apply(incoming), then);
    }

    /**
     * Runs the statements about rows, and makes the change with what the partitions have seen of them. If rows have
     * changed in between, it does both once more: the statements may have the same results all the same.
     */
    private void runAndJoin(
            IncomingRequest incoming,
            TransactionRequest.Script script,
            ChangeDraft draft,
            int run,
            Consumer<TransactionResponse> then) {
        SeenParts seen = new SeenParts();
        TransactionRequest.Script runs = script.with(draft.unweighed()).with(ScriptEnding.COMMIT);
        PartitionRuntime home = places.runtimes().all().get(places.any(incoming));
        ResponseSink sink = (_, response) -> {
            if (response instanceof TransactionResponse.Failed) {
                then.accept(response);
                return;
            }
            join(incoming, script, draft.entry(seen), joined -> {
                if (run < MOST_RUNS
                        && joined instanceof TransactionResponse.Failed failed
                        && failed.code() == ErrorCode.SERIALIZATION_FAILURE) {
                    runAndJoin(incoming, script, draft, run + 1, then);
                } else {
                    then.accept(joined);
                }
            });
        };
        distributed.tryOut(new IncomingRequest(runs, sink, incoming.nanos()), home, seen);
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
