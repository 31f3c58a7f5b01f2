package dev.fulmar.benchmarks.sqlcheck;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Draws queries over the tables of a schema. One per statement. */
final class QueryDraw {
    private static final int DEPTH = 3;
    private static final int MOST_NESTED = 3;
    private static final Pattern ORDER = Pattern.compile("ORDER BY \\d");

    private static final Pattern COLUMN = Pattern.compile("\\b[A-Z]\\d*\\.[A-Z]|\\bC0\\b");

    private static final String CASTS = "CAST\\(|AS [A-Z][A-Z0-9(, )]*\\)|:: [A-Z0-9, ()]+|[() ]";

    private final Draw draw;
    private final List<GeneratedTable> tables;
    private final ExpressionDraw expressions;
    private int aliases;
    private int nested;

    QueryDraw(Draw draw, List<GeneratedTable> tables) {
        this.draw = draw;
        this.tables = tables;
        this.expressions = new ExpressionDraw(draw, this);
    }

    /** A query and the types of its columns, which are called X1, X2 and so on. */
    record Query(Phrase phrase, List<ValueType> columns) {}

    /** The clause after FROM, and the columns that it brings. */
    record Source(Phrase phrase, List<Scope.Name> names) {}

    ExpressionDraw expressions() {
        return expressions;
    }

    boolean mayNest() {
        return nested < MOST_NESTED;
    }

    /** A whole statement. */
    Phrase statement() {
        return switch (draw.between(0, 12)) {
            case 0, 12 -> ordered(setOperation(Scope.empty()));
            case 1, 2, 3 -> ordered(aggregation(Scope.empty()));
            case 4 -> ordered(common());
            default -> ordered(selection(Scope.empty(), List.of()));
        };
    }

    /**
     * Whether the rows of the statement come in a determined order: only whole statements are ordered by the numbers of
     * their columns.
     */
    static boolean isOrdered(String statement) {
        return ORDER.matcher(statement).find();
    }

    private Phrase ordered(Query query) {
        if (draw.oneIn(2)) {
            return query.phrase();
        }
        List<Phrase> keys = new ArrayList<>();
        List<Integer> columns = new ArrayList<>(
                IntStream.rangeClosed(1, query.columns().size()).boxed().toList());
        while (!columns.isEmpty()) {
            int column = columns.remove(draw.between(0, columns.size() - 1));
            keys.add(Phrase.of("", column + " " + draw.pick("ASC", "DESC") + " NULLS " + draw.pick("FIRST", "LAST")));
        }
        // Which rows a LIMIT leaves is determined by an order over all columns only, so the order is no list to
        // shorten.
        Phrase order = new Phrase("", false, ", ", List.copyOf(keys));
        Phrase limit = draw.oneIn(2) ? Phrase.clause("OFFSET", draw.pick("0", "1", "3"), "ROWS") : Phrase.clause("");
        Phrase fetch = draw.oneIn(2)
                ? Phrase.clause("FETCH FIRST", draw.pick("1", "2", "5", "20"), "ROWS ONLY")
                : Phrase.clause("");
        return Phrase.of("", query.phrase(), Phrase.clause("ORDER BY", order, limit, fetch));
    }

