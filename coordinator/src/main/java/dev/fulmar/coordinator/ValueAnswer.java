package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;

/** The answer to a change of the catalog that is written as a query: its value, as a row. */
final class ValueAnswer {
    private static final int FIRST_BYTES = 128;
    private static final int MAX_BYTES = 1 << 10;
    private static final ResultLayout SETVAL =
            new ResultLayout(List.of(new ResultColumn("SETVAL", ColumnType.of(TypeKind.BIGINT), false)));

    private ValueAnswer() {}

    /** The answer, with a row where the change yields one. */
    static TransactionResponse of(CatalogChange change, TransactionResponse response) {
        return response instanceof Committed ? of(change) : response;
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
