package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.RowSearch;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A query of several rows with SKIP LOCKED. It has its session execute a query for keys, and then one for each row, as
 * if the client had sent them before anything else that waits. The session keeps the rows that it finds, as they were
 * shown to the client, and not the keys. Touched where the session's events are handled.
 */
final class RowByRowQuery extends PassingSink<TransactionRequest.AdHoc> {
    private static final int FIRST_BYTES = 1 << 10;
    private static final int MOST_BYTES = 64 << 20;

    private final RowSearch search;
    private final BiConsumer<TransactionRequest.AdHoc, ResponseSink> session;

    private final ArrayDeque<byte[]> keys = new ArrayDeque<>();
    private final List<Committed> rows = new ArrayList<>();
    private List<ResultColumn> columns = List.of();
    private boolean hasKeys;

    private RowByRowQuery(
            TransactionRequest.AdHoc request,
            ResponseSink sink,
            RowSearch search,
            BiConsumer<TransactionRequest.AdHoc, ResponseSink> session) {
        super(request, sink);
        this.search = search;
        this.session = session;
    }

    /**
     * Begins it.
     *
     * @param request of the client, whose answer goes to the sink
     * @param session executes a statement before all that wait; its answer goes to the sink beside it
     */
    static void begin(
            TransactionRequest.AdHoc request,
            ResponseSink sink,
            RowSearch search,
            BiConsumer<TransactionRequest.AdHoc, ResponseSink> session) {
        new RowByRowQuery(request, sink, search, session).ask(search.keys(), search.keysParameters());
    }

    /** Whether the result of its statement must come again at the COMMIT: rows must, and neither keys nor no row. */
    boolean keeps(Committed answer) {
        return hasKeys && block(answer).rowCount() > 0;
    }

    private void ask(String sql, byte[] parameters) {
        session.accept(
                new TransactionRequest.AdHoc(
                        request.clientId(),
                        request.requestId(),
                        request.timeoutNanos(),
                        request.consistency(),
                        sql,
                        parameters,
                        request.caller(),
                        request.catalogVersion()),
                this);
    }

    @Override
    public void respond(TransactionRequest asked, TransactionResponse response) {
        try {
            switch (response) {
                case Failed failed -> {
                    end(failed);
                    return;
                }
                case Committed answer -> {
                    if (!hasKeys) {
                        found(answer);
                    } else if (block(answer).rowCount() > 0) { // else another transaction has it, or it is gone
                        rows.add(answer);
                    }
                }
            }
            byte[] key = rows.size() < search.most() ? keys.poll() : null;
            if (key == null) {
                end(new Committed(Kind.TABLE, 0, result()));
            } else {
                ask(search.row(), key);
            }
        } catch (FulmarException e) {
            end(Answers.failed(e));
        }
    }

    private void found(Committed answer) {
        hasKeys = true;
        ResultBlock found = block(answer);
        int first = found.columnCount() - search.keyColumns();
        columns = found.columns().subList(0, first);
        byte[] given = search.rowParameters();
        ParameterReader before = new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(given, 0, given.length);
        while (found.next()) {
            ParameterWriter writer = new ParameterWriter(FIRST_BYTES, MOST_BYTES).begin();
            for (int i = 0; i < before.count(); i++) {
                writer.addCopy(before, i);
            }
            for (int column = first; column < found.columnCount(); column++) {
                writer.addObject(found.object(column));
            }
            writer.end();
            keys.add(writer.toByteArray());
        }
    }

    private static ResultBlock block(Committed answer) {
        return new ResultBlock().wrap(answer.results(), 0, answer.results().length);
    }

    private byte[] result() {
        ResultBlockWriter writer = new ResultBlockWriter(FIRST_BYTES, MOST_BYTES);
        writer.begin(new ResultLayout(columns));
        for (Committed answer : rows) {
            ResultBlock row = block(answer);
            while (row.next()) {
                writer.appendRow(row);
            }
        }
        writer.end();
        if (writer.hasOverflowed()) {
            throw new FulmarException(
                    ErrorCode.RESULT_TOO_LARGE,
                    "the rows of a query with SKIP LOCKED take more than " + MOST_BYTES + " bytes; ask for fewer");
        }
        return writer.toByteArray();
    }

    private void end(TransactionResponse response) {
        keys.clear();
        rows.clear();
        sink.respond(request, response);
        sink.flush();
    }
}
