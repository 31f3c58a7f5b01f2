package dev.fulmar.benchmarks.experiment;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stalls of the machine itself, core by core, which experiments subtract from the pauses that they measured.
 * {@link StallRecorder} saw them.
 *
 * @param stalls in any order
 */
public record ControlStalls(List<Stall> stalls) {
    /**
     * A time in which a thread that wanted to run on a core did not.
     *
     * @param startNanos by {@link System#nanoTime()}, which all processes of a machine share
     */
    public record Stall(int core, long startNanos, long durationNanos) {
        private static final String MARK = "stall ";

        String line() {
            return MARK + core + " " + startNanos + " " + durationNanos;
        }

        private static Stall parse(String line) {
            String[] words = line.substring(MARK.length()).split(" ", -1);
            return new Stall(Integer.parseInt(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
        }
    }

    /** Of what a recorder wrote. */
    public static ControlStalls parse(List<String> lines) {
        return new ControlStalls(lines.stream()
                .filter(line -> line.startsWith(Stall.MARK))
                .map(Stall::parse)
                .toList());
    }

    /** Time by which the pause was longer than the machine's stall within it, on the core with the longest one. */
    long excessNanos(CollectorLog.Pause pause) {
        return excessNanos(pause.startNanos(), pause.durationNanos());
    }

    /** The same, of a pause from that moment on by {@link System#nanoTime()}. */
    public long excessNanos(long startNanos, long durationNanos) {
        Map<Integer, Long> stalledNanos = new HashMap<>();
        long most = 0;
        for (Stall stall : stalls) {
            long from = Math.max(stall.startNanos, startNanos);
            long to = Math.min(stall.startNanos + stall.durationNanos, startNanos + durationNanos);
            if (from < to) {
                most = Math.max(most, stalledNanos.merge(stall.core, to - from, Long::sum));
            }
        }
        return durationNanos - most;
    }

    public long longestNanos() {
        return stalls.stream().mapToLong(Stall::durationNanos).max().orElse(0);
    }
}
