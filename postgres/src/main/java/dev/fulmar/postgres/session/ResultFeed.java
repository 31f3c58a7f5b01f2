package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
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
    private final HeldMemory memory;
    private final @Nullable Parts parts;

    /** Of the part that is here. */
    private long bytes;

    private ResultRows rows;
    private boolean hasMore;
    private long sentBefore;

    /** A result that is here. */
    static ResultFeed whole(Committed answer, RowForm form, HeldMemory memory) {
        return new ResultFeed(answer, form, memory, null);
    }

    /** The same for a COPY, which takes rows alone. */
    static ResultFeed copied(Committed answer, RowForm form, HeldMemory memory) {
        if (answer.kind() != TransactionResponse.Kind.TABLE) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "COPY query must have a RETURNING clause; or be a SELECT");
        }
        return whole(answer, form, memory);
    }

    /** A result whose first part is here. */
    ResultFeed(Committed first, RowForm form, HeldMemory memory, @Nullable Parts parts) {
        this.form = form;
        this.memory = memory;
        this.bytes = memory.claim();
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
        release();
        source.next(part -> {
            bytes = memory.claim();
            sentBefore += rows.sent();
            rows = new ResultRows(part.results(), form);
            hasMore = source.hasMore(part, rows.count());
            then.run();
        });
    }

    /** Gives back the memory of the rows, which are all sent. */
    void release() {
        memory.release(bytes);
        bytes = 0;
    }

    /** Gives everything back, and ends the source of further parts, if there are any. */
    void close(Supplier<TransactionRequest.AdHoc> request) {
        release();
        Parts source = parts;
        if (source != null && hasMore) {
            hasMore = false;
            source.close(request.get());
        }
    }
}
