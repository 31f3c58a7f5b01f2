package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.IndexFilter;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses what follows CREATE [UNIQUE] INDEX. */
final class IndexParser {
    private IndexParser() {}

    static CatalogChange.CreateIndex parse(TokenReader reader, boolean unique, DdlExpressions expressions) {
        Presence presence = reader.accept("IF", "NOT", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
        String name = reader.name("an index name");
        reader.expect("ON");
        String table = reader.name("a table name");
        Optional<IndexKind> before = usingClause(reader);
        reader.expectSymbol("(");
        List<CatalogChange.NamedColumn> columns = new ArrayList<>();
        do {
            String column = reader.name("a column name");
            boolean descending = reader.accept("DESC");
            if (!descending) {
                reader.accept("ASC");
            }
            columns.add(new CatalogChange.NamedColumn(column, descending));
        } while (reader.acceptSymbol(","));
        reader.expectSymbol(")");
        Optional<IndexKind> after = usingClause(reader);
        Optional<IndexFilter> filter = filter(reader, name, table, expressions);
        reader.expectEnd();
        IndexKind kind = after.or(() -> before).orElse(IndexKind.ORDERED);
        return new CatalogChange.CreateIndex(name, table, kind, unique, columns, presence, filter);
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
        Table basis = expressions
                .table(table)
                .orElseThrow(() -> SqlErrors.at(
                        ErrorCode.UNKNOWN_OBJECT,
                        first.position(),
                        "there is no table " + table + "; CREATE TABLE makes one"));
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
