package dev.fulmar.engine.json;

import dev.fulmar.engine.json.PathStep.Comparison;
import dev.fulmar.engine.json.PathStep.Condition;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path of SQL/JSON in its lax mode. Parts that are missing are left out, arrays stand for their elements, and single
 * values for arrays of them. Immutable; the work on a document is bounded.
 */
public final class PathQuery {
    /** About a second. */
    private static final int MOST_STEPS = 10_000_000;

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
        private int taken;

        Walk(JsonValue document, JsonValue.@Nullable Members variables) {
            this.document = document;
            this.variables = variables;
        }

        private void spend() {
            if (++taken > MOST_STEPS) {
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
                case PathStep.Elements(List<PathStep.Range> ranges) -> addElements(unwrapped(each), ranges, next);
                case PathStep.Size() -> next.add(number(unwrapped(each).size(), each));
                case PathStep.Kind() -> next.add(new JsonValue.Text(JsonParts.type(JsonWriter.text(each))));
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

        private static JsonValue number(int size, JsonValue value) {
            return JsonReader.value(Integer.toString(value instanceof JsonValue.Elements ? size : 1));
        }

        private JsonValue variable(String name) {
            JsonValue value = variables == null ? null : variables.find(name);
            if (value == null) {
                throw new FulmarException(
                        ErrorCode.UNKNOWN_OBJECT, "could not find jsonpath variable \"" + name + "\"; give it a value");
            }
            return value;
        }

        private List<JsonValue> unwrapped(JsonValue value) {
            if (value instanceof JsonValue.Elements(List<JsonValue> values)) {
                values.forEach(_ -> spend());
                return values;
            }
            return List.of(value);
        }

        private static void addMember(JsonValue value, String name, List<JsonValue> next) {
            JsonValue member = value instanceof JsonValue.Members members ? members.find(name) : null;
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

        private static @Nullable Boolean compares(Comparison comparison, JsonValue one, JsonValue other) {
            if (comparison == Comparison.STARTS_WITH) {
                return (one instanceof JsonValue.Text(String text) && other instanceof JsonValue.Text(String begin))
                        ? text.startsWith(begin)
                        : null;
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
        private static @Nullable Integer order(JsonValue one, JsonValue other) {
            if (one instanceof JsonValue.Nothing && other instanceof JsonValue.Nothing) {
                return 0;
            }
            if (one instanceof JsonValue.Truth(boolean left) && other instanceof JsonValue.Truth(boolean right)) {
                return Boolean.compare(left, right);
            }
            if (one instanceof JsonValue.Number left && other instanceof JsonValue.Number right) {
                return left.value().compareTo(right.value());
            }
            if (one instanceof JsonValue.Text(String left) && other instanceof JsonValue.Text(String right)) {
                return Arrays.compareUnsigned(
                        left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
            }
            return null;
        }
    }
}
