package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.Catalog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A version of the catalog as PostgreSQL's clients query it. */
public final class PostgresCatalog {
    private final ShownObjects objects;
    private final Map<String, Consumer<SystemRows>> makers = new HashMap<>();

    /** The catalog for sessions that have no temporary tables, and whose plain names are those of PUBLIC. */
    public PostgresCatalog(Catalog catalog) {
        this(catalog, "", List.of());
    }

    /**
     * @param temporary schema of the temporary tables of the session; empty for none
     * @param path schemas of the session's plain names; none for PUBLIC
     */
    public PostgresCatalog(Catalog catalog, String temporary, List<String> path) {
        objects = new ShownObjects(catalog.shownTo(temporary), temporary, path);
        new RelationRows(objects).addTo(makers);
        new ConstraintRows(objects).addTo(makers);
        new OtherRows(objects).addTo(makers);
        new ListingRows(objects).addTo(makers);
        new StandardRows(objects).addTo(makers);
        new StandardColumnRows(objects).addTo(makers);
    }

    /** The rows of a table: for each column text, a truth, a number or null. */
    public List<List<@Nullable Object>> rows(SystemTable table) {
        SystemRows rows = new SystemRows(table);
        Consumer<SystemRows> maker = makers.get(table.name());
        if (maker != null) {
            maker.accept(rows);
        }
        return rows.rows();
    }

    /** The facts that functions look up in the catalog. */
    public Lookups lookups() {
        return new Lookups(objects);
    }

    /** Whether there is ever a row in the table. */
    public static boolean isAlwaysEmpty(String table) {
        return SystemTables.ALL.stream().anyMatch(each -> each.name().equals(table))
                && !new PostgresCatalog(Catalog.empty()).makers.containsKey(table);
    }
}
