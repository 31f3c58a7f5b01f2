package dev.fulmar.benchmarks.sqlcheck;

import java.util.ArrayList;
import java.util.List;

/** Draws expressions. */
final class ExpressionDraw {
    private static final List<String> COMPARISONS = List.of("=", "=", "=", "<>", "<", "<=", ">", ">=");

    private final Draw draw;
    private final QueryDraw queries;
    private final CharacterDraw characters;

    ExpressionDraw(Draw draw, QueryDraw queries) {
        this.draw = draw;
        this.queries = queries;
        this.characters = new CharacterDraw(draw);
    }

    /** An expression of the type that nests so deeply at most. */
    Phrase draw(ValueType type, Scope scope, int depth) {
        if (depth <= 0 || draw.oneIn(4)) {
            return leaf(type, scope);
        }
        if (draw.oneIn(9)) {
            return conditional(type, scope, depth - 1);
        }
        if (draw.oneIn(14) && queries.mayNest()) {
            return queries.scalar(type, scope);
        }
        return switch (type) {
            case INTEGER -> integer(scope, depth - 1);
            case DECIMAL -> decimal(scope, depth - 1);
            case DOUBLE -> floating(scope, depth - 1);
            case TEXT -> text(scope, depth - 1);
            case REAL -> real(scope, depth - 1);
            case CHARACTER -> Phrase.of(type, "CAST(", draw(type, scope, depth - 1), "AS CHAR(4))");
            case BOOLEAN ->
                draw.oneIn(20)
                        ? cast(type, draw(type, scope, depth - 1), "BOOL", "BOOLEAN")
                        : condition(scope, depth - 1);
            case TIME ->
                moved(
                        type,
                        draw.pick("INTERVAL '45' MINUTE", "INTERVAL '1' HOUR", "INTERVAL '30' SECOND"),
                        scope,
                        depth - 1);
            case DATE ->
                moved(type, draw.pick("INTERVAL '1' DAY", "INTERVAL '40' DAY", "INTERVAL '1' MONTH"), scope, depth - 1);
            case TIMESTAMP -> timestamp(scope, depth - 1);
        };
    }

    /** The value in another type's name, of one way to write or the other; to PostgreSQL a minus comes after "::". */
    private Phrase cast(ValueType type, Phrase value, String... names) {
        String name = draw.pick(names);
        return draw.oneIn(2)
                ? Phrase.of(type, "CAST(", value, "AS", name, ")")
                : Phrase.of(type, "((", value, ") ::", name, ")");
    }

    private Phrase timestamp(Scope scope, int depth) {
        if (draw.oneIn(6)) {
            // A DATE does not stay one when hours are added.
            return Phrase.of(
                    ValueType.TIMESTAMP,
                    "(",
                    draw(ValueType.DATE, scope, depth),
                    draw.pick("+", "-"),
                    draw.pick("INTERVAL '1' HOUR", "INTERVAL '36' HOUR", "INTERVAL '90' MINUTE"),
                    ")");
        }
        return moved(
                ValueType.TIMESTAMP,
                draw.pick("INTERVAL '1' HOUR", "INTERVAL '2' DAY", "INTERVAL '1' YEAR"),
                scope,
                depth);
    }

    private Phrase real(Scope scope, int depth) {
        return switch (draw.between(0, 3)) {
            case 0 -> Phrase.of(ValueType.REAL, "(", draw(ValueType.REAL, scope, depth), "*", "CAST(2.0E0 AS REAL) )");
            case 1 -> binary(ValueType.REAL, "+", scope, depth);
            case 2 -> Phrase.of(ValueType.REAL, "CAST(", draw.pick("1E39", "3.5E38", "1.5E0", "-1E39"), "AS REAL)");
            default -> cast(ValueType.REAL, draw(ValueType.DOUBLE, scope, depth), "REAL", "FLOAT4");
        };
    }

