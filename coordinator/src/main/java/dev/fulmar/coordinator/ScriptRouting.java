package dev.fulmar.coordinator;

import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.statement.Statements.Meaning;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.CallContinuation;
import dev.fulmar.coordinator.transaction.DistributedCalls;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.coordinator.transaction.LocalScript;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Has the statements of sessions planned, and checks the rights that they need, before their transaction starts. So no
 * partition's thread plans them. Thread-safe.
 */
final class ScriptRouting {
    /** Runs work on a planner's thread, or answers the request if that cannot be. */
    interface Planner {
        /** @param letters of the texts to plan */
        void plan(IncomingRequest incoming, int letters, Runnable work);
    }

    private final Statements statements;
    private final Planner planner;
    private final RequestHomes places;
    private final DistributedCalls distributed;
    private final LeaseRouting leases;
    private final int capacity;
    private final CallContinuation continuation;
    private final BiConsumer<IncomingRequest, FulmarException> refuses;

    ScriptRouting(
            Statements statements,
            Planner planner,
            RequestHomes places,
            DistributedCalls distributed,
            LeaseRouting leases,
            int capacity,
            CallContinuation continuation,
            BiConsumer<IncomingRequest, FulmarException> refuses) {
        this.statements = statements;
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
        List<Meaning.Runs> known = new ArrayList<>();
        int unknownLetters = 0;
        for (ScriptStep step : script.steps()) {
            Meaning.Runs found = statements.find(script.statement(step), program);
            if (found == null) {
                unknownLetters += step.sql().length();
            } else {
                known.add(found);
            }
        }
        if (known.size() == script.steps().size()) {
            start(incoming, script, known, program);
        } else {
            planner.plan(incoming, unknownLetters, () -> planAndStart(incoming, script, program));
        }
    }

    private void planAndStart(IncomingRequest incoming, TransactionRequest.Script script, Program program) {
        try {
            List<Meaning.Runs> planned = new ArrayList<>();
            for (ScriptStep step : script.steps()) {
                planned.add(planned(script.statement(step), program));
            }
            start(incoming, script, planned, program);
        } catch (FulmarException e) {
            refuses.accept(incoming, e);
        } catch (Throwable defect) { // the caller must get an answer whatever happens
            TransactionResponse answer = Answers.defect(defect);
            incoming.sink().respond(incoming.request(), answer);
            incoming.sink().flush();
            FatalErrors.handIfFatal(defect);
        }
    }

    private Meaning.Runs planned(TransactionRequest.AdHoc statement, Program program) {
        return switch (statements.compile(statement, program)) {
            case Meaning.Runs runs -> runs;
            case Meaning.Changes _, Meaning.MakesTable _ ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "a transaction of several statements does not change tables; send the statement outside of one: "
                                + statement.sql());
            case Meaning.Explains _ ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "EXPLAIN is no part of a transaction of several statements; send it outside of one");
        };
    }

    private void start(
            IncomingRequest incoming, TransactionRequest.Script script, List<Meaning.Runs> planned, Program program) {
        if (LeaseRouting.concerns(script)) {
            leases.route(incoming, script, planned, program);
            return;
        }
        List<ScriptStep> steps = new ArrayList<>();
        List<CallTarget> targets = new ArrayList<>();
        BitSet partitions = new BitSet();
        for (int i = 0; i < planned.size(); i++) {
            Meaning.Runs runs = planned.get(i);
            AccessControl.statement(
                    script.caller(), program.catalog(), runs.statement().needs());
            checkMode(script, runs);
            TransactionRequest.AdHoc request = runs.request();
            steps.add(script.steps().get(i).with(request.sql(), request.parameters()));
            targets.add(runs.statement().target());
            partitions.or(runs.statement().partitions(request.parameters(), program.plan()));
        }
        TransactionRequest.Script general = script.with(steps);
        if (script.ending() == ScriptEnding.UNDO && partitions.cardinality() <= 1) {
            int partition = partitions.isEmpty() ? places.any(incoming) : partitions.nextSetBit(0);
            startOn(partition, incoming.with(general), general, targets, program);
        } else {
            distribute(incoming.with(general), general);
        }
    }

    private static void checkMode(TransactionRequest.Script script, Meaning.Runs runs) {
        if (script.readOnly() && !runs.statement().target().procedure().isReadOnly()) {
            throw new FulmarException(
                    ErrorCode.READ_ONLY_TRANSACTION,
                    "the transaction only reads, but this would change something: "
                            + runs.request().subject());
        }
    }

    private void startOn(
            int partition,
            IncomingRequest incoming,
            TransactionRequest.Script script,
            List<CallTarget> targets,
            Program program) {
        if (!places.homes().isHere(partition)) {
            places.homes().pass(partition, script, incoming.sink());
            return;
        }
        PartitionRuntime runtime = places.withRoom(partition);
        runtime.partition().inbox().put(new LocalScript(incoming, script, targets, program, runtime, continuation));
    }

    /** A run that is undone has no outcome to remember, so it begins anywhere. */
    private void distribute(IncomingRequest incoming, TransactionRequest.Script script) {
        distributed.live().checkRoom(capacity);
        boolean isOnce = script.ending() != ScriptEnding.UNDO && script.clientId() != 0;
        PartitionRuntime home = isOnce
                ? places.remembering(script.clientId())
                : places.runtimes().all().get(places.any(incoming));
        int number = home.partition().id().number();
        if (!places.homes().isHere(number)) {
            places.homes().pass(number, script, incoming.sink());
        } else if (isOnce) {
            distributed.startOnce(incoming, home);
        } else {
            distributed.start(incoming, home, null, null);
        }
    }
}
