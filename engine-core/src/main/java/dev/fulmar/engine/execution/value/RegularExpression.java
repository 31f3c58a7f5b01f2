package dev.fulmar.engine.execution.value;

import java.util.List;

/**
 * A regular expression as PostgreSQL has them (manual §9.7.3), without what needs backtracking: no back references and
 * no looking around. All ways through the expression are followed at once, so time is at most the text's length times
 * that of the expression, whatever they are. Immutable.
 */
public final class RegularExpression {
    private final List<Step> steps;
    private final boolean inAnyCase;

    /** A step of the program that an expression becomes. */
    sealed interface Step {
        /** A character of a set. */
        record One(CharacterSet set) implements Step {}

        /** Either of two steps is next. */
        record Fork(int one, int other) implements Step {}

        record Jump(int next) implements Step {}

        /** The beginning of the text, or its end. */
        record Border(boolean isEnd) implements Step {}

        /** The expression has matched. */
        record Done() implements Step {}
    }

    private RegularExpression(List<Step> steps, boolean inAnyCase) {
        this.steps = List.copyOf(steps);
        this.inAnyCase = inAnyCase;
    }

    /** Reads an expression; a wrong one is an error. */
    public static RegularExpression of(String pattern, boolean inAnyCase) {
        return new RegularExpression(new RegularExpressionReader(pattern).steps(), inAnyCase);
    }

    /** Whether a part of the text matches. */
    public boolean matches(String text) {
        int[] characters = text.codePoints().toArray();
        Ways now = new Ways(steps.size());
        Ways next = new Ways(steps.size());
        for (int i = 0; i <= characters.length; i++) {
            if (add(now, 0, i, characters.length)) {
                return true;
            }
            if (i == characters.length) {
                return false;
            }
            next.clear();
            for (int way = 0; way < now.count; way++) {
                int step = now.steps[way];
                if (steps.get(step) instanceof Step.One(CharacterSet set)
                        && has(set, characters[i])
                        && add(next, step + 1, i + 1, characters.length)) {
                    return true;
                }
            }
            Ways before = now;
            now = next;
            next = before;
        }
        return false;
    }

    private boolean has(CharacterSet set, int character) {
        return set.has(character)
                || (inAnyCase
                        && (set.has(Character.toLowerCase(character)) || set.has(Character.toUpperCase(character))));
    }

    /** Adds the step, and all that it leads to without a character; whether the expression has matched by that. */
    private boolean add(Ways ways, int first, int place, int length) {
        ways.open[0] = first;
        int open = 1;
        while (open > 0) {
            int step = ways.open[--open];
            if (!ways.isNew(step)) {
                continue;
            }
            switch (steps.get(step)) {
                case Step.One _ -> ways.steps[ways.count++] = step;
                case Step.Fork(int one, int other) -> {
                    ways.open[open++] = other;
                    ways.open[open++] = one;
                }
                case Step.Jump(int next) -> ways.open[open++] = next;
                case Step.Border(boolean isEnd) -> {
                    if (place == (isEnd ? length : 0)) {
                        ways.open[open++] = step + 1;
                    }
                }
                case Step.Done _ -> {
                    return true;
                }
            }
        }
        return false;
    }

    /** The steps that may be next, each of them once. */
    private static final class Ways {
        private final int[] steps;

        /** Each step that is new puts two others here at most. */
        private final int[] open;

        private final boolean[] known;
        private int count;

        Ways(int size) {
            steps = new int[size];
            open = new int[2 * size + 2];
            known = new boolean[size];
        }

        boolean isNew(int step) {
            boolean isNew = !known[step];
            known[step] = true;
            return isNew;
        }

        void clear() {
            count = 0;
            java.util.Arrays.fill(known, false);
        }
    }
}