    private Phrase moved(ValueType type, String interval, Scope scope, int depth) {
        return Phrase.of(type, "(", draw(type, scope, depth), draw.pick("+", "-"), interval, ")");
    }

    private Phrase leaf(ValueType type, Scope scope) {
        List<Scope.Name> own = scope.of(type);
        List<Scope.Name> outer = scope.outerOf(type);
        if (!outer.isEmpty() && draw.oneIn(4)) {
            return Phrase.of(type, draw.pick(outer).text());
        }
        if (!own.isEmpty() && !draw.oneIn(4)) {
            return Phrase.of(type, draw.pick(own).text());
        }
        if (type == ValueType.TEXT && draw.oneIn(12)) {
            return Phrase.of(type, draw.pick("U&'\\00e9'", "U&'\\0061'", "U&'b\\0031'"));
        }
        return Phrase.of(type, draw.oneIn(12) ? type.nullLiteral() : type.drawLiteral(draw));
    }

    private Phrase conditional(ValueType type, Scope scope, int depth) {
        return switch (draw.between(0, 3)) {
            case 0 ->
                Phrase.of(
                        type,
                        "CASE WHEN",
                        condition(scope, depth),
                        "THEN",
                        draw(type, scope, depth),
                        "ELSE",
                        draw(type, scope, depth),
                        "END");
            case 1 -> Phrase.of(type, "CASE WHEN", condition(scope, depth), "THEN", draw(type, scope, depth), "END");
            case 2 -> Phrase.of(type, "COALESCE(", draw(type, scope, depth), ",", draw(type, scope, depth), ")");
            default -> Phrase.of(type, "NULLIF(", draw(type, scope, depth), ",", draw(type, scope, depth), ")");
        };
    }

    private Phrase integer(Scope scope, int depth) {
        return switch (draw.between(0, 10)) {
            case 10 -> cast(ValueType.INTEGER, draw(ValueType.INTEGER, scope, depth), "INT4", "INT8", "INT", "BIGINT");
            case 0, 1, 2, 3 -> binary(ValueType.INTEGER, draw.pick("+", "-", "*"), scope, depth);
            case 4 ->
                Phrase.of(
                        ValueType.INTEGER,
                        "(",
                        draw(ValueType.INTEGER, scope, depth),
                        "/",
                        draw.pick("2", "3", "-2", "7"),
                        ")");
            case 5 ->
                Phrase.of(
                        ValueType.INTEGER,
                        "MOD(",
                        draw(ValueType.INTEGER, scope, depth),
                        ",",
                        draw.pick("2", "3", "5"),
                        ")");
            case 6 -> Phrase.of(ValueType.INTEGER, "ABS(", draw(ValueType.INTEGER, scope, depth), ")");
            case 7 -> Phrase.of(ValueType.INTEGER, "CHAR_LENGTH(", draw(ValueType.TEXT, scope, depth), ")");
            case 8 ->
                Phrase.of(
                        ValueType.INTEGER,
                        "EXTRACT(",
                        draw.pick("YEAR", "MONTH", "DAY"),
                        "FROM",
                        draw(ValueType.DATE, scope, depth),
                        ")");
            default -> Phrase.of(ValueType.INTEGER, "( -", draw(ValueType.INTEGER, scope, depth), ")");
        };
    }

    private Phrase decimal(Scope scope, int depth) {
        return switch (draw.between(0, 5)) {
            case 5 -> cast(ValueType.DECIMAL, draw(ValueType.DECIMAL, scope, depth), "NUMERIC(12, 2)", "DEC(12, 2)");
            case 0, 1 -> binary(ValueType.DECIMAL, draw.pick("+", "-"), scope, depth);
            case 2 ->
                Phrase.of(
                        ValueType.DECIMAL,
                        "(",
                        draw(ValueType.DECIMAL, scope, depth),
                        "*",
                        draw(ValueType.INTEGER, scope, depth),
                        ")");
            case 3 -> Phrase.of(ValueType.DECIMAL, "ABS(", draw(ValueType.DECIMAL, scope, depth), ")");
            default ->
                Phrase.of(ValueType.DECIMAL, "CAST(", draw(ValueType.INTEGER, scope, depth), "AS DECIMAL(12, 2))");
        };
    }

