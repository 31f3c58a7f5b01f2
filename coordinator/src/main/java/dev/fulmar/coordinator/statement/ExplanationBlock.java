package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A result block of text: one column, one row per line. */
public final class ExplanationBlock {
    private static final int FIRST_BYTES = 1 << 10;
    private static final int MAX_BYTES = 16 << 20;
    private static final int MAX_CHARACTERS = 1 << 16;

    /** The columns of an explanation. */
    public static final List<ResultColumn> COLUMNS =
            List.of(new ResultColumn("PLAN", ColumnType.varchar(MAX_CHARACTERS), false));

    private ExplanationBlock() {}

    /** The answer to an EXPLAIN. */
    public static TransactionResponse of(List<String> lines) {
        ResultBlockWriter writer = new ResultBlockWriter(FIRST_BYTES, MAX_BYTES);
        writer.begin(new ResultLayout(COLUMNS));
        for (String line : lines) {
            byte[] text = line.getBytes(StandardCharsets.UTF_8);
            writer.startRow();
            writer.setBytes(0, text, 0, text.length);
            writer.endRow();
        }
        writer.end();
        return new Committed(Kind.TABLE, 0, writer.toByteArray());
    }
}
