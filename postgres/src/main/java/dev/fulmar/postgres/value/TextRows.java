package dev.fulmar.postgres.value;

import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.FieldDescription;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** Rows of texts that a session answers by itself. */
public final class TextRows {
    private TextRows() {}

    /** @param isDescribed whether the description of the columns comes first */
    public static void send(
            Consumer<BackendMessage> output, List<String> columns, List<List<String>> rows, boolean isDescribed) {
        if (isDescribed) {
            output.accept(new BackendMessage.RowDescription(
                    columns.stream().map(TextRows::field).toList()));
        }
        for (List<String> row : rows) {
            byte[][] values = new byte[row.size()][];
            for (int i = 0; i < values.length; i++) {
                values[i] = row.get(i).getBytes(StandardCharsets.UTF_8);
            }
            output.accept(new BackendMessage.DataRow(values));
        }
    }

    private static FieldDescription field(String name) {
        return new FieldDescription(
                name,
                0,
                0,
                PostgresType.TEXT.oid(),
                PostgresType.TEXT.size(),
                PostgresType.NO_MODIFIER,
                ValueFormat.TEXT);
    }
}
