package dev.fulmar.sql.ddl;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.TypeNames;
import java.util.Locale;
import java.util.Set;

/** Parses a column's type. */
final class TypeParser {
    /** The length of VARCHAR, STRING and VARBINARY without one, and the most that one may be. */
    static final int MAX_LENGTH = 1 << 20;

    private static final Set<String> INTERVAL_WORDS = Set.of("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "TO");

    private TypeParser() {}

    static ColumnType parse(TokenReader reader) {
        Token token = reader.peek();
        if (token.kind() == Token.Kind.QUOTED_NAME || reader.peek(1).isSymbol(".")) {
            return enumeration(reader, token, reader.newName("a column type"));
        }
        String word = token.kind() == Token.Kind.WORD ? token.text().toUpperCase(Locale.ROOT) : "";
        if (word.isEmpty()) {
            throw reader.unexpected("a column type");
        }
        reader.take();
        ColumnType type = named(reader, token, word);
        Token bracket = reader.peek();
        if (!reader.accept("ARRAY") && !bracket.isSymbol("[")) {
            return type;
        }
        bound(reader);
        if (reader.peek().isSymbol("[") || reader.peek().isWord("ARRAY")) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    bracket.position(),
                    "arrays of several dimensions are not supported; keep the inner ones in rows of their own");
        }
        if (!type.kind().isElement() || type.hasFewerDigits()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    bracket.position(),
                    "arrays of " + type + " are not supported; docs/SQL.md lists the types of elements");
        }
        return ColumnType.array(type);
    }

    /** The most elements say nothing, as in PostgreSQL. */
    private static void bound(TokenReader reader) {
        if (reader.acceptSymbol("[") && !reader.acceptSymbol("]")) {
            reader.integer("the most elements of an array", 0, Integer.MAX_VALUE);
            reader.expectSymbol("]");
        }
    }

    /** Whether the word is the name of a type. */
    static boolean isType(Token token) {
        return token.kind() == Token.Kind.WORD && TypeNames.isKnown(token.text());
    }

    private static ColumnType named(TokenReader reader, Token token, String word) {
        return switch (word) {
            case "BOOLEAN", "BOOL" -> ColumnType.of(TypeKind.BOOLEAN);
            case "TINYINT", "INT1" -> ColumnType.of(TypeKind.TINYINT);
            case "SMALLINT", "INT2" -> ColumnType.of(TypeKind.SMALLINT);
            case "INTEGER", "INT", "INT4" -> ColumnType.of(TypeKind.INTEGER);
            case "BIGINT", "INT8" -> ColumnType.of(TypeKind.BIGINT);
            case "DECIMAL", "NUMERIC", "DEC" -> decimal(reader);
            case "NUMBER" ->
                reader.enumeration(token.name()) == null ? number(reader) : enumeration(reader, token, token.name());
            case "REAL", "FLOAT4" -> ColumnType.of(TypeKind.REAL);
            case "FLOAT" -> floating(reader);
            case "FLOAT8" -> ColumnType.of(TypeKind.DOUBLE);
            case "DOUBLE" -> {
                reader.accept("PRECISION");
                yield ColumnType.of(TypeKind.DOUBLE);
            }
            case "CHAR", "CHARACTER" ->
                reader.accept("VARYING") ? text(reader, TypeKind.VARCHAR, MAX_LENGTH) : text(reader, TypeKind.CHAR, 1);
            case "VARCHAR", "STRING", "TEXT" -> text(reader, TypeKind.VARCHAR, MAX_LENGTH);
            case "VARBINARY", "BINARY", "BYTEA" -> text(reader, TypeKind.VARBINARY, MAX_LENGTH);
            case "DATE" -> ColumnType.of(TypeKind.DATE);
            case "TIME" -> temporal(reader, TypeKind.TIME);
            case "TIMESTAMP", "DATETIME" -> temporal(reader, TypeKind.TIMESTAMP);
            case "TIMESTAMPTZ" -> ColumnType.ofDigits(TypeKind.TIMESTAMP_TZ, digits(reader));
            case "UUID" -> ColumnType.of(TypeKind.UUID);
            case "JSON" -> ColumnType.of(TypeKind.JSON);
            case "JSONB" -> ColumnType.of(TypeKind.JSONB);
            case "INTERVAL" -> interval(reader, token);
            default -> enumeration(reader, token, token.name());
        };
    }

    /** All fields, or those that the words behind INTERVAL name. */
    private static ColumnType interval(TokenReader reader, Token first) {
        StringBuilder words = new StringBuilder();
        while (INTERVAL_WORDS.contains(reader.peek().text().toUpperCase(Locale.ROOT))) {
            words.append(' ').append(reader.take().text());
        }
        if (reader.acceptSymbol("(")) {
            words.append('(')
                    .append(reader.integer("the digits of a second", 0, IntervalShape.MOST_DIGITS))
                    .append(')');
            reader.expectSymbol(")");
        }
        return IntervalShape.ofWords(words.toString())
                .orElseThrow(() -> SqlErrors.at(
                        ErrorCode.SYNTAX,
                        first.position(),
                        "there is no type INTERVAL" + words
                                + "; write INTERVAL, INTERVAL DAY or INTERVAL DAY TO SECOND(3)"))
                .type();
    }

    /** A type that users have made. */
    private static ColumnType enumeration(TokenReader reader, Token token, String name) {
        Enumeration found = reader.enumeration(name);
        if (found == null) {
            throw SqlErrors.at(ErrorCode.NOT_SUPPORTED, token.position(), TypeNames.unknown(token.text()));
        }
        return ColumnType.of(found);
    }

    private static ColumnType decimal(TokenReader reader) {
        int precision = ColumnType.MAX_DECIMAL_DIGITS;
        int scale = 0;
        if (reader.acceptSymbol("(")) {
            precision = reader.integer("the precision", 1, ColumnType.MAX_DECIMAL_DIGITS);
            if (reader.acceptSymbol(",")) {
                scale = reader.integer("the scale", 0, precision);
            }
            reader.expectSymbol(")");
        } else {
            scale = 12;
        }
        return ColumnType.decimal(precision, scale);
    }

    /** Any number, or one of digits that are said, of which some are behind the point. */
    private static ColumnType number(TokenReader reader) {
        if (!reader.acceptSymbol("(")) {
            return ColumnType.of(TypeKind.NUMERIC);
        }
        int digits = reader.integer("the digits", 1, ColumnType.MOST_NUMERIC_DIGITS);
        int scale = 0;
        if (reader.acceptSymbol(",")) {
            boolean isNegative = reader.acceptSymbol("-");
            scale = reader.integer("the scale", 0, ColumnType.MOST_NUMERIC_DIGITS);
            scale = isNegative ? -scale : scale;
        }
        reader.expectSymbol(")");
        return ColumnType.numeric(digits, scale);
    }

    /** FLOAT is DOUBLE, as FLOAT(53); up to 24 bits it is REAL. */
    private static ColumnType floating(TokenReader reader) {
        if (reader.acceptSymbol("(")) {
            int bits = reader.integer("the precision in bits", 1, 53);
            reader.expectSymbol(")");
            return ColumnType.of(bits <= 24 ? TypeKind.REAL : TypeKind.DOUBLE);
        }
        return ColumnType.of(TypeKind.DOUBLE);
    }

    private static ColumnType text(TokenReader reader, TypeKind kind, int defaultLength) {
        int length = defaultLength;
        if (reader.acceptSymbol("(")) {
            length = reader.integer("the length", 1, MAX_LENGTH);
            if (!reader.accept("CHARACTERS") && !reader.accept("CHARACTER") && !reader.accept("CHAR")) {
                reader.accept("BYTES");
            }
            reader.expectSymbol(")");
        }
        return new ColumnType(kind, length, 0);
    }

    private static ColumnType temporal(TokenReader reader, TypeKind kind) {
        int digits = digits(reader);
        Token with = reader.peek();
        if (reader.accept("WITHOUT")) {
            reader.expect("TIME");
            reader.expect("ZONE");
        } else if (reader.accept("WITH")) {
            if (kind == TypeKind.TIME) {
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        with.position(),
                        "TIME has no zone; store it in UTC, or as TIMESTAMP WITH TIME ZONE");
            }
            reader.expect("TIME");
            reader.expect("ZONE");
            return ColumnType.ofDigits(TypeKind.TIMESTAMP_TZ, digits);
        }
        return ColumnType.ofDigits(kind, digits);
    }

    /**
     * The digits behind the point of a second, to which values of the column are rounded. Without ROUNDED, as in texts
     * of earlier builds, they say nothing: rows have all digits.
     */
    private static int digits(TokenReader reader) {
        if (!reader.acceptSymbol("(")) {
            return ColumnType.SECOND_DIGITS;
        }
        int digits = reader.integer("the digits of a second", 0, ColumnType.SECOND_DIGITS);
        reader.expectSymbol(")");
        return reader.accept("ROUNDED") ? digits : ColumnType.SECOND_DIGITS;
    }
}
