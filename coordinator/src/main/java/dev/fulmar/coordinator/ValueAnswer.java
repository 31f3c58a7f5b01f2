package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.LastNumbers;
import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** The answer to a change of the catalog that is written as a query: its value, as a row. */
final class ValueAnswer {
    private static final int FIRST_BYTES = 128;
    private static final int MAX_BYTES = 1 << 10;
    private static final ResultLayout SETVAL =
            new ResultLayout(List.of(new ResultColumn("SETVAL", ColumnType.of(TypeKind.BIGINT), false)));

    /** The id of no sequence. */
    private static final int NONE = -1;

    private ValueAnswer() {}

    /** The answer, with a row where the change yields one. */
    static TransactionResponse of(CatalogChange change, TransactionResponse response) {
        return response instanceof Committed ? of(change) : response;
    }

    /** The same, with the value noted for the client's connection, which calls it currval and lastval. */
    static TransactionResponse of(
            CatalogChange change, TransactionResponse response, ResponseSink sink, AtomicReference<Program> current) {
        LastNumbers numbers = sink.lastNumbers();
        if (response instanceof Committed
                && change instanceof CatalogChange.RestartSequence set
                && set.yieldsValue()
                && set.isDrawn()
                && numbers != null) {
            Table sequence = current.get().catalog().tables().get(set.name());
            numbers.note(sequence == null ? NONE : sequence.id(), set.name(), set.value());
        }
        return of(change, response);
    }

    /** The sink of a change that another node makes. */
    static ResponseSink noting(CatalogChange change, IncomingRequest incoming, AtomicReference<Program> current) {
        return new PassingSink<>(incoming.request(), incoming.sink()) {
            @Override
            public void respond(TransactionRequest answered, TransactionResponse response) {
                of(change, response, sink, current);
                sink.respond(answered, response);
            }
        };
    }

    /** The answer to a change that is made. */
    static Committed of(CatalogChange change) {
        return change instanceof CatalogChange.RestartSequence restart && restart.yieldsValue()
                ? row(restart.value())
                : Answers.CHANGED;
    }

    /** The columns of that answer; none if it has no row. */
    static List<ResultColumn> columns(CatalogChange change) {
        boolean isRow = change instanceof CatalogChange.RestartSequence restart && restart.yieldsValue();
        return isRow ? SETVAL.columns() : List.of();
    }

    private static Committed row(long value) {
        ResultBlockWriter writer = new ResultBlockWriter(FIRST_BYTES, MAX_BYTES);
        writer.begin(SETVAL);
        writer.startRow();
        writer.setLong(0, value);
        writer.endRow();
        writer.end();
        return new Committed(Kind.TABLE, 0, writer.toByteArray());
    }
}