    private Phrase floating(Scope scope, int depth) {
        return switch (draw.between(0, 5)) {
            case 5 -> cast(ValueType.DOUBLE, draw(ValueType.INTEGER, scope, depth), "FLOAT8", "DOUBLE PRECISION");
            case 0, 1 -> binary(ValueType.DOUBLE, draw.pick("+", "-", "*"), scope, depth);
            case 2 -> Phrase.of(ValueType.DOUBLE, "ABS(", draw(ValueType.DOUBLE, scope, depth), ")");
            case 3 -> Phrase.of(ValueType.DOUBLE, "CAST(", draw(ValueType.INTEGER, scope, depth), "AS DOUBLE)");
            default ->
                Phrase.of(
                        ValueType.DOUBLE,
                        "(",
                        draw(ValueType.DOUBLE, scope, depth),
                        "/",
                        draw.pick("2.0E0", "-4.0E0"),
                        ")");
        };
    }

    private Phrase text(Scope scope, int depth) {
        return switch (draw.between(0, 7)) {
            case 7 -> cast(ValueType.TEXT, draw(ValueType.INTEGER, scope, depth), "TEXT", "VARCHAR(20)");
            case 0, 1 -> binary(ValueType.TEXT, "||", scope, depth);
            case 2 -> Phrase.of(ValueType.TEXT, draw.pick("UPPER(", "LOWER("), draw(ValueType.TEXT, scope, depth), ")");
            case 3 -> Phrase.of(ValueType.TEXT, "TRIM(", draw(ValueType.TEXT, scope, depth), ")");
            case 4 ->
                Phrase.of(
                        ValueType.TEXT,
                        "SUBSTRING(",
                        draw(ValueType.TEXT, scope, depth),
                        "FROM",
                        draw.pick("1", "2", "3"),
                        Phrase.clause("FOR", draw.pick("1", "2", "9")),
                        ")");
            case 5 -> Phrase.of(ValueType.TEXT, "CAST(", draw(ValueType.INTEGER, scope, depth), "AS VARCHAR(20))");
            default ->
                Phrase.of(
                        ValueType.TEXT,
                        "REPLACE(",
                        draw(ValueType.TEXT, scope, depth),
                        ",",
                        draw.pick("'a'", "'b'"),
                        ",",
                        draw.pick("'x'", "''", "'ab'"),
                        ")");
        };
    }

    private Phrase binary(ValueType type, String operator, Scope scope, int depth) {
        return Phrase.of(type, "(", draw(type, scope, depth), operator, draw(type, scope, depth), ")");
    }

    /** A condition. */
    Phrase condition(Scope scope, int depth) {
        if (depth <= 0) {
            return simple(scope, 0);
        }
        return switch (draw.between(0, 13)) {
            case 0, 1, 2 -> binary(ValueType.BOOLEAN, "AND", scope, depth - 1);
            case 3, 4 -> binary(ValueType.BOOLEAN, "OR", scope, depth - 1);
            case 5 -> Phrase.of(ValueType.BOOLEAN, "(NOT", condition(scope, depth - 1), ")");
            case 6 ->
                Phrase.of(
                        ValueType.BOOLEAN,
                        "(",
                        condition(scope, depth - 1),
                        draw.pick("IS TRUE", "IS FALSE", "IS NOT TRUE", "IS NOT FALSE", "IS NULL"),
                        ")");
            case 7 -> queries.mayNest() ? subquery(scope, depth - 1) : simple(scope, depth - 1);
            default -> simple(scope, depth - 1);
        };
    }

