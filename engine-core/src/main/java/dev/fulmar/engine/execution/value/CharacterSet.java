package dev.fulmar.engine.execution.value;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A set of characters in a regular expression.
 *
 * @param isNegated whether it has all the others
 */
record CharacterSet(List<Range> ranges, List<IntPredicate> classes, boolean isNegated) {
    /** Characters from one to another, both included. */
    record Range(int first, int last) {}

    static final CharacterSet ANY = new CharacterSet(List.of(), List.of(), true);

    /** All but the line feed. */
    static final CharacterSet OF_LINE = new CharacterSet(List.of(new Range('\n', '\n')), List.of(), true);

    CharacterSet {
        ranges = List.copyOf(ranges);
        classes = List.copyOf(classes);
    }

    static CharacterSet of(int character) {
        return new CharacterSet(List.of(new Range(character, character)), List.of(), false);
    }

    static CharacterSet of(IntPredicate each, boolean isNegated) {
        return new CharacterSet(List.of(), List.of(each), isNegated);
    }

    /** All of several sets. */
    static CharacterSet of(List<CharacterSet> sets, boolean isNegated) {
        List<IntPredicate> classes = new ArrayList<>();
        sets.forEach(set -> classes.add(set::has));
        return new CharacterSet(List.of(), classes, isNegated);
    }

    boolean has(int character) {
        return names(character) != isNegated;
    }

    /** Whether the set has the character, or the same letter in the other case. */
    boolean hasInAnyCase(int character) {
        boolean isNamed =
                names(character) || names(Character.toLowerCase(character)) || names(Character.toUpperCase(character));
        return isNamed != isNegated;
    }

    /** Whether the character is one of those that are written down. */
    private boolean names(int character) {
        for (Range range : ranges) {
            if (character >= range.first && character <= range.last) {
                return true;
            }
        }
        for (IntPredicate each : classes) {
            if (each.test(character)) {
                return true;
            }
        }
        return false;
    }
}
