package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.foundation.data.ResultBlockWriter;
import java.util.ArrayList;
import java.util.List;

/** Views that a call has used, to be used again by the next one. */
final class ViewPool {
    /** A call that needed more leaves the rest to the garbage collector. */
    private static final int KEPT = 4096;

    private final ResultBlockWriter writer;
    private final CallState state;
    private final List<RowsView> rows = new ArrayList<>();
    private final List<ResultsView> results = new ArrayList<>();
    private int usedRows;
    private int usedResults;

    ViewPool(ResultBlockWriter writer, CallState state) {
        this.writer = writer;
        this.state = state;
    }

    void reset() {
        if (rows.size() > KEPT) {
            rows.subList(KEPT, rows.size()).clear();
        }
        if (results.size() > KEPT) {
            results.subList(KEPT, results.size()).clear();
        }
        usedRows = 0;
        usedResults = 0;
    }

    RowsView rows() {
        if (usedRows == rows.size()) {
            rows.add(new RowsView(writer, state));
        }
        return rows.get(usedRows++);
    }

    ResultsView results() {
        if (usedResults == results.size()) {
            results.add(new ResultsView(this));
        }
        return results.get(usedResults++);
    }
}
