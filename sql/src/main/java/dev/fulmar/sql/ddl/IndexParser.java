package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.ComputedKey;
import dev.fulmar.engine.catalog.CatalogChange.IndexFilter;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.Validity;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.KeyExpression;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Parses what follows CREATE [UNIQUE] INDEX. */
final class IndexParser {
    private IndexParser() {}

    static CatalogChange.CreateIndex parse(
            TokenReader reader, boolean unique, DdlExpressions expressions, ConstraintNames names) {
        Presence presence = reader.accept("IF", "NOT", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
        Token written = reader.peek();
        String given = reader.newName("an index name");
        reader.expect("ON");
        String table = reader.objectName("a table name");
        boolean isThere = expressions.table(table).stream()
                .flatMap(each -> each.indexes().stream())
                .anyMatch(index -> index.name().equals(given)); // an earlier build made it
        if (!isThere) {
            names.index(written, given, table);
        }
        String name = nameOn(table, given);
        Optional<IndexKind> before = usingClause(reader);
        reader.expectSymbol("(");
        List<CatalogChange.NamedColumn> columns = new ArrayList<>();
        do {
            columns.add(key(reader, table, expressions));
        } while (reader.acceptSymbol(","));
        reader.expectSymbol(")");
        Optional<IndexKind> after = usingClause(reader);
        Validity validity = unique && reader.accept("NOT", "VALID") ? Validity.LATER : Validity.NOW;
        Optional<IndexFilter> filter = filter(reader, name, table, expressions);
        reader.expectEnd();
        IndexKind kind = after.or(() -> before).orElse(IndexKind.ORDERED);
        return new CatalogChange.CreateIndex(name, table, kind, unique, columns, presence, filter, validity);
    }

    /** The name of an index. Two sessions may have temporary tables with indexes of one name. */
    static String nameOn(String table, String given) {
        return SchemaName.isInTemporary(table) && !SchemaName.isInTemporary(given)
                ? SchemaName.qualified(SchemaName.of(table), given)
                : given;
    }

    private static CatalogChange.NamedColumn key(TokenReader reader, String table, DdlExpressions expressions) {
        if (endsKey(reader.peek(1))) {
            String column = reader.name("a column name");
            return new CatalogChange.NamedColumn(column, isDescending(reader));
        }
        Token first = reader.peek();
        Token last = first;
        for (int depth = 0; depth > 0 || !endsKey(reader.peek()); ) {
            if (reader.isAtEnd()) {
                throw reader.unexpected("')'");
            }
            last = reader.take();
            depth += last.nesting();
        }
        Table basis = basis(table, first, expressions);
        Expression value = expressions.value(table, basis.columns(), first.start(), last.end());
        if (value instanceof Expression.ColumnReference column) {
            return new CatalogChange.NamedColumn(
                    basis.columns().get(column.index()).name(), isDescending(reader));
        }
        KeyExpression expression = new KeyExpression(reader.textSince(first), value);
        if (IntStream.range(0, basis.columns().size()).noneMatch(expression::reads)) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED, first.position(), "a key of an index is computed from columns of its row");
        }
        return new CatalogChange.NamedColumn(new ComputedKey(basis, expression), isDescending(reader));
    }

    /** Whether the token, outside of parentheses, is not part of a key. */
    private static boolean endsKey(Token token) {
        return token.isSymbol(",") || token.isSymbol(")") || token.isWord("ASC") || token.isWord("DESC");
    }

    private static boolean isDescending(TokenReader reader) {
        boolean descending = reader.accept("DESC");
        if (!descending) {
            reader.accept("ASC");
        }
        return descending;
    }

    private static Table basis(String table, Token place, DdlExpressions expressions) {
        return expressions
                .table(table)
                .orElseThrow(
                        () -> SqlErrors.at(ErrorCode.UNKNOWN_OBJECT, place.position(), expressions.noTable(table)));
    }

    /** {@code WHERE condition}, or nothing. */
    private static Optional<IndexFilter> filter(
            TokenReader reader, String index, String table, DdlExpressions expressions) {
        if (!reader.accept("WHERE")) {
            return Optional.empty();
        }
        if (reader.isAtEnd()) {
            throw reader.unexpected("a condition");
        }
        Token first = reader.peek();
        Table basis = basis(table, first, expressions);
        String text = reader.takeRest();
        Expression condition = expressions.condition(table, basis.columns(), "(" + text + ")");
        return Optional.of(new IndexFilter(basis, new Check(index, text, condition)));
    }

    /** {@code USING HASH}, {@code USING ORDERED} (or BTREE, TREE), or nothing. */
    static Optional<IndexKind> usingClause(TokenReader reader) {
        if (!reader.accept("USING")) {
            return Optional.empty();
        }
        if (reader.accept("HASH")) {
            return Optional.of(IndexKind.HASH);
        }
        if (reader.accept("ORDERED") || reader.accept("BTREE") || reader.accept("TREE")) {
            return Optional.of(IndexKind.ORDERED);
        }
        throw reader.unexpected("HASH or ORDERED");
    }
}
