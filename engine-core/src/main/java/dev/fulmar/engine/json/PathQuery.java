package dev.fulmar.engine.json;

import dev.fulmar.engine.json.PathStep.Comparison;
import dev.fulmar.engine.json.PathStep.Condition;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path of SQL/JSON in its lax mode. Parts that are missing are left out, arrays stand for their elements, and single
 * values for arrays of them. Immutable; the work on a document is bounded.
 */
public final class PathQuery {
    /** About a second; the partition serves nothing else in that time. */
    private static final int MOST_STEPS = 10_000_000;

    /** Characters of texts, and digits of numbers of one scale, that are compared in a step. */
    private static final int CHARACTERS_PER_STEP = 16;

    /** Digits of numbers that are brought to one scale in a step. */
    private static final int DIGITS_PER_STEP = 4;

    private final List<PathStep> steps;

    private PathQuery(List<PathStep> steps) {
        this.steps = List.copyOf(steps);
    }

    /** Reads a path; a wrong one is an error. */
    public static PathQuery of(String path) {
        return new PathQuery(new PathReader(path).read());
    }

    /**
     * The items that the path leads to.
     *
     * @param variables an object of values by their names; null for none
     */
    public List<JsonValue> items(JsonValue document, @Nullable JsonValue variables) {
        if (variables != null && !(variables instanceof JsonValue.Members)) {
            throw new FulmarException(ErrorCode.INVALID_ARGUMENT, "the variables of a path are an object");
        }
        return new Walk(document, (JsonValue.Members) variables).items(steps, document);
    }

    /** One use of a path. */
    private static final class Walk {
        private final JsonValue document;
        private final JsonValue.@Nullable Members variables;
        private long taken;

        Walk(JsonValue document, JsonValue.@Nullable Members variables) {
            this.document = document;
            this.variables = variables;
        }

        private void spend() {
            spend(1);
        }

        private void spend(long steps) {
            taken += steps;
            if (taken > MOST_STEPS) {
                throw new FulmarException(
                        ErrorCode.STATEMENT_TOO_COMPLEX,
                        "a path of JSON takes more than " + MOST_STEPS + " steps; make it or the document shorter");
            }
        }

        List<JsonValue> items(List<PathStep> path, JsonValue item) {
            List<JsonValue> items = List.of(item);
            for (PathStep step : path) {
                List<JsonValue> next = new ArrayList<>();
                for (JsonValue each : items) {
                    spend();
                    add(step, each, item, next);
                }
                items = next;
            }
            return items;
        }

        private void add(PathStep step, JsonValue each, JsonValue item, List<JsonValue> next) {
            switch (step) {
                case PathStep.Root(PathStep.Origin origin) ->
                    next.add(origin == PathStep.Origin.DOCUMENT ? document : item);
                case PathStep.Constant(JsonValue value) -> next.add(value);
                case PathStep.Variable(String name) -> next.add(variable(name));
                case PathStep.Key(String name) -> unwrapped(each).forEach(value -> addMember(value, name, next));
                case PathStep.AnyKey() -> unwrapped(each).forEach(value -> addMembers(value, next));
                case PathStep.AnyElement() -> next.addAll(unwrapped(each));
                case PathStep.Elements(List<PathStep.Range> ranges) -> addElements(elements(each), ranges, next);
                case PathStep.Size() -> next.add(number(elements(each).size()));
                case PathStep.Kind() -> next.add(new JsonValue.Text(kind(each)));
                case PathStep.Filter(Condition condition) -> {
                    for (JsonValue value : unwrapped(each)) {
                        if (Boolean.TRUE.equals(holds(condition, value))) {
                            next.add(value);
                        }
                    }
                }
                case PathStep.Test(Condition condition) -> {
                    Boolean holds = holds(condition, item);
                    next.add(holds == null ? new JsonValue.Nothing() : new JsonValue.Truth(holds));
                }
            }
        }

        private static JsonValue number(int number) {
            return new JsonValue.Number(BigDecimal.valueOf(number));
        }

        private static String kind(JsonValue value) {
            return switch (value) {
                case JsonValue.Members _ -> "object";
                case JsonValue.Elements _ -> "array";
                case JsonValue.Text _ -> "string";
                case JsonValue.Truth _ -> "boolean";
                case JsonValue.Nothing _ -> "null";
                case JsonValue.Number _ -> "number";
            };
        }

        private JsonValue variable(String name) {
            JsonValue value = variables == null ? null : find(variables, name);
            if (value == null) {
                throw new FulmarException(
                        ErrorCode.UNKNOWN_OBJECT, "could not find jsonpath variable \"" + name + "\"; give it a value");
            }
            return value;
        }

        /** The elements, each of which costs a step. */
        private List<JsonValue> unwrapped(JsonValue value) {
            List<JsonValue> elements = elements(value);
            spend(elements.size());
            return elements;
        }

        private static List<JsonValue> elements(JsonValue value) {
            return value instanceof JsonValue.Elements(List<JsonValue> values) ? values : List.of(value);
        }

        /** Half of the members are left after each comparison of a key. */
        private @Nullable JsonValue find(JsonValue.Members members, String name) {
            int comparisons = Integer.SIZE
                    - Integer.numberOfLeadingZeros(members.members().size());
            spend((long) comparisons * (1 + name.length() / CHARACTERS_PER_STEP));
            return members.find(name);
        }