    private Phrase simple(Scope scope, int depth) {
        ValueType type = comparable(scope);
        List<Scope.Name> ofType = scope.of(type);
        if (type == ValueType.CHARACTER && !ofType.isEmpty() && draw.oneIn(2)) {
            return characters.condition(draw.pick(ofType).text(), scope);
        }
        return switch (draw.between(0, 11)) {
            case 0 ->
                Phrase.of(ValueType.BOOLEAN, "(", draw(type, scope, depth), draw.pick("IS NULL", "IS NOT NULL"), ")");
            case 1 ->
                Phrase.of(
                        ValueType.BOOLEAN,
                        "(",
                        draw(type, scope, depth),
                        draw.pick("", "NOT"),
                        "BETWEEN",
                        leaf(type, scope),
                        "AND",
                        leaf(type, scope),
                        ")");
            case 2 -> list(type, scope, depth);
            case 3 ->
                Phrase.of(
                        ValueType.BOOLEAN,
                        "(",
                        draw(ValueType.TEXT, scope, depth),
                        draw.pick("", "NOT"),
                        "LIKE",
                        draw.pick("'a%'", "'%b'", "'_'", "'%'", "''", "'%b%'", "'a_'"),
                        ")");
            case 4 ->
                Phrase.of(
                        ValueType.BOOLEAN,
                        "(",
                        draw(type, scope, depth),
                        "IS",
                        draw.pick("", "NOT"),
                        "DISTINCT FROM",
                        draw(type, scope, depth),
                        ")");
            case 5 -> leaf(ValueType.BOOLEAN, scope);
            case 6 ->
                type.isNumber()
                        ? comparison(
                                type, draw.pick(ValueType.INTEGER, ValueType.DECIMAL, ValueType.DOUBLE), scope, depth)
                        : comparison(type, type, scope, depth);
            default -> comparison(type, type, scope, depth);
        };
    }

    private Phrase comparison(ValueType left, ValueType right, Scope scope, int depth) {
        return Phrase.of(
                ValueType.BOOLEAN,
                "(",
                draw(left, scope, depth),
                draw.pick(COMPARISONS),
                draw(right, scope, depth),
                ")");
    }

    private ValueType comparable(Scope scope) {
        if (!scope.own().isEmpty() && !draw.oneIn(6)) {
            return draw.pick(scope.own()).type();
        }
        return draw.pick(ValueType.values());
    }

    private Phrase list(ValueType type, Scope scope, int depth) {
        List<Phrase> items = new ArrayList<>();
        for (int i = draw.between(1, 4); i > 0; i--) {
            items.add(draw.oneIn(6) ? leaf(type, scope) : Phrase.of(type, type.drawLiteral(draw)));
        }
        return Phrase.of(
                ValueType.BOOLEAN,
                "(",
                draw(type, scope, depth),
                draw.pick("", "NOT"),
                "IN (",
                Phrase.list(items),
                ") )");
    }

    private Phrase subquery(Scope scope, int depth) {
        ValueType type = comparable(scope);
        return switch (draw.between(0, 5)) {
            case 0, 1 ->
                Phrase.of(ValueType.BOOLEAN, "(", draw.pick("", "NOT"), "EXISTS (", queries.rows(scope), ") )");
            case 2, 3 ->
                Phrase.of(
                        ValueType.BOOLEAN,
                        "(",
                        draw(type, scope, depth),
                        draw.pick("", "NOT"),
                        "IN (",
                        queries.column(type, scope),
                        ") )");
            case 4 ->
                Phrase.of(
                        ValueType.BOOLEAN,
                        "(",
                        draw(type, scope, depth),
                        draw.pick(COMPARISONS),
                        queries.scalar(type, scope),
                        ")");
            default ->
                Phrase.of(
                        ValueType.BOOLEAN,
                        "(",
                        draw(type, scope, depth),
                        draw.pick(COMPARISONS),
                        draw.pick("ALL", "ANY"),
                        "(",
                        queries.column(type, scope),
                        ") )");
        };
    }
}
