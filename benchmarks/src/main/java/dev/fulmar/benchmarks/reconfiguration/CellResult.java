package dev.fulmar.benchmarks.reconfiguration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;

/**
 * Result of a cell.
 *
 * @param factor by which sites are slower than the machine's processors; 0 for no emulated capacity
 * @param perSecond commits per second
 * @param processor part of the machine's processors that was used, on average
 * @param move the reconfiguration
 * @param pauses of calls
 * @param seconds of the load during the move, and before and after it
 * @param sites time of a site's thread for each second, by the node and the thread
 * @param problems failed calls, and what is wrong with the tables
 */
record CellResult(
        double factor,
        Windows perSecond,
        Windows processor,
        Move move,
        Pauses pauses,
        List<LoadRun.Second> seconds,
        Map<String, Windows> sites,
        List<String> problems) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A figure in each window.
     *
     * @param balanced of a closed loop that meets all partitions alike
     * @param before with the load during the move, before it
     * @param after the same after it
     */
    record Windows(double balanced, double before, double moving, double after) {
        double most() {
            return Math.max(Math.max(balanced, before), Math.max(moving, after));
        }
    }

    /**
     * The move itself.
     *
     * @param firstSecond of the load in which it was under way, from 0 on
     * @param lastSecond of these
     * @param startMillis time of the call that started it
     * @param worstSecond commits in the worst of its seconds
     */
    record Move(
            int firstSecond,
            int lastSecond,
            double seconds,
            double startMillis,
            double worstSecond,
            long buckets,
            long rows,
            long bytes,
            double worstPauseMillis) {}

    /**
     * Pauses of calls, in milliseconds.
     *
     * @param handOffs from the freeze of a partition to its end
     * @param handOffsBeyond the same, less what the machine itself stalled
     * @param startLocks for how long the change of the catalog that started it had the lock of each partition
     * @param handOffLocks the same of changes that handed a bucket over
     */
    record Pauses(
            List<Double> handOffs, List<Double> handOffsBeyond, List<Double> startLocks, List<Double> handOffLocks) {}

    /** Part of the balanced throughput that is left before the move. */
    double cut() {
        return perSecond.before / perSecond.balanced;
    }

    /** Part of the balanced throughput that there is after it. */
    double regained() {
        return perSecond.after / perSecond.balanced;
    }

    /** The worst second of the move as a part of the throughput before. */
    double worst() {
        return move.worstSecond / perSecond.before;
    }

    String json() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result cannot be written", e);
        }
    }

    static CellResult ofJson(String text) {
        try {
            return JSON.readValue(text, CellResult.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a result: " + text, e);
        }
    }
}
