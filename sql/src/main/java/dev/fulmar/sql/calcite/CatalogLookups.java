package dev.fulmar.sql.calcite;

import com.google.common.base.Suppliers;
import dev.fulmar.sql.postgres.Lookups;
import dev.fulmar.sql.postgres.PostgresCatalog;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;

/** The functions that look into one version of the catalog. */
final class CatalogLookups {
    private final Supplier<Map<String, Long>> relations;
    private final Supplier<Map<String, Long>> types;
    private final SqlOperatorTable operators;

    CatalogLookups(Supplier<PostgresCatalog> catalog) {
        Supplier<Lookups> lookups = Suppliers.memoize(() -> catalog.get().lookups());
        relations = Suppliers.memoize(() -> lookups.get().relationNumbers());
        types = Suppliers.memoize(() -> lookups.get().typeNumbers());
        operators = SqlOperatorTables.of(List.of(
                ofNumber("#RELATION", lookups, Lookups::relationNames),
                ofNumber("#VISIBLE", lookups, Lookups::visibility),
                ofNumber("#SCHEMA", lookups, Lookups::schemaNames),
                ofNumber("#ROLE", lookups, Lookups::roleNames),
                ofNumber("#ROLES_OF", lookups, Lookups::rolesOfRoles),
                ofNumber("#LABELS_OF", lookups, Lookups::labelsOfTypes),
                ofNumber("#TYPE", lookups, Lookups::typeNames),
                ofNumber("#INDEX", lookups, Lookups::indexTexts),
                ofNumber("#INDEX_COLUMN", lookups, Lookups::indexColumns),
                ofNumber("#CONSTRAINT", lookups, Lookups::constraintTexts),
                ofNumber("#VIEW", lookups, Lookups::viewTexts),
                ofNumber("#COMMENT", lookups, Lookups::comments),
                ofNumber("#FULL_RELATION", lookups, Lookups::fullNames),
                CatalogLookup.ofText("#RELATION_NUMBER", relations),
                CatalogLookup.ofText(
                        "#SEQUENCE_NUMBER",
                        Suppliers.memoize(() -> lookups.get().sequenceNumbers())),
                CatalogLookup.ofText("#TYPE_NUMBER", types)));
    }

    private static CatalogLookup ofNumber(
            String name, Supplier<Lookups> lookups, Function<Lookups, Map<Long, String>> values) {
        return CatalogLookup.ofNumber(name, Suppliers.memoize(() -> values.apply(lookups.get())));
    }

    /** OIDs of types by their names. */
    Map<String, Long> types() {
        return types.get();
    }

    SqlOperatorTable operators() {
        return operators;
    }

    /** OIDs of relations by their names. */
    Map<String, Long> relations() {
        return relations.get();
    }
}
