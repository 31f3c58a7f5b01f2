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
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.HeldSnapshot;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.coordinator.transaction.PortalReaders;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;

/**
 * Checks the queries of portals and of transactions that only read, and the rights that they need, before they are
 * read. Thread-safe.
 */
final class PortalRouting implements PortalSource {
    private final Statements statements;
    private final QueryPlanning planning;
    private final ScriptRouting.Planner planner;
    private final RequestHomes places;
    private final PortalReaders readers;
    private final SequenceRanges ranges;

    PortalRouting(
            Statements statements,
            QueryPlanning planning,
            ScriptRouting.Planner planner,
            RequestHomes places,
            PortalReaders readers,
            SequenceRanges ranges) {
        this.statements = statements;
        this.planning = planning;
        this.planner = planner;
        this.places = places;
        this.readers = readers;
        this.ranges = ranges;
    }

    @Override
    public long timeoutNanos(TransactionRequest request) {
        return readers.timeoutNanos(request);
    }

    @Override
    public PortalReader open(
            TransactionRequest.AdHoc query, ResponseSink client, ByteBudget memory, PortalReader.Listener listener) {
        PortalReader reader = readers.reader(memory, listener);
        planning.plan(
                query,
                refusals(reader, client),
                (incoming, meaning, program) -> start(reader, incoming, meaning, program));
        return reader;
    }

    @Override
    public HeldSnapshot hold(long micros, long seed, ByteBudget memory) {
        return readers.hold(micros, seed, memory);
    }

    @Override
    public void ask(HeldSnapshot snapshot, TransactionRequest.AdHoc query, int cursor, ResponseSink sink) {
        planning.plan(query, sink, (incoming, meaning, program) -> ask(snapshot, cursor, incoming, meaning, program));
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

    private static FulmarException noQuery() {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED, "a portal hands out the rows of a query; send any other statement by itself");
    }

    private void start(PortalReader reader, IncomingRequest incoming, Meaning meaning, Program program) {
        if (!(meaning instanceof Meaning.Runs runs)) {
            throw noQuery();
        }
        PreparedStatement statement = runs.statement();
        AccessControl.statement(runs.request().caller(), program.catalog(), statement.needs());
        LoadedProcedure procedure = statement.target().procedure();
        if (!procedure.isReadOnly()) {
            throw noQuery();
        }
        readers.start(
                reader,
                runs.request(),
                home(incoming),
                runs.request().consistency().isStrict(procedure));
    }

    private PartitionId home(IncomingRequest incoming) {
        return places.runtimes().all().get(places.any(incoming)).partition().id();
    }

    // Transactions that only read.

    private void ask(HeldSnapshot snapshot, int cursor, IncomingRequest incoming, Meaning meaning, Program program) {
        TransactionRequest.AdHoc query = (TransactionRequest.AdHoc) incoming.request();
        Meaning.Runs runs =
                ScriptRouting.statement(ScriptRouting.called(meaning, query, statements, program), query.sql());
        PreparedStatement statement = runs.statement();
        AccessControl.statement(query.caller(), program.catalog(), statement.needs());
        ScriptRouting.checkOnlyReads(statement, query.sql());
        if (statement.lock().isPresent()) {
            throw LeaseRouting.keepsNothing();
        }
        if (!statement.numbers().isEmpty()) {
            planner.plan(incoming, query.sql().length(), () -> draw(snapshot, cursor, incoming, runs, program));
        } else {
            ask(snapshot, cursor, incoming, runs.request());
        }
    }

    private void ask(HeldSnapshot snapshot, int cursor, IncomingRequest incoming, TransactionRequest.AdHoc query) {
        PartitionId home = home(incoming);
        snapshot.ask(
                cursor == 0
                        ? new HeldSnapshot.Question.Query(query, home)
                        : new HeldSnapshot.Question.Declare(query, home, cursor),
                incoming.sink());
    }

    /** A query that changes nothing is given numbers that were drawn before, as by {@code currval}. */
    private void draw(HeldSnapshot snapshot, int cursor, IncomingRequest incoming, Meaning.Runs runs, Program program) {
        PreparedStatement statement = runs.statement();
        try {
            long[] none = new long[statement.numbers().size()];
            String text = NumberedStatement.of(runs.request(), none, statement.sequences())
                    .sql();
            statements.compile(text, program);
            ranges.draw(
                    statement.numbers(),
                    incoming.request(),
                    incoming.sink().lastNumbers(),
                    new SequenceRanges.Listener() {
                        @Override
                        public void drawn(long[] numbers) {
                            ask(
                                    snapshot,
                                    cursor,
                                    incoming,
                                    NumberedStatement.of(runs.request(), numbers, statement.sequences()));
                        }

                        @Override
                        public void failed(TransactionResponse.Failed failure) {
                            QueryPlanning.answer(incoming, failure);
                        }
                    });
        } catch (FulmarException e) {
            planning.refuse(incoming, e);
        } catch (Throwable defect) { // the client must get an answer whatever happens
            QueryPlanning.answer(incoming, Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
        }
    }
}
