package dev.fulmar.coordinator;

import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.portal.PortalSource;
import dev.fulmar.coordinator.request.NumberedStatement;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.statement.Statements.Meaning;
import dev.fulmar.coordinator.statistics.StatisticsCollector;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.coordinator.transaction.PortalReaders;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.time.Clock;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Has the query of a portal planned, and checks the rights that it needs, before its reader starts. So neither a
 * partition's thread nor a fiber plans it. Thread-safe.
 */
final class PortalRouting implements PortalSource {
    private final AtomicReference<Program> current;
    private final Statements statements;
    private final StatisticsCollector census;
    private final ScriptRouting.Planner planner;
    private final RequestHomes places;
    private final PortalReaders readers;
    private final Clock clock;

    PortalRouting(
            AtomicReference<Program> current,
            Statements statements,
            StatisticsCollector census,
            ScriptRouting.Planner planner,
            RequestHomes places,
            PortalReaders readers,
            Clock clock) {
        this.current = current;
        this.statements = statements;
        this.census = census;
        this.planner = planner;
        this.places = places;
        this.readers = readers;
        this.clock = clock;
    }

    @Override
    public long timeoutNanos(TransactionRequest request) {
        return readers.timeoutNanos(request);
    }

    @Override
    public PortalReader open(
            TransactionRequest.AdHoc query, ResponseSink client, ByteBudget memory, PortalReader.Listener listener) {
        PortalReader reader = readers.reader(memory, listener);
        IncomingRequest incoming = new IncomingRequest(query, refusals(reader, client), clock.monotonicNanos());
        try {
            NumberedStatement.refuse(query.sql());
            Program program = current.get();
            Meaning.Runs known = statements.find(query, program);
            if (known != null) {
                start(reader, incoming, known, program);
            } else {
                census.refresh(() ->
                        planner.plan(incoming, query.sql().length(), () -> planAndStart(reader, incoming, query)));
            }
        } catch (FulmarException e) {
            refuse(reader, e);
        }
        return reader;
    }

    /** Takes no more queries, and ends the portals. */
    void stop() {
        readers.stop();
    }

    /** A sink that ends the reader where its query is refused. */
    private static ResponseSink refusals(PortalReader reader, ResponseSink client) {
        return new ResponseSink() {
            @Override
            public void respond(TransactionRequest request, TransactionResponse response) {
                if (response instanceof TransactionResponse.Failed failed) {
                    reader.end(failed.code(), failed.message());
                }
            }

            @Override
            public boolean isGone() {
                return client.isGone();
            }
        };
    }

    private void planAndStart(PortalReader reader, IncomingRequest incoming, TransactionRequest.AdHoc query) {
        try {
            Program program = current.get();
            if (!(statements.compile(query, program) instanceof Meaning.Runs runs)) {
                throw noQuery();
            }
            start(reader, incoming, runs, program);
        } catch (FulmarException e) {
            refuse(reader, e);
        } catch (Throwable defect) { // the client must get an answer whatever happens
            TransactionResponse.Failed told = Answers.defect(defect);
            reader.end(told.code(), told.message());
            FatalErrors.handIfFatal(defect);
        }
    }

    /** A node that does not know the newest catalog cannot say what there is not. */
    private void refuse(PortalReader reader, FulmarException cause) {
        TransactionResponse.Failed told =
                places.homes().knowsCatalog() ? Answers.failed(cause) : Answers.olderCatalog();
        reader.end(told.code(), told.message());
    }

    private static FulmarException noQuery() {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED, "a portal hands out the rows of a query; send any other statement by itself");
    }

    private void start(PortalReader reader, IncomingRequest incoming, Meaning.Runs runs, Program program) {
        PreparedStatement statement = runs.statement();
        AccessControl.statement(runs.request().caller(), program.catalog(), statement.needs());
        LoadedProcedure procedure = statement.target().procedure();
        if (!procedure.isReadOnly()) {
            throw noQuery();
        }
        PartitionRuntimes runtimes = places.runtimes();
        PartitionId home = runtimes.all().get(places.any(incoming)).partition().id();
        readers.start(reader, runs.request(), home, runs.request().consistency().isStrict(procedure));
    }
}
