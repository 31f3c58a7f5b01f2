package dev.fulmar.coordinator.draft;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.engine.spi.SqlFrontend;
import java.util.List;

/** A change of the catalog with all that the node adds to it, and the text that says so. */
public record WholeChange(String text, CatalogChange change) {
    /**
     * The change that was written.
     *
     * @param micros the time of the transaction, since the epoch
     */
    static WholeChange of(String sql, CatalogChange written, Catalog catalog, Statements statements, long micros) {
        String text = statements.completed(sql, written, catalog, micros);
        CatalogChange change = !text.equals(sql)
                        && statements.prospective(text, catalog)
                                instanceof SqlFrontend.Compiled.Change(CatalogChange completed)
                ? completed
                : written;
        return new WholeChange(text, change);
    }

    /** The catalog behind the statements of a transaction; those that do not change it count for nothing. */
    public static Catalog behind(Catalog before, List<String> sent, Statements statements, long micros) {
        Catalog catalog = before;
        for (String sql : sent) {
            catalog = behind(catalog, sql, statements, micros);
        }
        return catalog;
    }

    private static Catalog behind(Catalog catalog, String sql, Statements statements, long micros) {
        return switch (statements.prospective(sql, catalog)) {
            case SqlFrontend.Compiled.Change(CatalogChange written) ->
                CatalogEdit.of(of(sql, written, catalog, statements, micros).change(), catalog)
                        .catalog();
            case SqlFrontend.Compiled.TableOfQuery(CreateTableAsPlan made)
            when made.makesEmptyTable() -> behind(catalog, made.creation(), statements, micros);
            default -> catalog;
        };
    }
}
