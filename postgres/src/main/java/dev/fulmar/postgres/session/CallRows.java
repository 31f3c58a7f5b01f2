package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.postgres.dialect.LockCall;
import dev.fulmar.postgres.dialect.PauseCall;
import dev.fulmar.postgres.dialect.SessionCall;
import dev.fulmar.postgres.dialect.SettingCall;
import dev.fulmar.postgres.dialect.Translation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Rows of functions that a session executes. The translated query yields their arguments. Its client sees of a function
 * of advisory locks whether it was done, or nothing, of {@code set_config} the value, and of {@code pg_sleep} nothing.
 */
final class CallRows {
    private static final int MOST_BYTES = 64 << 10;

    private CallRows() {}

    /**
     * Whether the arguments come of nothing that is stored. Then they are computed outside of the client's transaction,
     * which may be one that has no queries.
     */
    static boolean readsNothing(Translation translation) {
        String text = translation.sql().toUpperCase(Locale.ROOT);
        return text.indexOf("SELECT") == text.lastIndexOf("SELECT");
    }

    /** The description of the client's statement. */
    static StatementDescription described(Translation translation, StatementDescription query) {
        return translation.calls().isEmpty()
                ? query
                : new StatementDescription(
                        columns(translation.calls(), query.columns()),
                        query.parameters(),
                        query.arrays(),
                        query.tellsColumns(),
                        false,
                        query.catalogVersion());
    }

    private static List<ResultColumn> columns(List<SessionCall> calls, List<ResultColumn> numbers) {
        List<ResultColumn> columns = new ArrayList<>();
        for (SessionCall call : calls) {
            ColumnType type = switch (call) {
                case LockCall lock -> lock.isQuestion() ? ColumnType.of(TypeKind.BOOLEAN) : ColumnType.varchar(1);
                case PauseCall _ -> ColumnType.varchar(1);
                case SettingCall _ -> ColumnType.varchar(MOST_BYTES);
            };
            columns.add(new ResultColumn(numbers.get(columns.size()).name(), type, true));
        }
        return columns;
    }

    /** One for each call: the number of a lock, a value or seconds; null where an argument is NULL. */
    static List<@Nullable Object> arguments(Committed query) {
        ResultBlock block = new ResultBlock().wrap(query.results(), 0, query.results().length);
        block.next();
        List<@Nullable Object> arguments = new ArrayList<>();
        for (int i = 0; i < block.columnCount(); i++) {
            arguments.add(block.object(i));
        }
        return arguments;
    }

    /**
     * The row that the client sees.
     *
     * @param done whether each lock was taken or given back, or the value of a setting; null for a call of NULL
     */
    static Committed row(List<SessionCall> calls, Committed query, List<@Nullable Object> done) {
        ResultBlock numbers = new ResultBlock().wrap(query.results(), 0, query.results().length);
        ResultBlockWriter writer = new ResultBlockWriter(256, 4 * MOST_BYTES);
        writer.begin(new ResultLayout(columns(calls, numbers.columns())));
        writer.startRow();
        for (int i = 0; i < calls.size(); i++) {
            byte[] text = done.get(i) instanceof String value ? value.getBytes(StandardCharsets.UTF_8) : new byte[0];
            if (done.get(i) == null) {
                writer.setNull(i);
            } else if (calls.get(i) instanceof LockCall call && call.isQuestion()) {
                writer.setLong(i, Boolean.TRUE.equals(done.get(i)) ? 1 : 0);
            } else {
                writer.setBytes(i, text, 0, text.length);
            }
        }
        writer.endRow();
        writer.end();
        return new Committed(Kind.TABLE, 0, writer.toByteArray());
    }
}
