package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.time.Clock;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The queries whose results changed lately under transactions that then changed something, and so failed. Transactions
 * that send one of them had better queue for its row. It forgets some, where many are noted. Thread-safe.
 */
final class HotReads {
    private static final int PLACES = 1024;
    private static final long HOT_NANOS = 10_000_000_000L;

    private record Entry(long query, long untilNanos) {}

    private final Clock clock;
    private final AtomicReferenceArray<@Nullable Entry> entries = new AtomicReferenceArray<>(PLACES);

    HotReads(Clock clock) {
        this.clock = clock;
    }

    /** Another transaction has changed what the query yields, or what a query beside it yields. */
    void note(ScriptStep query) {
        long number = number(query.sql(), query.parameters());
        entries.set(place(number), new Entry(number, clock.monotonicNanos() + HOT_NANOS));
    }

    boolean has(String sql, byte[] parameters) {
        long number = number(sql, parameters);
        Entry entry = entries.get(place(number));
        return entry != null && entry.query() == number && entry.untilNanos() - clock.monotonicNanos() > 0;
    }

    private static long number(String sql, byte[] parameters) {
        return PartitioningHash.ofWide(sql.hashCode(), PartitioningHash.ofBytes(parameters, 0, parameters.length));
    }

    private static int place(long number) {
        return (int) Math.floorMod(number, (long) PLACES);
    }

    /**
     * Notes what a transaction has read in vain that was to change something: later ones queue for its rows.
     *
     * @param failed the statement that met the conflict; null for the COMMIT
     */
    void noteConflict(ErrorCode code, OpenTransaction transaction, @Nullable ScriptStep failed) {
        boolean isToChange =
                !transaction.changesNothing() || (failed != null && StatementGuess.changesRows(failed.sql()));
        if (code == ErrorCode.SERIALIZATION_FAILURE && isToChange) {
            transaction.reads().forEach(this::note);
        }
    }
}
