package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.engine.partition.Partition;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The states of a partition in which sessions have seen their statements. A statement yields the same rows on the same
 * state, behind the same statements: so one that only reads need not run again there. One that changes rows need not,
 * unless a statement that runs behind it depends on its tables. A COMMIT runs all of them, so this saves time between
 * statements, and a committed transaction does not depend on it.
 *
 * <p>Two runs see one state if no transaction holds the partition in either, and none has been given a timestamp
 * between them. Everything that changes a partition is given one: commits, moved rows, and the replay of a log.
 *
 * <p>For the partition's thread. Transactions share places, so a state may be forgotten at any time.
 */
final class SeenStates {
    /** A power of two: far more than transactions that are under way at once on one partition. */
    private static final int PLACES = 256;

    /** Longer transactions have their statements run again. */
    private static final int MOST_STATEMENTS = 4_000;

    /** A place of more statements gives its memory back when a transaction of fewer takes it. */
    private static final int FEW_STATEMENTS = 1_000;

    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    /** The statements of one transaction, from the first one on. */
    private static final class Place {
        private long transaction;
        private long timestamp;
        private long version;

        /** Statements whose results the client had been shown when they ran last, and a digest of them. */
        private int shown;

        private long shownDigest;

        /** Those, and the ones behind them that were new. The client may have been shown their results since. */
        private int all;

        private long allDigest;

        /** The tables that each statement changed, as {@link dev.fulmar.engine.plan.TableMarks}. */
        private long[] changed = {};

        /** Plans of the statements: another plan may choose other rows where its statement lets it. */
        private @Nullable Object[] plans = new @Nullable Object[0];
    }

    private final @Nullable Place[] places = new @Nullable Place[PLACES];

    /**
     * The statements, from the first one on, that have yielded on this state what their client was shown.
     *
     * @param plans what each statement is planned as, compared by identity
     * @param changed gets the tables that each of them changed
     */
    int seen(
            TransactionRequest.Script script,
            Partition partition,
            long catalogVersion,
            IntFunction<Object> plans,
            long[] changed) {
        Place place = places[number(script.transaction())];
        if (place == null || script.transaction() == 0) {
            return 0;
        }
        boolean isKnown = partition.isQuiescent()
                && place.transaction == script.transaction()
                && place.timestamp == partition.timestamps().last()
                && place.version == catalogVersion;
        if (!isKnown) {
            return 0;
        }
        int seen = seen(script, place, plans);
        System.arraycopy(place.changed, 0, changed, 0, seen);
        return seen;
    }

    @SuppressWarnings("ReferenceEquality") // a plan is one object for as long as it is used
    private static int seen(TransactionRequest.Script script, Place place, IntFunction<Object> plans) {
        List<ScriptStep> steps = script.steps();
        int seen = 0;
        long digest = script.micros();
        for (int i = 0; i < steps.size() && i < place.all; i++) {
            ScriptStep step = steps.get(i);
            if (plans.apply(i) != place.plans[i]) {
                break;
            }
            digest = mixed(digest, step, step.shown());
            if (i + 1 == place.shown && digest == place.shownDigest) {
                seen = place.shown;
            }
            if (i + 1 == place.all && digest == place.allDigest) {
                seen = place.all;
            }
        }
        return seen;
    }

    /**
     * All statements that the client has been shown have yielded the same again, on the partition as it is now.
     *
     * @param plans what each statement is planned as
     * @param results of statements that were new, in their places; null where none succeeded
     * @param changed the tables that each statement has changed
     */
    void saw(
            TransactionRequest.Script script,
            Partition partition,
            long catalogVersion,
            IntFunction<Object> plans,
            @Nullable ResultDigest[] results,
            long[] changed) {
        List<ScriptStep> steps = script.steps();
        if (script.transaction() == 0 || steps.size() > MOST_STATEMENTS || !partition.isQuiescent()) {
            return;
        }
        Place place = place(script.transaction());
        place.transaction = script.transaction();
        place.timestamp = partition.timestamps().last();
        place.version = catalogVersion;
        place.shown = 0;
        place.all = 0;
        long digest = script.micros();
        for (int i = 0; i < steps.size(); i++) {
            ScriptStep step = steps.get(i);
            if (step.isNew() && results[i] == null) {
                break;
            }
            digest = mixed(digest, step, step.isNew() ? results[i] : step.shown());
            place.all = i + 1;
            place.allDigest = digest;
            if (!step.isNew()) {
                place.shown = place.all;
                place.shownDigest = digest;
            }
        }
        boolean isTooLarge = place.changed.length > FEW_STATEMENTS && place.all <= FEW_STATEMENTS;
        if (place.changed.length < place.all || isTooLarge) {
            int length = isTooLarge ? place.all : Math.max(place.all, 2 * place.changed.length);
            place.changed = new long[length];
            place.plans = new @Nullable Object[length];
        }
        System.arraycopy(changed, 0, place.changed, 0, place.all);
        for (int i = 0; i < place.all; i++) {
            place.plans[i] = plans.apply(i);
        }
    }

    /** Forgets all: another node may change the partition, with timestamps that this one has given before. */
    void forget() {
        Arrays.fill(places, null);
    }

    private Place place(long transaction) {
        int number = number(transaction);
        Place place = places[number];
        if (place == null) {
            place = new Place();
            places[number] = place;
        }
        return place;
    }

    private static int number(long transaction) {
        return (int) ((transaction * MULTIPLIER) >>> (Long.SIZE - Integer.numberOfTrailingZeros(PLACES)));
    }

    /** Tells the statement, its parameters and what its client was shown from others. */
    private static long mixed(long digest, ScriptStep step, @Nullable ResultDigest shown) {
        long mixed = mixed(digest, step.sql().hashCode());
        mixed = mixed(mixed, Arrays.hashCode(step.parameters()));
        mixed = mixed(mixed, Arrays.hashCode(step.numbers()));
        mixed = mixed(mixed, step.seed());
        mixed = mixed(mixed, shown == null ? -1 : shown.high() ^ shown.low());
        return mixed(mixed, step.failure() == null ? -1 : step.failure().number());
    }

    private static long mixed(long digest, long more) {
        long mixed = (digest ^ more) * MULTIPLIER;
        return mixed ^ (mixed >>> Integer.SIZE);
    }
}
