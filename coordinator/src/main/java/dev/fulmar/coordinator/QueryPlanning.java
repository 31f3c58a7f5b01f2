package dev.fulmar.coordinator;

import dev.fulmar.coordinator.draft.WholeChange;
import dev.fulmar.coordinator.request.NumberedStatement;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.statement.Statements.Meaning;
import dev.fulmar.coordinator.statistics.StatisticsCollector;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Has statements planned that are not run at once: queries of portals, and statements that a client wants described.
 * So neither a partition's thread nor a fiber plans them. Thread-safe.
 */
final class QueryPlanning {
    private final AtomicReference<Program> current;
    private final Statements statements;
    private final StatisticsCollector census;
    private final ScriptRouting.Planner planner;
    private final RequestHomes places;
    private final Clock clock;

    /** The next step for a planned statement; throws if it is refused. */
    interface Continuation {
        void goOn(IncomingRequest incoming, Meaning meaning, Program program);
    }

    /** The next step for a statement that is planned behind changes; throws if it is refused. */
    interface Prospect {
        void goOn(SqlFrontend.Compiled meaning, Catalog catalog, Program program);
    }

    QueryPlanning(
            AtomicReference<Program> current,
            Statements statements,
            StatisticsCollector census,
            ScriptRouting.Planner planner,
            RequestHomes places,
            Clock clock) {
        this.current = current;
        this.statements = statements;
        this.census = census;
        this.planner = planner;
        this.places = places;
        this.clock = clock;
    }

    /** The version of the catalog that statements are planned with now. */
    long catalogVersion() {
        return current.get().catalog().version();
    }

    /** Plans the query unless it is known; a refusal is its answer. */
    void plan(TransactionRequest.AdHoc query, ResponseSink sink, Continuation next) {
        IncomingRequest incoming = new IncomingRequest(query, sink, clock.monotonicNanos());
        try {
            NumberedStatement.refuse(query.sql());
            Program program = current.get();
            Meaning.Runs known = statements.find(query, program);
            if (known != null) {
                next.goOn(incoming, known, program);
            } else {
                census.refresh(
                        () -> planner.plan(incoming, query.sql().length(), () -> planAndGoOn(incoming, query, next)));
            }
        } catch (FulmarException e) {
            refuse(incoming, e);
        }
    }

    /** Plans the query behind changes of the catalog that are not made yet; nothing of it is kept. */
    void planBehind(List<String> changes, TransactionRequest.AdHoc query, ResponseSink sink, Prospect next) {
        IncomingRequest incoming = new IncomingRequest(query, sink, clock.monotonicNanos());
        int characters =
                query.sql().length() + changes.stream().mapToInt(String::length).sum();
        try {
            NumberedStatement.refuse(query.sql());
            planner.plan(
                    incoming,
                    characters,
                    () -> guarded(incoming, () -> {
                        Program program = current.get();
                        Catalog catalog = behind(program.catalog(), changes);
                        next.goOn(statements.prospective(query.sql(), catalog), catalog, program);
                    }));
        } catch (FulmarException e) {
            refuse(incoming, e);
        }
    }

    /** A change that was made before, and cannot be any more, ends the transaction. */
    private Catalog behind(Catalog before, List<String> changes) {
        try {
            return WholeChange.behind(before, changes, statements, clock.wallMicros());
        } catch (FulmarException failure) {
            throw failure.code().category() != ErrorCode.Category.USER
                    ? failure
                    : new FulmarException(
                            ErrorCode.SERIALIZATION_FAILURE,
                            "a statement of the transaction cannot be executed any more; run it again from BEGIN on ("
                                    + failure.getMessage() + ")");
        }
    }

    private void planAndGoOn(IncomingRequest incoming, TransactionRequest.AdHoc query, Continuation next) {
        guarded(incoming, () -> {
            Program program = current.get();
            next.goOn(incoming, statements.compile(query, program), program);
        });
    }

    private void guarded(IncomingRequest incoming, Runnable work) {
        try {
            work.run();
        } catch (FulmarException e) {
            refuse(incoming, e);
        } catch (Throwable defect) { // the client must get an answer whatever happens
            answer(incoming, Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
        }
    }

    /** A node that does not know the newest catalog cannot say what there is not. */
    void refuse(IncomingRequest incoming, FulmarException cause) {
        answer(incoming, places.homes().knowsCatalog() ? Answers.failed(cause) : Answers.olderCatalog());
    }

    static void answer(IncomingRequest incoming, TransactionResponse response) {
        incoming.sink().respond(incoming.request(), response);
        incoming.sink().flush();
    }
}
