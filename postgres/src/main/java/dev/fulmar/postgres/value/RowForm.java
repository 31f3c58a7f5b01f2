package dev.fulmar.postgres.value;

import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.wire.postgres.message.ValueFormats;
import dev.fulmar.wire.postgres.type.OutputStyle;
import dev.fulmar.wire.postgres.type.ResultRowWriter;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Form in which the rows of a result are sent. */
@FunctionalInterface
public interface RowForm {
    /** Writer of rows of one part of a result. */
    @FunctionalInterface
    interface Writer {
        /** Appends the block's current row. */
        void write(ByteBuf out, ResultBlock block);
    }

    /** A writer for a part with the columns. */
    Writer writer(List<ResultColumn> columns);

    /**
     * Rows as the results of queries.
     *
     * @param style of texts
     */
    static RowForm ofResults(ValueFormats formats, OutputStyle style) {
        return columns -> new ResultRowWriter(columns, formats, style)::write;
    }
}
