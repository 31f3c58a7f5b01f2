package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.engine.spi.SqlFrontend.RowByRow;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Objects;

/**
 * A query of several rows with SKIP LOCKED as a session is to run it: one query for keys, and then one for each row. It
 * is the answer of the node that planned the query, which is that of the session, as a parameter list.
 *
 * @param keys query that yields the columns of the result, and then those of the primary key
 * @param keysParameters its parameters
 * @param keyColumns columns of the primary key
 * @param row query of one row, by the parameters and then the key
 * @param rowParameters its parameters before the key
 * @param most rows that are wanted
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record RowSearch(
        String keys, byte[] keysParameters, int keyColumns, String row, byte[] rowParameters, int most) {
    private static final int PARTS = 6;
    private static final int FIRST_BYTES = 256;
    private static final int MOST_BYTES = 128 << 20;

    /** The search for the rows of a query with these parameters. */
    public static RowSearch of(RowByRow queries, byte[] parameters) {
        ParameterReader given =
                new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(parameters, 0, parameters.length);
        long most = queries.most() >= 0 ? queries.most() : given.getLong(queries.keysParameters());
        if (most < 0 || most > RowByRow.MOST_ROWS) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS,
                    "a query with SKIP LOCKED yields 0 to " + RowByRow.MOST_ROWS + " rows, not " + most
                            + "; ask for the next ones in another query");
        }
        return new RowSearch(
                queries.keys(),
                first(given, queries.keysParameters()),
                queries.keyColumns(),
                queries.row(),
                first(given, queries.rowParameters()),
                (int) most);
    }

    private static byte[] first(ParameterReader given, int count) {
        ParameterWriter writer = new ParameterWriter(FIRST_BYTES, MOST_BYTES).begin();
        for (int i = 0; i < count; i++) {
            writer.addCopy(given, i);
        }
        writer.end();
        return writer.toByteArray();
    }

    /** The answer. */
    public Committed toAnswer() {
        ParameterWriter writer = new ParameterWriter(FIRST_BYTES, MOST_BYTES)
                .begin()
                .add(keys)
                .add(keysParameters)
                .add(keyColumns)
                .add(row)
                .add(rowParameters)
                .add(most);
        writer.end();
        return new Committed(Kind.TABLES, 0, writer.toByteArray());
    }

    public static RowSearch read(Committed answer) {
        byte[] parts = answer.results();
        ParameterReader in = new ParameterReader(PARTS).wrap(parts, 0, parts.length);
        return new RowSearch(
                Objects.requireNonNull(in.string(0)),
                Objects.requireNonNull(in.bytes(1)),
                (int) in.getLong(2),
                Objects.requireNonNull(in.string(3)),
                Objects.requireNonNull(in.bytes(4)),
                (int) in.getLong(5));
    }
}
