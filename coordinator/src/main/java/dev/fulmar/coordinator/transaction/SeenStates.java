package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.engine.partition.Partition;
import java.util.Arrays;
import java.util.List;

/**
 * The states of a partition in which sessions have seen their statements. A statement yields the same rows on the same
 * state, behind the same statements: so one that only reads need not run again there. A COMMIT runs all of them, so
 * this saves time between statements, and a committed transaction does not depend on it.
 *
 * <p>Two runs see one state if no transaction holds the partition in either, and none has been given a timestamp
 * between them. Everything that changes a partition is given one: commits, moved rows, and the replay of a log.
 *
 * <p>For the partition's thread. Transactions share places, so a state may be forgotten at any time.
 */
final class SeenStates {
    /** A power of two: far more than transactions that are under way at once on one partition. */
    private static final int PLACES = 256;

    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    private final long[] transactions = new long[PLACES];
    private final long[] timestamps = new long[PLACES];
    private final long[] versions = new long[PLACES];
    private final long[] digests = new long[PLACES];
    private final int[] counts = new int[PLACES];

    /** The statements, from the first one on, that have yielded on this state what their client was shown. */
    int seen(TransactionRequest.Script script, Partition partition, long catalogVersion) {
        int place = place(script.transaction());
        int count = counts[place];
        boolean isKnown = script.transaction() != 0
                && transactions[place] == script.transaction()
                && timestamps[place] == partition.timestamps().last()
                && versions[place] == catalogVersion
                && partition.isQuiescent()
                && count <= script.steps().size();
        return isKnown && digest(script, count) == digests[place] ? count : 0;
    }

    /** All statements that the client has been shown have yielded the same again, on the partition as it is now. */
    void saw(TransactionRequest.Script script, Partition partition, long catalogVersion) {
        int count = shown(script.steps());
        if (script.transaction() == 0 || count == 0 || !partition.isQuiescent()) {
            return;
        }
        int place = place(script.transaction());
        transactions[place] = script.transaction();
        timestamps[place] = partition.timestamps().last();
        versions[place] = catalogVersion;
        digests[place] = digest(script, count);
        counts[place] = count;
    }

    private static int place(long transaction) {
        return (int) ((transaction * MULTIPLIER) >>> (Long.SIZE - Integer.numberOfTrailingZeros(PLACES)));
    }

    private static int shown(List<ScriptStep> steps) {
        int count = 0;
        while (count < steps.size() && !steps.get(count).isNew()) {
            count++;
        }
        return count;
    }

    /** Tells statements, their parameters and what their client was shown from others. */
    private static long digest(TransactionRequest.Script script, int count) {
        long digest = mixed(count, script.micros());
        for (int i = 0; i < count; i++) {
            ScriptStep step = script.steps().get(i);
            digest = mixed(digest, step.sql().hashCode());
            digest = mixed(digest, Arrays.hashCode(step.parameters()));
            digest = mixed(digest, Arrays.hashCode(step.numbers()));
            digest = mixed(digest, step.seed());
            digest = mixed(
                    digest,
                    step.shown() == null
                            ? -1
                            : step.shown().high() ^ step.shown().low());
            digest = mixed(digest, step.failure() == null ? -1 : step.failure().number());
        }
        return digest;
    }

    private static long mixed(long digest, long more) {
        long mixed = (digest ^ more) * MULTIPLIER;
        return mixed ^ (mixed >>> Integer.SIZE);
    }
}
