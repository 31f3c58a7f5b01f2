package dev.fulmar.reconfig.move;

import dev.fulmar.engine.partition.counter.LatencyHistogram;

/**
 * Keeps calls on a node fast while buckets move. It compares the 99th percentile of their time in each window with that
 * of windows in which this node moved nothing, and makes pauses between chunks longer or shorter.
 *
 * <table>
 * <caption>States</caption>
 * <tr><th>state</th><th>next</th><th>when</th></tr>
 * <tr><td>LISTENING</td><td>FOLLOWING</td><td>some windows have passed without a move</td></tr>
 * <tr><td>FOLLOWING</td><td>LISTENING</td><td>a minute has passed, or calls have come to a node that had none</td></tr>
 * </table>
 *
 * <p>For one thread.
 */
final class LatencyBudget {
    /** Time between two looks. */
    static final long WINDOW_NANOS = 500_000_000;

    /** Longest pause, with which a move still goes on. */
    static final long MOST_DELAY_NANOS = 250_000_000;

    private static final long FIRST_DELAY_NANOS = 1_000_000;
    private static final int QUIET_WINDOWS = 4;
    private static final int FOLLOWED_WINDOWS = 120;
    private static final double SHARE = 0.99;

    /** With fewer calls in a window their 99th percentile says nothing. */
    private static final long FEW_CALLS = 100;

    private static final int PERCENT = 100;

    private enum State {
        LISTENING,
        FOLLOWING
    }

    private final int mostIncreasePercent;
    private LatencyHistogram before;
    private State state = State.LISTENING;
    private int windows;
    private long quietNanos;
    private long delayNanos;

    /**
     * @param mostIncreasePercent by which the 99th percentile may grow
     * @param sofar times of all calls before the first window
     */
    LatencyBudget(int mostIncreasePercent, LatencyHistogram sofar) {
        this.mostIncreasePercent = mostIncreasePercent;
        before = copy(sofar);
    }

    private static LatencyHistogram copy(LatencyHistogram original) {
        LatencyHistogram copy = new LatencyHistogram();
        copy.add(original);
        return copy;
    }

    /** Whether this node must move nothing: the budget learns how long calls take without a move. */
    boolean isListening() {
        return state == State.LISTENING;
    }

    /** Pause between two chunks that the budget wants, 0 for none. */
    long delayNanos() {
        return delayNanos;
    }

    /** @param all times of all calls so far, a window after the last look */
    void look(LatencyHistogram all) {
        LatencyHistogram window = copy(all);
        window.subtract(before);
        before = copy(all);
        windows++;
        boolean saysSomething = window.count() >= FEW_CALLS;
        long nanos = saysSomething ? window.quantileNanos(SHARE) : 0;
        switch (state) {
            case LISTENING -> {
                quietNanos = Math.max(quietNanos, nanos);
                if (windows == QUIET_WINDOWS) {
                    become(State.FOLLOWING);
                }
            }
            case FOLLOWING -> {
                follow(saysSomething, nanos);
                if (windows == FOLLOWED_WINDOWS || (saysSomething && quietNanos == 0)) {
                    become(State.LISTENING);
                    quietNanos = 0;
                }
            }
        }
    }

    private void become(State next) {
        state = next;
        windows = 0;
    }

    private void follow(boolean saysSomething, long nanos) {
        boolean isOver = saysSomething && nanos > quietNanos + quietNanos / PERCENT * mostIncreasePercent;
        if (isOver) {
            delayNanos = Math.min(Math.max(2 * delayNanos, FIRST_DELAY_NANOS), MOST_DELAY_NANOS);
        } else {
            delayNanos = delayNanos < FIRST_DELAY_NANOS ? 0 : delayNanos - delayNanos / 4;
        }
    }
}
