package dev.fulmar.sql.ddl;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.TypeNames;
import java.util.Locale;

/** Parses a column's type. */
final class TypeParser {
    /** The length of VARCHAR, STRING and VARBINARY without one, and the most that one may be. */
    static final int MAX_LENGTH = 1 << 20;

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
        if (reader.peek().isSymbol("[") || reader.peek().isWord("ARRAY")) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    reader.peek().position(),
                    "a column holds one value; keep several in a table of their own");
        }
        return type;
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
            case "TIMESTAMPTZ" -> ColumnType.of(digits(reader, TypeKind.TIMESTAMP_TZ));
            case "UUID" -> ColumnType.of(TypeKind.UUID);
            case "JSON" -> ColumnType.of(TypeKind.JSON);
            case "JSONB" -> ColumnType.of(TypeKind.JSONB);
            default -> enumeration(reader, token, token.name());
        };
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
        digits(reader, kind);
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
            return ColumnType.of(TypeKind.TIMESTAMP_TZ);
        }
        return ColumnType.of(kind);
    }

    /** All types have microseconds. */
    private static TypeKind digits(TokenReader reader, TypeKind kind) {
        if (reader.acceptSymbol("(")) {
            reader.integer("the digits of a second", 0, 6);
            reader.expectSymbol(")");
        }
        return kind;
    }
}
