package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.postgres.value.RowForm;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rows of a result, which come in one part or in several. One part is held at a time. */
final class ResultFeed {
    /** Source of further parts. */
    interface Parts {
        /** Asks for the next part, which comes later. */
        void next(Consumer<Committed> then);

        /** Whether a part has more behind it. */
        boolean hasMore(Committed part, long rows);

        /** The client needs no more; the answer to the request is not awaited. */
        void close(TransactionRequest.AdHoc request);
    }

    private final RowForm form;
    private final @Nullable Parts parts;
    private ResultRows rows;
    private boolean hasMore;
    private long sentBefore;

    /** A result that is here. */
    static ResultFeed whole(Committed answer, RowForm form) {
        return new ResultFeed(answer, form, null);
    }

    /** A result whose first part is here. */
    ResultFeed(Committed first, RowForm form, @Nullable Parts parts) {
        this.form = form;
        this.parts = parts;
        this.rows = new ResultRows(first.results(), form);
        this.hasMore = parts != null && parts.hasMore(first, rows.count());
    }

    List<ResultColumn> columns() {
        return rows.columns();
    }

    /** Rows that were sent so far. */
    long sent() {
        return sentBefore + rows.sent();
    }

    /** Whether all rows were sent. */
    boolean isAtEnd() {
        return rows.isAtEnd() && !hasMore;
    }

    /** Whether the next rows must be asked for. */
    boolean needsPart() {
        return rows.isAtEnd() && hasMore;
    }

    /**
     * Sends rows that are here while the client takes them.
     *
     * @param limit of all rows that are sent
     * @return false if the client takes no more now
     */
    boolean send(ClientOutput output, long limit) {
        return rows.send(output, limit == Long.MAX_VALUE ? limit : limit - sentBefore);
    }

    /** Asks for the next part. */
    void fetch(Runnable then) {
        Parts source = parts;
        if (source == null) {
            throw new IllegalStateException("the result has one part");
        }
        source.next(part -> {
            sentBefore += rows.sent();
            rows = new ResultRows(part.results(), form);
            hasMore = source.hasMore(part, rows.count());
            then.run();
        });
    }

    /** Ends the source of further parts, if there are any. */
    void close(Supplier<TransactionRequest.AdHoc> request) {
        Parts source = parts;
        if (source != null && hasMore) {
            hasMore = false;
            source.close(request.get());
        }
    }
}
