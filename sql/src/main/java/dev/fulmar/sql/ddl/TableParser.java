package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses what follows CREATE TABLE. */
final class TableParser {
    private static final int MAX_COLUMNS = 1_024;

    private final TokenReader reader;
    private final DefaultCompiler defaults;
    private final List<Column> columns = new ArrayList<>();
    private final List<CatalogChange.Unique> uniques = new ArrayList<>();
    private List<String> primaryKey = List.of();
    private Optional<IndexKind> primaryKeyKind = Optional.empty();
    private String table = "";

    TableParser(TokenReader reader, DefaultCompiler defaults) {
        this.reader = reader;
        this.defaults = defaults;
    }

    CatalogChange.CreateTable parse() {
        Presence presence = reader.accept("IF", "NOT", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
        table = reader.name("a table name");
        reader.expectSymbol("(");
        do {
            element();
        } while (reader.acceptSymbol(","));
        reader.expectSymbol(")");
        reader.expectEnd();
        checkKeyColumns();
        return new CatalogChange.CreateTable(table, keyColumnsNotNull(), primaryKey, primaryKeyKind, uniques, presence);
    }

    private void element() {
        Token first = reader.peek();
        if (reader.accept("CONSTRAINT")) {
            String name = reader.name("a constraint name");
            constraint(Optional.of(name));
        } else if ((first.isWord("PRIMARY") && reader.peek(1).isWord("KEY"))
                || (first.isWord("UNIQUE") && reader.peek(1).isSymbol("("))
                || (first.isWord("CHECK") && reader.peek(1).isSymbol("("))
                || (first.isWord("FOREIGN") && reader.peek(1).isWord("KEY"))) {
            constraint(Optional.empty());
        } else {
            column();
        }
    }

    private void constraint(Optional<String> name) {
        Token first = reader.peek();
        if (reader.accept("PRIMARY", "KEY")) {
            setPrimaryKey(first, nameList());
            primaryKeyKind = indexKind();
        } else if (reader.accept("UNIQUE")) {
            addUnique(name, nameList());
        } else {
            throw refuseConstraint();
        }
    }

    private RuntimeException refuseConstraint() {
        Token first = reader.peek();
        if (first.isWord("CHECK") || first.isWord("FOREIGN") || first.isWord("REFERENCES")) {
            return SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    first.text() + " constraints are not supported; check in the procedure that writes");
        }
        return reader.unexpected("PRIMARY KEY or UNIQUE");
    }

    private void setPrimaryKey(Token where, List<String> key) {
        if (!primaryKey.isEmpty()) {
            throw SqlErrors.syntax(
                    where.position(), "table " + table + " has two primary keys; list all columns in one");
        }
        primaryKey = key;
    }

    private void addUnique(Optional<String> name, List<String> uniqueColumns) {
        String made = table + "_" + String.join("_", uniqueColumns) + "_UNIQUE";
        uniques.add(new CatalogChange.Unique(name.orElse(made), uniqueColumns));
    }

    private List<String> nameList() {
        reader.expectSymbol("(");
        List<String> names = new ArrayList<>();
        do {
            Token token = reader.peek();
            String name = reader.name("a column name");
            if (names.contains(name)) {
                throw SqlErrors.syntax(token.position(), "column " + name + " is named twice");
            }
            names.add(name);
        } while (reader.acceptSymbol(","));
        reader.expectSymbol(")");
        return names;
    }

    /** What USING asks for, if anything. */
    private Optional<IndexKind> indexKind() {
        return IndexParser.usingClause(reader);
    }

    private void column() {
        Token first = reader.peek();
        String name = reader.name("a column name");
        if (columns.stream().anyMatch(column -> column.name().equals(name))) {
            throw SqlErrors.syntax(first.position(), "column " + name + " is defined twice");
        }
        if (columns.size() == MAX_COLUMNS) {
            throw SqlErrors.tooComplex(first.position() + ": a table has at most " + MAX_COLUMNS + " columns");
        }
        ColumnType type = TypeParser.parse(reader);
        boolean nullable = true;
        Expression defaultValue = null;
        while (!reader.peek().isSymbol(",") && !reader.peek().isSymbol(")")) {
            Token option = reader.peek();
            if (reader.accept("NOT", "NULL")) {
                nullable = false;
            } else if (reader.accept("NULL")) {
                nullable = true;
            } else if (reader.accept("DEFAULT")) {
                defaultValue = defaultValue(type);
            } else if (reader.accept("PRIMARY", "KEY")) {
                setPrimaryKey(option, List.of(name));
                primaryKeyKind = indexKind();
            } else if (reader.accept("UNIQUE")) {
                addUnique(Optional.empty(), List.of(name));
            } else if (option.isWord("CHECK") || option.isWord("REFERENCES")) {
                throw refuseConstraint();
            } else {
                throw reader.unexpected("NOT NULL, DEFAULT, PRIMARY KEY, UNIQUE, ',' or ')'");
            }
        }
        columns.add(new Column(name, type, nullable, defaultValue));
    }

    private @Nullable Expression defaultValue(ColumnType type) {
        Token first = reader.peek();
        int depth = 0;
        boolean begun = false;
        while (!reader.isAtEnd()) {
            Token token = reader.peek();
            if (depth == 0 && (isElementEnd(token) || (begun && isColumnOption(token)))) {
                break;
            }
            begun = true;
            depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
            reader.take();
        }
        if (!begun) {
            throw reader.unexpected("a default value");
        }
        Expression value = defaults.compile(reader.textSince(first), type, first.position());
        return value instanceof Expression.Literal literal && literal.value() == null ? null : value;
    }

    private static boolean isElementEnd(Token token) {
        return token.isSymbol(",") || token.isSymbol(")");
    }

    private static boolean isColumnOption(Token token) {
        return token.isWord("NOT") || token.isWord("NULL") || token.isWord("PRIMARY") || token.isWord("UNIQUE");
    }

    private void checkKeyColumns() {
        List<List<String>> keys = new ArrayList<>(List.of(primaryKey));
        uniques.forEach(unique -> keys.add(unique.columns()));
        for (List<String> key : keys) {
            for (String name : key) {
                if (columns.stream().noneMatch(column -> column.name().equals(name))) {
                    throw SqlErrors.at(
                            ErrorCode.UNKNOWN_OBJECT,
                            reader.peek().position(),
                            "a key of table " + table + " names " + name + ", which is none of its columns");
                }
            }
        }
    }

    private List<Column> keyColumnsNotNull() {
        return columns.stream()
                .map(column -> primaryKey.contains(column.name())
                        ? new Column(column.name(), column.type(), false, column.defaultValue())
                        : column)
                .toList();
    }
}