        private void addMember(JsonValue value, String name, List<JsonValue> next) {
            JsonValue member = value instanceof JsonValue.Members members ? find(members, name) : null;
            if (member != null) {
                next.add(member);
            }
        }

        private void addMembers(JsonValue value, List<JsonValue> next) {
            if (value instanceof JsonValue.Members(List<JsonValue.Member> members)) {
                members.forEach(member -> {
                    spend();
                    next.add(member.value());
                });
            }
        }

        private void addElements(List<JsonValue> values, List<PathStep.Range> ranges, List<JsonValue> next) {
            for (PathStep.Range range : ranges) {
                spend();
                int from = Math.max(0, place(range.from(), values.size()));
                int to = Math.min(values.size() - 1, place(range.to(), values.size()));
                for (int i = from; i <= to; i++) {
                    spend();
                    next.add(values.get(i));
                }
            }
        }

        private static int place(PathStep.Place place, int size) {
            return place.isFromLast() ? size - 1 - place.number() : place.number();
        }

        /** Null if it is unknown. */
        private @Nullable Boolean holds(Condition condition, JsonValue item) {
            spend();
            return switch (condition) {
                case Condition.And(Condition one, Condition other) -> both(one, other, item, false);
                case Condition.Or(Condition one, Condition other) -> both(one, other, item, true);
                case Condition.Not(Condition inner) -> {
                    Boolean holds = holds(inner, item);
                    yield holds == null ? null : !holds;
                }
                case Condition.IsUnknown(Condition inner) -> holds(inner, item) == null;
                case Condition.Exists(List<PathStep> path) -> !items(path, item).isEmpty();
                case Condition.Compare(Comparison comparison, List<PathStep> one, List<PathStep> other) ->
                    compares(comparison, all(one, item), all(other, item));
            };
        }

        /** The value of one decides if it is the decisive one, else that of the other. */
        private @Nullable Boolean both(Condition one, Condition other, JsonValue item, boolean decisive) {
            Boolean first = holds(one, item);
            if (first != null && first == decisive) {
                return decisive;
            }
            Boolean second = holds(other, item);
            if (second != null && second == decisive) {
                return decisive;
            }
            return (first == null || second == null) ? null : !decisive;
        }

        /** The items, with the elements of arrays in their place. */
        private List<JsonValue> all(List<PathStep> path, JsonValue item) {
            List<JsonValue> all = new ArrayList<>();
            items(path, item).forEach(each -> all.addAll(unwrapped(each)));
            return all;
        }

        private @Nullable Boolean compares(Comparison comparison, List<JsonValue> some, List<JsonValue> others) {
            boolean isUnknown = false;
            for (JsonValue one : some) {
                for (JsonValue other : others) {
                    spend();
                    Boolean holds = compares(comparison, one, other);
                    if (holds == null) {
                        isUnknown = true;
                    } else if (holds) {
                        return true;
                    }
                }
            }
            return isUnknown ? null : false;
        }

        private @Nullable Boolean compares(Comparison comparison, JsonValue one, JsonValue other) {
            if (comparison == Comparison.STARTS_WITH) {
                if (one instanceof JsonValue.Text(String text) && other instanceof JsonValue.Text(String begin)) {
                    spendOn(text, begin);
                    return text.startsWith(begin);
                }
                return null;
            }
            Integer order = order(one, other);
            if (order == null) {
                boolean isOfNothing = one instanceof JsonValue.Nothing || other instanceof JsonValue.Nothing;
                return isOfNothing ? comparison == Comparison.NOT_EQUAL : null;
            }
            return switch (comparison) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                case GREATER_OR_EQUAL -> order >= 0;
                case STARTS_WITH -> null;
            };
        }

        /** Null for values that do not compare. */
        private @Nullable Integer order(JsonValue one, JsonValue other) {
            if (one instanceof JsonValue.Nothing && other instanceof JsonValue.Nothing) {
                return 0;
            }
            if (one instanceof JsonValue.Truth(boolean left) && other instanceof JsonValue.Truth(boolean right)) {
                return Boolean.compare(left, right);
            }
            if (one instanceof JsonValue.Number(BigDecimal left)
                    && other instanceof JsonValue.Number(BigDecimal right)) {
                long digits = (long) left.precision() + right.precision();
                spend(digits / (left.scale() == right.scale() ? CHARACTERS_PER_STEP : DIGITS_PER_STEP));
                return left.compareTo(right);
            }
            if (one instanceof JsonValue.Text(String left) && other instanceof JsonValue.Text(String right)) {
                spendOn(left, right);
                return orderOfBytes(left, right);
            }
            return null;
        }

        /** The order of texts by their bytes in UTF-8. Only the characters up to the first other one are looked at. */
        private static int orderOfBytes(String one, String other) {
            int shorter = Math.min(one.length(), other.length());
            for (int i = 0; i < shorter; i++) {
                char left = one.charAt(i);
                char right = other.charAt(i);
                if (left != right) {
                    boolean areBoth = Character.isSurrogate(left) == Character.isSurrogate(right);
                    // Halves of pairs stand for characters behind all that take one unit.
                    return areBoth ? Character.compare(left, right) : Character.isSurrogate(left) ? 1 : -1;
                }
            }
            return Integer.compare(one.length(), other.length());
        }

        /** Before a comparison of two texts, which ends with the shorter one. */
        private void spendOn(String one, String other) {
            spend(Math.min(one.length(), other.length()) / CHARACTERS_PER_STEP);
        }
    }
}
