package dev.fulmar.postgres.session;

import dev.fulmar.wire.postgres.message.BackendMessage;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Rows on their way to the client, which takes them when it likes. On the session's thread. */
final class SentRows {
    private final ClientOutput output;

    /** Rows that wait until the client takes them; null if none do. */
    private @Nullable Runnable waiting;

    SentRows(ClientOutput output) {
        this.output = output;
    }

    /** Whether rows wait for the client. */
    boolean areWaiting() {
        return waiting != null;
    }

    /** Forgets those that wait. */
    void drop() {
        waiting = null;
    }

    /** The client takes more; returns whether rows waited for that. */
    boolean writable() {
        Runnable rows = waiting;
        if (rows != null) {
            rows.run();
        }
        return rows != null;
    }

    /** Sends all rows. */
    void send(ResultFeed feed, LongConsumer ended) {
        send(feed, null, Long.MAX_VALUE, ended);
    }

    /**
     * Sends rows.
     *
     * @param paused the statement whose portal pauses at the limit; null for none
     * @param limit of all rows that are sent
     * @param ended takes the count of rows that were sent, when there are no more
     */
    void send(ResultFeed feed, @Nullable Bound paused, long limit, LongConsumer ended) {
        waiting = null;
        if (!feed.send(output, limit)) {
            waiting = () -> send(feed, paused, limit, ended); // before the flush, which may make room at once
            output.flush();
        } else if (paused != null && paused.portal() != null && feed.sent() >= limit) {
            output.send(new BackendMessage.PortalSuspended());
        } else if (feed.needsPart()) {
            feed.fetch(() -> send(feed, paused, limit, ended));
        } else {
            feed.release();
            ended.accept(feed.sent());
        }
    }
}