    /** Some columns of some rows; columns of the types asked for, or of any. */
    Query selection(Scope outer, List<ValueType> wanted) {
        Source source = source();
        Scope scope = new Scope(source.names(), outer.all());
        List<ValueType> types = wanted.isEmpty() ? someTypes(scope) : new ArrayList<>(wanted);
        List<Phrase> items = new ArrayList<>();
        List<Phrase> windows = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            boolean isFree = wanted.isEmpty();
            boolean overWindow = (isFree || types.get(i) == ValueType.INTEGER) && draw.oneIn(12);
            Phrase value;
            if (overWindow) {
                Computed window = !isFree || draw.oneIn(3)
                        ? ranking(scope)
                        : draw.oneIn(2) ? otherRow(scope) : framed(scope, windows);
                value = window.phrase();
                types.set(i, window.type());
            } else {
                value = expressions.draw(types.get(i), scope, draw.between(0, DEPTH - 1));
            }
            items.add(Phrase.of("", value, "AS X" + (i + 1)));
        }
        Phrase list = wanted.isEmpty() ? Phrase.list(items) : new Phrase("", false, ", ", List.copyOf(items));
        Phrase distinct = draw.oneIn(6) ? Phrase.clause("DISTINCT") : Phrase.clause("");
        Phrase named = windows.isEmpty()
                ? Phrase.of("", "")
                : Phrase.of("", "WINDOW", new Phrase("", false, ", ", List.copyOf(windows)));
        return new Query(
                Phrase.of("QUERY", "SELECT", distinct, list, "FROM", source.phrase(), where(scope), named), types);
    }

    /** A query without a condition, and a condition for its rows. */
    Phrase parted() {
        Source source = source();
        Scope scope = new Scope(source.names(), List.of());
        List<Phrase> items = new ArrayList<>();
        for (ValueType type : someTypes(scope)) {
            items.add(Phrase.of("", expressions.draw(type, scope, 1), "AS X" + (items.size() + 1)));
        }
        Phrase query = Phrase.of("", "SELECT", Phrase.list(items), "FROM", source.phrase());
        return Phrase.of("", query, Phrase.of("", expressions.condition(scope, DEPTH)));
    }

    /** A window function whose value does not depend on the order of peers. */
    private Computed ranking(Scope scope) {
        Scope.Name argument = draw.pick(scope.own());
        String function = draw.pick("RANK()", "DENSE_RANK()", "COUNT(*)", "COUNT(" + argument.text() + ")");
        Phrase partitions = draw.oneIn(2)
                ? Phrase.clause("PARTITION BY", draw.pick(scope.own()).text())
                : Phrase.clause("");
        String order = draw.pick(scope.own()).text();
        Phrase phrase = Phrase.of(
                ValueType.INTEGER,
                function,
                "OVER (",
                partitions,
                "ORDER BY",
                order,
                draw.pick("ASC", "DESC"),
                "NULLS",
                draw.pick("FIRST", "LAST"),
                ")");
        return new Computed(phrase, ValueType.INTEGER);
    }

    /** A window function that depends on the order of all rows, which is by all columns: only equal rows are peers. */
    private Computed otherRow(Scope scope) {
        Scope.Name argument = draw.pick(scope.own());
        String function = draw.pick("LAG(", "LEAD(", "FIRST_VALUE(", "LAST_VALUE(", "NTILE(", "ROW_NUMBER(");
        ValueType type =
                function.equals("NTILE(") || function.equals("ROW_NUMBER(") ? ValueType.INTEGER : argument.type();
        String operand = switch (function) {
            case "NTILE(" -> draw.pick("1", "2", "3");
            case "ROW_NUMBER(" -> "";
            case "LAG(", "LEAD(" -> argument.text() + draw.pick("", ", 1", ", 2");
            default -> argument.text();
        };
        Phrase partitions = draw.oneIn(2)
                ? Phrase.clause("PARTITION BY", draw.pick(scope.own()).text())
                : Phrase.clause("");
        String direction = draw.pick(" ASC NULLS FIRST", " DESC NULLS LAST");
        String order = scope.own().stream().map(name -> name.text() + direction).collect(Collectors.joining(", "));
        Phrase frame = type == argument.type() && function.endsWith("_VALUE(")
                ? Phrase.clause(draw.pick(
                        "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"))
                : Phrase.clause("");
        return new Computed(
                Phrase.of(type, function, operand, ") OVER (", partitions, "ORDER BY", order, frame, ")"), type);
    }

    /**
     * An aggregate of a frame, also of a window with a name; rows are ordered by all columns, so that only equal rows
     * are peers.
     */
    private Computed framed(Scope scope, List<Phrase> windows) {
        Scope.Name argument = draw.pick(scope.own());
        boolean isNumber = argument.type() == ValueType.INTEGER || argument.type() == ValueType.DECIMAL;
        if (isNumber && draw.oneIn(3)) {
            return ofRange(argument, scope);
        }
        String function = draw.pick("COUNT(", isNumber ? "SUM(" : "COUNT(", isNumber ? "SUM(" : "FIRST_VALUE(");
        Phrase partitions = draw.oneIn(2)
                ? Phrase.clause("PARTITION BY", draw.pick(scope.own()).text())
                : Phrase.clause("");
        String direction = draw.pick(" ASC NULLS FIRST", " DESC NULLS LAST");
        String order = scope.own().stream().map(name -> name.text() + direction).collect(Collectors.joining(", "));
        String frame = draw.pick(
                "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
                "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
                "GROUPS BETWEEN 1 PRECEDING AND 2 FOLLOWING",
                "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW");
        Phrase exclusion =
                Phrase.clause("EXCLUDE", draw.pick("CURRENT ROW", "CURRENT ROW", "GROUP", "TIES", "NO OTHERS"));
        ValueType type = function.equals("COUNT(") ? ValueType.INTEGER : argument.type();
        Phrase ordered = Phrase.of("", partitions, "ORDER BY", order);
        if (draw.oneIn(3)) {
            String name = "V" + (windows.size() + 1);
            windows.add(Phrase.of("", name, "AS (", ordered, ")"));
            ordered = Phrase.of("", name);
        }
        return new Computed(
                Phrase.of(type, function, argument.text(), ") OVER (", ordered, Phrase.clause(frame, exclusion), ")"),
                type);
    }

    /** A frame whose ends are values of the only key; equal rows are peers, so their order does not matter. */
    private Computed ofRange(Scope.Name key, Scope scope) {
        String function = draw.pick("COUNT(", "SUM(");
        Phrase partitions = draw.oneIn(2)
                ? Phrase.clause("PARTITION BY", draw.pick(scope.own()).text())
                : Phrase.clause("");
        String frame = draw.pick(
                "RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING",
                "RANGE BETWEEN 3 PRECEDING AND CURRENT ROW",
                "RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING");
        String direction = draw.pick(" ASC NULLS FIRST", " DESC NULLS LAST", " ASC", " DESC");
        ValueType type = function.equals("COUNT(") ? ValueType.INTEGER : key.type();
        return new Computed(
                Phrase.of(
                        type,
                        function,
                        key.text(),
                        ") OVER (",
                        partitions,
                        "ORDER BY",
                        key.text() + direction,
                        frame,
                        Phrase.clause("EXCLUDE", draw.pick("CURRENT ROW", "GROUP", "TIES", "NO OTHERS")),
                        ")"),
                type);
    }

    private List<ValueType> someTypes(Scope scope) {
        List<ValueType> types = new ArrayList<>();
        for (int i = draw.between(1, 4); i > 0; i--) {
            types.add(draw.pick(scope.own()).type());
        }
        return types;
    }

    private Phrase where(Scope scope) {
        return draw.oneIn(5) ? Phrase.clause("") : Phrase.clause("WHERE", expressions.condition(scope, DEPTH - 1));
    }

    private Query setOperation(Scope outer) {
        List<ValueType> types = new ArrayList<>();
        for (int i = draw.between(1, 3); i > 0; i--) {
            types.add(draw.pick(ValueType.values()));
        }
        Phrase left = selection(outer, types).phrase();
        Phrase right = selection(outer, types).phrase();
        String operator =
                draw.pick("UNION", "UNION ALL", "INTERSECT", "EXCEPT", "UNION ALL", "INTERSECT ALL", "EXCEPT ALL");
        return new Query(Phrase.of("QUERY", left, operator, right), types);
    }

    private Query aggregation(Scope outer) {
        Source source = source();
        Scope scope = new Scope(source.names(), outer.all());
        Scope plain = new Scope(source.names(), List.of());
        List<Phrase> keys = new ArrayList<>();
        List<Phrase> items = new ArrayList<>();
        List<ValueType> types = new ArrayList<>();
        for (int i = draw.between(0, 2); i > 0; i--) {
            Scope.Name name = draw.pick(source.names());
            Phrase key = groupKey(name, plain);
            // Sets that repeat, as in CUBE (a, a), count once for Fulmar.
            if (!COLUMN.matcher(key.text()).find() || isThere(key.text(), keys)) {
                continue;
            }
            keys.add(Phrase.of("", key));
            items.add(Phrase.of("", key, "AS X" + (types.size() + 1)));
            types.add(name.type());
        }
        for (int i = draw.between(1, 3); i > 0; i--) {
            ValueType type = draw.pick(source.names()).type();
            Computed aggregate = aggregate(type, plain);
            items.add(Phrase.of("", aggregate.phrase(), "AS X" + (types.size() + 1)));
            types.add(aggregate.type());
        }
        Phrase group = keys.isEmpty() ? Phrase.clause("") : grouping(new Phrase("", false, ", ", List.copyOf(keys)));
        Phrase having = draw.oneIn(4)
                ? Phrase.clause("HAVING", aggregate(ValueType.INTEGER, plain).phrase(), draw.pick(">", "<", "="), "2")
                : Phrase.clause("");
        Phrase list = new Phrase("", false, ", ", List.copyOf(items));
        return new Query(
                Phrase.of("QUERY", "SELECT", list, "FROM", source.phrase(), where(scope), group, having), types);
    }

    /** Whether there is the same key, also as a CAST, which may change nothing. */
    private static boolean isThere(String key, List<Phrase> keys) {
        String column = key.replaceAll(CASTS, "");
        return keys.stream().anyMatch(each -> each.text().replaceAll(CASTS, "").equals(column));
    }

    private Phrase grouping(Phrase keys) {
        return draw.oneIn(8)
                ? Phrase.clause("GROUP BY", draw.pick("ROLLUP", "CUBE"), "(", keys, ")")
                : Phrase.clause("GROUP BY", keys);
    }

    /** Keys of groups hold no subqueries. */
    private Phrase groupKey(Scope.Name name, Scope scope) {
        nested += MOST_NESTED;
        Phrase key = draw.oneIn(4) ? expressions.draw(name.type(), scope, 1) : Phrase.of(name.type(), name.text());
        nested -= MOST_NESTED;
        return key;
    }

    private record Computed(Phrase phrase, ValueType type) {}

    private Computed aggregate(ValueType type, Scope scope) {
        nested += MOST_NESTED;
        Phrase filter = draw.oneIn(8)
                ? Phrase.clause("FILTER (WHERE", expressions.condition(scope, 1), ")")
                : Phrase.clause("");
        Phrase argument = expressions.draw(type, scope, 1);
        nested -= MOST_NESTED;
        return switch (draw.between(0, 9)) {
            case 7, 8, 9 -> ofAll(type, argument, filter);
            case 0 -> new Computed(Phrase.of("INTEGER", "COUNT(*)", filter), ValueType.INTEGER);
            case 1 -> new Computed(Phrase.of("INTEGER", "COUNT(", argument, ")", filter), ValueType.INTEGER);
            case 2 -> new Computed(Phrase.of("INTEGER", "COUNT(DISTINCT", argument, ")", filter), ValueType.INTEGER);
            case 3 ->
                type == ValueType.INTEGER || type == ValueType.DECIMAL
                        ? new Computed(
                                Phrase.of(type, "SUM(", draw.oneIn(5) ? "DISTINCT" : "", argument, ")", filter), type)
                        : new Computed(Phrase.of("INTEGER", "COUNT(", argument, ")", filter), ValueType.INTEGER);
            case 4 ->
                type == ValueType.INTEGER
                        ? new Computed(
                                Phrase.of("DOUBLE", "AVG( CAST(", argument, "AS DOUBLE) )", filter), ValueType.DOUBLE)
                        : new Computed(Phrase.of("INTEGER", "COUNT(", argument, ")", filter), ValueType.INTEGER);
            default ->
                type == ValueType.BOOLEAN
                        ? new Computed(Phrase.of("INTEGER", "COUNT(", argument, ")", filter), ValueType.INTEGER)
                        : new Computed(Phrase.of(type, draw.pick("MIN(", "MAX("), argument, ")", filter), type);
        };
    }

    /** An aggregate that needs more than a running value of one word: of bits, of squares, or of values in order. */
    private Computed ofAll(ValueType type, Phrase argument, Phrase filter) {
        return switch (type) {
            case INTEGER ->
                draw.oneIn(2)
                        ? new Computed(
                                Phrase.of(type, draw.pick("BIT_AND(", "BIT_OR(", "BIT_XOR("), argument, ")", filter),
                                type)
                        : ofOrder(type, argument, filter);
            case DECIMAL ->
                new Computed(
                        Phrase.of(
                                type,
                                "CAST(",
                                draw.pick("STDDEV(", "STDDEV_POP(", "VARIANCE(", "VAR_POP("),
                                argument,
                                ")",
                                filter,
                                "AS DECIMAL(30, 2) )"),
                        type);
            case TEXT ->
                draw.oneIn(2)
                        ? new Computed(
                                Phrase.of(
                                        type,
                                        "STRING_AGG(",
                                        draw.oneIn(3) ? "DISTINCT" : "",
                                        argument,
                                        ", ',' ORDER BY",
                                        argument,
                                        draw.pick(")", "DESC )"),
                                        filter),
                                type)
                        : ofOrder(type, argument, filter);
            case BOOLEAN ->
                new Computed(Phrase.of(type, draw.pick("BOOL_AND(", "BOOL_OR("), argument, ")", filter), type);
            default -> ofOrder(type, argument, filter);
        };
    }

    private Computed ofOrder(ValueType type, Phrase argument, Phrase filter) {
        String function = draw.pick("MODE()", "PERCENTILE_DISC(0.5)", "PERCENTILE_DISC(0.1)");
        return new Computed(
                Phrase.of(type, function, "WITHIN GROUP ( ORDER BY (", argument, draw.pick(")", ") DESC"), ")", filter),
                type);
    }

    private Query common() {
        Query inner = draw.oneIn(2) ? aggregation(Scope.empty()) : selection(Scope.empty(), List.of());
        List<Scope.Name> names = names("W", inner.columns());
        GeneratedTable table = draw.pick(tables);
        String alias = alias();
        List<Scope.Name> all = new ArrayList<>(names);
        all.addAll(table.names(alias));
        Scope scope = new Scope(all, List.of());
        ValueType first = draw.pick(names).type();
        ValueType second = draw.pick(all).type();
        Phrase list = new Phrase(
                "",
                false,
                ", ",
                List.of(
                        Phrase.of("", expressions.draw(first, scope, 1), "AS X1"),
                        Phrase.of("", expressions.draw(second, scope, 1), "AS X2")));
        Phrase query = Phrase.of(
                "QUERY",
                "WITH W AS (",
                inner.phrase(),
                ") SELECT",
                list,
                "FROM W,",
                table.name() + " " + alias,
                where(scope));
        return new Query(query, List.of(first, second));
    }

    /** A source of one to three tables. */
    Source source() {
        Source common = draw.oneIn(9) ? joinedByName() : null;
        if (common != null) {
            return draw.oneIn(4) && mayNest() ? lateral(common) : common;
        }
        Source source = single();
        for (int i = draw.between(0, nested > 0 ? 3 : 5) / 2; i > 0; i--) {
            source = draw.oneIn(12) && mayNest() ? lateral(source) : join(source, single());
        }
        return source;
    }

    /** The source and a query that may refer to its row. */
    private Source lateral(Source left) {
        nested++;
        Query query = draw.oneIn(3)
                ? aggregation(new Scope(left.names(), List.of()))
                : selection(new Scope(left.names(), List.of()), List.of());
        nested--;
        String alias = alias();
        List<Scope.Name> names = new ArrayList<>(left.names());
        names.addAll(names(alias, query.columns()));
        return new Source(Phrase.of("FROM", left.phrase(), "CROSS JOIN LATERAL (", query.phrase(), ")", alias), names);
    }

    /**
     * Two tables joined by their first columns, whose one name then needs no table; null if these are of different
     * types.
     */
    private @Nullable Source joinedByName() {
        GeneratedTable left = draw.pick(tables);
        GeneratedTable right = draw.pick(tables);
        ValueType type = left.columns().getFirst().type();
        if (type != right.columns().getFirst().type()) {
            return null;
        }
        String first = alias();
        String second = alias();
        String kind = draw.pick("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN");
        List<Scope.Name> names = new ArrayList<>(List.of(new Scope.Name("C0", type), new Scope.Name("C0", type)));
        names.addAll(withoutFirst(left.names(first)));
        if (draw.oneIn(2)) {
            names.addAll(withoutFirst(right.names(second)));
            String text = left.name() + " " + first + " " + kind + " " + right.name() + " " + second + " USING (C0)";
            return new Source(Phrase.of("FROM", text), names);
        }
        // Of the columns that both have only the first is sure to be of one type.
        names.add(new Scope.Name(second + ".X1", right.columns().getLast().type()));
        String other = right.columns().getLast().name();
        String text = left.name() + " " + first + " NATURAL " + kind + " (SELECT C0, " + other + " AS X1 FROM "
                + right.name() + ") " + second;
        return new Source(Phrase.of("FROM", text), names);
    }

    private static List<Scope.Name> withoutFirst(List<Scope.Name> names) {
        return names.subList(1, names.size());
    }

    private Source join(Source left, Source right) {
        List<Scope.Name> names = new ArrayList<>(left.names());
        names.addAll(right.names());
        if (draw.oneIn(8)) {
            return new Source(Phrase.of("FROM", left.phrase(), "CROSS JOIN", right.phrase()), names);
        }
        String kind = draw.pick("JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN");
        nested += MOST_NESTED;
        Phrase condition = draw.oneIn(3)
                ? expressions.condition(new Scope(names, List.of()), 1)
                : equality(left.names(), right.names());
        nested -= MOST_NESTED;
        return new Source(Phrase.of("FROM", left.phrase(), kind, right.phrase(), "ON", condition), names);
    }

    /** Columns of both sides of one type that are equal, and perhaps something else. */
    private Phrase equality(List<Scope.Name> left, List<Scope.Name> right) {
        Scope.Name first = draw.pick(left);
        List<Scope.Name> candidates = new Scope(right, List.of()).of(first.type());
        List<Scope.Name> both = new ArrayList<>(left);
        both.addAll(right);
        if (candidates.isEmpty()) {
            return expressions.condition(new Scope(both, List.of()), 1);
        }
        Phrase equal = Phrase.of(
                ValueType.BOOLEAN, "(", first.text(), "=", draw.pick(candidates).text(), ")");
        return draw.oneIn(4)
                ? Phrase.of(
                        ValueType.BOOLEAN, "(", equal, "AND", expressions.condition(new Scope(both, List.of()), 1), ")")
                : equal;
    }

    private Source single() {
        String alias = alias();
        if (draw.oneIn(7) && mayNest()) {
            nested++;
            Query query = draw.oneIn(3) ? aggregation(Scope.empty()) : selection(Scope.empty(), List.of());
            nested--;
            return new Source(Phrase.of("FROM", "(", query.phrase(), ")", alias), names(alias, query.columns()));
        }
        GeneratedTable table = draw.pick(tables);
        return new Source(Phrase.of("FROM", table.name() + " " + alias), table.names(alias));
    }

    private static List<Scope.Name> names(String alias, List<ValueType> types) {
        return IntStream.range(0, types.size())
                .mapToObj(i -> new Scope.Name(alias + ".X" + (i + 1), types.get(i)))
                .toList();
    }

    private String alias() {
        return "A" + ++aliases;
    }

    /** A subquery for EXISTS. */
    Phrase rows(Scope outer) {
        nested++;
        Phrase phrase = selection(outer, List.of()).phrase();
        nested--;
        return phrase;
    }

    /** A subquery of one column. */
    Phrase column(ValueType type, Scope outer) {
        nested++;
        Phrase phrase = selection(outer, List.of(type)).phrase();
        nested--;
        return phrase;
    }

    /** A subquery of one value: an aggregate, which is one row for any data. */
    Phrase scalar(ValueType type, Scope outer) {
        nested++;
        Source source = source();
        Scope scope = new Scope(source.names(), outer.all());
        nested += MOST_NESTED;
        Phrase argument = expressions.draw(type, new Scope(source.names(), List.of()), 1);
        nested -= MOST_NESTED;
        String function = type == ValueType.BOOLEAN ? "" : draw.pick("MIN(", "MAX(");
        Phrase value = type == ValueType.BOOLEAN
                ? Phrase.of(type, "(COUNT(*) > 1)")
                : Phrase.of(type, function, argument, ")");
        Phrase phrase =
                Phrase.of(type, "(", Phrase.of("QUERY", "SELECT", value, "FROM", source.phrase(), where(scope)), ")");
        nested--;
        return phrase;
    }
}
