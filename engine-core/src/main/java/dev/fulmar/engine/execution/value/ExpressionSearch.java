package dev.fulmar.engine.execution.value;

import dev.fulmar.engine.execution.value.RegularExpression.Step;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Looks for matches of a regular expression in a text. The match that begins first counts, and of those the longest or
 * the shortest. Belongs to one thread.
 */
public final class ExpressionSearch {
    /** About a second; the partition serves nothing else in that time. */
    private static final long MOST_STEPS = 100_000_000;

    private final RegularExpression expression;
    private final int[] characters;
    private final boolean isShortest;
    private Ways now;
    private Ways next;
    private long taken;

    /**
     * A part of the text that matches.
     *
     * @param start its first character
     * @param end behind its last character
     */
    public record Match(int start, int end) {}

    ExpressionSearch(RegularExpression expression, int[] characters, boolean isShortest) {
        this.expression = expression;
        this.characters = characters;
        this.isShortest = isShortest;
        now = new Ways(expression.steps.size());
        next = new Ways(expression.steps.size());
    }

    /** The first match that begins at the place or behind it; null if there is none. */
    public @Nullable Match find(int from) {
        Match best = null;
        spend(expression.steps.size());
        now.clear();
        for (int i = from; i <= characters.length; i++) {
            if (best == null) {
                best = add(now, 0, i, i, null);
            }
            if (best != null && !hasWay(now, best.start)) {
                return best;
            }
            if (i == characters.length) {
                return best;
            }
            next.clear();
            for (int way = 0; way < now.count && mayCount(now.starts[way], best); way++) {
                int step = now.steps[way];
                if (expression.steps.get(step) instanceof Step.One(CharacterSet set)
                        && expression.has(set, characters[i])) {
                    best = add(next, step + 1, i + 1, now.starts[way], best);
                }
            }
            spend(now.count + 1L);
            Ways before = now;
            now = next;
            next = before;
        }
        return best;
    }

    /** Ways are in the order of their begins. */
    private boolean hasWay(Ways ways, int start) {
        return ways.count > 0 && (isShortest ? ways.starts[0] < start : ways.starts[0] <= start);
    }

    private boolean mayCount(int start, @Nullable Match best) {
        return best == null || (isShortest ? start < best.start : start <= best.start);
    }

    private void spend(long steps) {
        taken += steps;
        if (taken > MOST_STEPS) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "a regular expression takes more than " + MOST_STEPS + " steps in a text of " + characters.length
                            + " characters; make one of them shorter");
        }
    }

    /** Adds the step, and all that it leads to without a character; the best match by that. */
    private @Nullable Match add(Ways ways, int first, int place, int start, @Nullable Match best) {
        Match result = best;
        ways.open[0] = first;
        int open = 1;
        while (open > 0) {
            int step = ways.open[--open];
            spend(1);
            if (!ways.isNew(step)) {
                continue;
            }
            switch (expression.steps.get(step)) {
                case Step.One _ -> ways.add(step, start);
                case Step.Fork(int one, int other, boolean _) -> {
                    ways.open[open++] = other;
                    ways.open[open++] = one;
                }
                case Step.Jump(int onward) -> ways.open[open++] = onward;
                case Step.Mark _ -> ways.open[open++] = step + 1;
                case Step.Border(RegularExpression.Edge edge) -> {
                    if (edge.isAt(characters, place)) {
                        ways.open[open++] = step + 1;
                    }
                }
                case Step.Done _ -> {
                    boolean isBetter = result == null || start < result.start || (start == result.start && !isShortest);
                    result = isBetter ? new Match(start, place) : result;
                }
            }
        }
        return result;
    }

    /**
     * The begin and the end of each group in the match, at twice its number and behind that; -1 for a group without a
     * part. Alternatives that would give groups different parts are an error.
     */
    public int[] groups(Match match) {
        int[] groups = new GroupSearch(expression, characters, match, false, this::spend).groups();
        int[] others = new GroupSearch(expression, characters, match, true, this::spend).groups();
        if (!Arrays.equals(groups, others)) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "alternatives of a regular expression match the same text in several ways, so that its groups have"
                            + " no certain parts; write alternatives none of which begins another");
        }
        return groups;
    }

    /** The steps that may be next, each of them once, with the begin of the match. */
    private static final class Ways {
        private final int[] steps;
        private final int[] starts;

        /** Each step that is new puts two others here at most. */
        private final int[] open;

        private final boolean[] known;
        private int count;

        Ways(int size) {
            steps = new int[size];
            starts = new int[size];
            open = new int[2 * size + 2];
            known = new boolean[size];
        }

        boolean isNew(int step) {
            boolean isNew = !known[step];
            known[step] = true;
            return isNew;
        }

        void add(int step, int start) {
            steps[count] = step;
            starts[count++] = start;
        }

        void clear() {
            count = 0;
            Arrays.fill(known, false);
        }
    }
}
