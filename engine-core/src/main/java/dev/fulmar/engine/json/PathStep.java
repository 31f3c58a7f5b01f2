package dev.fulmar.engine.json;

import java.util.List;

/** A part of a path of SQL/JSON (PostgreSQL's manual, 9.16.2). */
sealed interface PathStep {
    /** Where a path begins: the document, or in a filter its item. */
    enum Origin {
        DOCUMENT,
        ITEM
    }

    /** A path that begins at an origin. */
    record Root(Origin origin) implements PathStep {}

    /** A value that the path writes down. */
    record Constant(JsonValue value) implements PathStep {}

    /** A value that the caller gives. */
    record Variable(String name) implements PathStep {}

    /** {@code .key}. */
    record Key(String name) implements PathStep {}

    /** {@code .*}. */
    record AnyKey() implements PathStep {}

    /** {@code [*]}. */
    record AnyElement() implements PathStep {}

    /** {@code [0, 2 to last]}. */
    record Elements(List<Range> ranges) implements PathStep {
        public Elements {
            ranges = List.copyOf(ranges);
        }
    }

    /** Elements between two places, both included. */
    record Range(Place from, Place to) {}

    /** A number of an element, from 0, or from the last one if it is one before that. */
    record Place(int number, boolean isFromLast) {}

    /** {@code .size()}. */
    record Size() implements PathStep {}

    /** {@code .type()}. */
    record Kind() implements PathStep {}

    /** {@code ?(condition)}. */
    record Filter(Condition condition) implements PathStep {}

    /** A condition by itself, whose truth value is the item. */
    record Test(Condition condition) implements PathStep {}

    /** A condition, which holds, does not hold, or is unknown. */
    sealed interface Condition {
        record And(Condition one, Condition other) implements Condition {}

        record Or(Condition one, Condition other) implements Condition {}

        record Not(Condition condition) implements Condition {}

        record IsUnknown(Condition condition) implements Condition {}

        record Exists(List<PathStep> path) implements Condition {
            public Exists {
                path = List.copyOf(path);
            }
        }

        record Compare(Comparison comparison, List<PathStep> one, List<PathStep> other) implements Condition {
            public Compare {
                one = List.copyOf(one);
                other = List.copyOf(other);
            }
        }
    }

    /** How two items compare. */
    enum Comparison {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL,
        STARTS_WITH
    }
}
