package dev.fulmar.sql.explain;

import dev.fulmar.engine.plan.Relation;
import dev.fulmar.foundation.data.ColumnType;
import java.util.List;
import java.util.stream.Collectors;

/** A window in one line. */
final class WindowPrinter {
    private WindowPrinter() {}

    static String print(Relation.Window window, List<String> names) {
        String calls = window.calls().stream().map(call -> call(call, names)).collect(Collectors.joining(", "));
        String partitions = window.partitions().isEmpty()
                ? ""
                : " partition by " + ExpressionPrinter.print(window.partitions(), names);
        String order = window.order().isEmpty() ? "" : " order by " + PlanPrinter.sortKeys(window.order(), names);
        return "window " + calls + partitions + order;
    }

    private static String call(Relation.WindowCall call, List<String> names) {
        return switch (call) {
            case Relation.WindowRank(Relation.Ranking ranking, long groups, ColumnType type) ->
                ranking + "(" + (groups == 0 ? "" : groups) + ")";
            case Relation.WindowValue value ->
                value.choice() + "("
                        + ExpressionPrinter.print(value.value(), names)
                        + (value.distance() == 0 ? "" : ", " + value.distance())
                        + ")"
                        + (value.ignoresNulls() ? " of known values" : "")
                        + (value.choice() == Relation.RowChoice.OFFSET ? "" : " over " + frame(value.frame(), names));
            case Relation.WindowAggregate(Relation.AggregateCall aggregate, Relation.WindowFrame frame) ->
                PlanPrinter.call(aggregate, names) + " over " + frame(frame, names);
        };
    }

    private static String frame(Relation.WindowFrame frame, List<String> names) {
        return unit(frame) + end(frame.start(), "the first row", names) + " to "
                + end(frame.end(), "the last row", names)
                + exclusion(frame.exclusion());
    }

    private static String unit(Relation.WindowFrame frame) {
        return !frame.peers() ? "rows " : frame.countsGroups() ? "groups " : "range ";
    }

    private static String exclusion(Relation.Exclusion exclusion) {
        return switch (exclusion) {
            case NONE -> "";
            case CURRENT_ROW -> " but for the current row";
            case GROUP -> " but for the current row and its peers";
            case TIES -> " but for the peers of the current row";
        };
    }

    private static String end(Relation.FrameEnd end, String utmost, List<String> names) {
        if (end.unbounded()) {
            return utmost;
        }
        if (end.limit() != null) {
            return ExpressionPrinter.print(end.limit(), names);
        }
        if (end.distance() == 0) {
            return "current row";
        }
        return end.distance() < 0 ? -end.distance() + " before" : end.distance() + " after";
    }
}
