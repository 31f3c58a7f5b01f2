package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.CreateIndex;
import dev.fulmar.engine.catalog.CatalogChange.NamedColumn;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.Validity;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration.AddForeignKey;
import dev.fulmar.engine.catalog.TableAlteration.AddPrimaryKey;
import dev.fulmar.engine.catalog.TableAlteration.AddUnique;
import dev.fulmar.engine.catalog.TableAlteration.ValidateConstraint;
import dev.fulmar.engine.execution.ReferencePlaces;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A constraint over partitions that a table gets which may have rows. Writes keep it from a first change of the catalog
 * on. A query of all partitions then looks for rows that break it. If there are none, a last change notes that all rows
 * keep it.
 *
 * @param table to which it belongs
 * @param ofEmpty makes it at once if the table has no rows, which then are placed anew; empty if that changes nothing
 * @param addition makes it, for writes only; empty if it is there
 * @param removals take back what the addition has made
 * @param counterexample a query that yields a row's columns of the constraint, if one breaks it
 * @param breach the error if there is such a row
 * @param breachText that goes on with the row's values
 */
public record LateConstraint(
        String table,
        String name,
        Optional<String> ofEmpty,
        Optional<String> addition,
        List<String> removals,
        String counterexample,
        ErrorCode breach,
        String breachText) {
    public LateConstraint {
        removals = List.copyOf(removals);
    }

    /** Empty if the change adds no such constraint, or would fail. */
    public static Optional<LateConstraint> of(CatalogChange change, Catalog catalog) {
        return switch (change) {
            case CreateIndex create when create.unique() && create.validity() == Validity.NOW -> index(create, catalog);
            case CatalogChange.AlterTable alter
            when alter.basis().isPresent() -> {
                Table table = alter.basis().get();
                yield switch (alter.alteration()) {
                    case AddUnique(var unique, var validity)
                    when validity == Validity.NOW -> {
                        List<NamedColumn> columns = unique.columns().stream()
                                .map(column -> new NamedColumn(column, false))
                                .toList();
                        String addition = "ALTER TABLE " + quoted(table.name()) + " ADD CONSTRAINT "
                                + quoted(unique.name()) + " UNIQUE (" + names(unique.columns()) + ") NOT VALID";
                        yield unique(unique.name(), columns, table, addition, dropped(unique.name()));
                    }
                    case AddPrimaryKey add
                    when add.validity() == Validity.NOW && !add.places() -> primaryKey(add, table);
                    case AddForeignKey(var key, var validity)
                    when validity == Validity.NOW -> foreignKey(key, table, catalog);
                    case ValidateConstraint(var name, var since) when since.isEmpty() -> existing(name, table, catalog);
                    default -> Optional.empty();
                };
            }
            default -> Optional.empty();
        };
    }

    private static Optional<LateConstraint> index(CreateIndex create, Catalog catalog) {
        Table table = catalog.tables().get(create.table());
        boolean isPlain = create.filter().isEmpty()
                && create.columns().stream()
                        .allMatch(column -> column.computed().isEmpty());
        if (table == null || !isPlain || create.presence() == Presence.LENIENT) {
            return Optional.empty();
        }
        String columns = create.columns().stream()
                .map(column -> quoted(column.column()) + (column.descending() ? " DESC" : ""))
                .collect(Collectors.joining(", "));
        String addition = "CREATE UNIQUE INDEX " + quoted(create.name()) + " ON " + quoted(table.name()) + " ("
                + columns + ") USING " + create.kind().name() + " NOT VALID";
        return unique(create.name(), create.columns(), table, addition, dropped(create.name()));
    }

    private static Optional<LateConstraint> primaryKey(AddPrimaryKey add, Table table) {
        List<NamedColumn> columns = add.columns().stream()
                .map(column -> new NamedColumn(column, false))
                .toList();
        String name = add.name().of(table.name());
        String start = "ALTER TABLE " + quoted(table.name());
        String valid = start + " ADD " + Repartitioning.primaryKey(add.name()) + " (" + names(add.columns()) + ")"
                + add.kind().map(kind -> " USING " + kind.name()).orElse("");
        String addition = valid + " NOT VALID";
        List<String> removals = new ArrayList<>();
        removals.add(start + " DROP CONSTRAINT IF EXISTS " + quoted(name));
        table.columns().stream()
                .filter(column -> column.nullable() && add.columns().contains(column.name()))
                .forEach(column -> removals.add(start + " ALTER COLUMN " + quoted(column.name()) + " DROP NOT NULL"));
        Optional<LateConstraint> made = unique(name, columns, table, addition, removals);
        return table.hasRowId() ? made.map(late -> late.withOfEmpty(valid)) : made;
    }

    private LateConstraint withOfEmpty(String statement) {
        return new LateConstraint(
                table, name, Optional.of(statement), addition, removals, counterexample, breach, breachText);
    }

    /** The query that finds a row if the table has any. */
    public String anyRow() {
        return "SELECT 1 FROM " + quoted(table) + " LIMIT 1";
    }

    private static List<String> dropped(String index) {
        return List.of("DROP INDEX IF EXISTS " + quoted(index));
    }

    private static Optional<LateConstraint> unique(
            String name, List<NamedColumn> columns, Table table, String addition, List<String> removals) {
        List<String> names = columns.stream().map(NamedColumn::column).toList();
        boolean isOverPartitions = table.partitioningColumn().isPresent()
                && names.stream().allMatch(column -> table.columnIndex(column) >= 0)
                && !names.contains(table.columns()
                        .get(table.partitioningColumn().getAsInt())
                        .name());
        if (!isOverPartitions) {
            return Optional.empty();
        }
        Optional<Index> there = table.indexes().stream()
                .filter(index -> index.name().equals(name))
                .findFirst();
        if (there.isPresent()) {
            boolean isSame =
                    !there.get().isValidated() && columnsOf(there.get(), table).equals(names);
            return isSame ? Optional.of(ofUnique(name, names, table, Optional.empty(), List.of())) : Optional.empty();
        }
        return Optional.of(ofUnique(name, names, table, Optional.of(addition), removals));
    }

    private static LateConstraint ofUnique(
            String name, List<String> columns, Table table, Optional<String> addition, List<String> removals) {
        return new LateConstraint(
                table.name(),
                name,
                Optional.empty(),
                addition,
                removals,
                "SELECT " + names(columns) + " FROM " + quoted(table.name()) + " WHERE "
                        + columns.stream()
                                .map(column -> quoted(column) + " IS NOT NULL")
                                .collect(Collectors.joining(" AND "))
                        + " GROUP BY " + names(columns) + " HAVING COUNT(*) > 1 LIMIT 1",
                ErrorCode.UNIQUE_VIOLATION,
                "table " + table.name() + " has two rows, on two partitions, that " + name
                        + " would not allow: change or delete one with ");
    }

    private static Optional<LateConstraint> foreignKey(ForeignKey written, Table table, Catalog catalog) {
        Table parent = catalog.tables().get(written.parent());
        if (parent == null) {
            return Optional.empty();
        }
        ForeignKey key = ForeignKeyEdit.resolved(written, parent);
        boolean isWhole = key.columns().size() == key.parentColumns().size()
                && key.columns().stream().allMatch(column -> table.columnIndex(column) >= 0)
                && key.parentColumns().stream().allMatch(column -> parent.columnIndex(column) >= 0);
        if (!isWhole || ReferencePlaces.isTogether(table, key, catalog)) {
            return Optional.empty();
        }
        Optional<ForeignKey> there = table.foreignKeys().stream()
                .filter(each -> each.name().equals(key.name()))
                .findFirst();
        if (there.isPresent()) {
            boolean isSame = !there.get().isValidated()
                    && there.get().withUnvalidatedSince(0).equals(key);
            return isSame ? Optional.of(ofForeignKey(key, table, Optional.empty(), List.of())) : Optional.empty();
        }
        String addition = "ALTER TABLE " + quoted(table.name()) + " ADD CONSTRAINT " + quoted(key.name())
                + " FOREIGN KEY (" + names(key.columns()) + ") REFERENCES " + quoted(key.parent()) + " ("
                + names(key.parentColumns()) + ") ON DELETE "
                + key.onDelete().name().replace('_', ' ')
                + " ON UPDATE " + key.onUpdate().name().replace('_', ' ') + " NOT VALID";
        String constraint = "ALTER TABLE " + quoted(table.name()) + " DROP CONSTRAINT IF EXISTS " + quoted(key.name());
        List<String> removals = ForeignKeyEdit.isServed(key, table)
                ? List.of(constraint)
                : List.of(constraint, "DROP INDEX IF EXISTS " + quoted(ForeignKeyEdit.indexName(key)));
        return Optional.of(ofForeignKey(key, table, Optional.of(addition), removals));
    }

    private static LateConstraint ofForeignKey(
            ForeignKey key, Table table, Optional<String> addition, List<String> removals) {
        StringBuilder query = new StringBuilder("SELECT ")
                .append(key.columns().stream()
                        .map(column -> "c." + quoted(column))
                        .collect(Collectors.joining(", ")))
                .append(" FROM " + quoted(table.name()) + " AS c WHERE ");
        key.columns().forEach(column -> query.append("c." + quoted(column)).append(" IS NOT NULL AND "));
        query.append("NOT EXISTS (SELECT 1 FROM " + quoted(key.parent()) + " AS p WHERE ");
        for (int i = 0; i < key.columns().size(); i++) {
            query.append(i > 0 ? " AND p." : "p.")
                    .append(quoted(key.parentColumns().get(i)))
                    .append(" = c.")
                    .append(quoted(key.columns().get(i)));
        }
        query.append(") LIMIT 1");
        return new LateConstraint(
                table.name(),
                key.name(),
                Optional.empty(),
                addition,
                removals,
                query.toString(),
                ErrorCode.FOREIGN_KEY_VIOLATION,
                "table " + table.name() + " has a row for which " + key.parent()
                        + " has none that it could refer to by " + key.name()
                        + ": insert that one, or change or delete the row with ");
    }

    private static Optional<LateConstraint> existing(String name, Table table, Catalog catalog) {
        Optional<ForeignKey> key = table.foreignKeys().stream()
                .filter(each -> each.name().equals(name) && !each.isValidated())
                .findFirst();
        if (key.isPresent() && catalog.tables().containsKey(key.get().parent())) {
            return Optional.of(ofForeignKey(key.get(), table, Optional.empty(), List.of()));
        }
        return table.indexes().stream()
                .filter(each -> each.name().equals(name) && !each.isValidated())
                .findFirst()
                .map(index -> ofUnique(name, columnsOf(index, table), table, Optional.empty(), List.of()));
    }

    /** The version of the catalog since which writes keep it; empty if it is not there, or all rows keep it. */
    public OptionalLong since(Catalog catalog) {
        Table there = catalog.tables().get(table);
        if (there == null) {
            return OptionalLong.empty();
        }
        LongStream keys = there.foreignKeys().stream()
                .filter(each -> each.name().equals(name))
                .mapToLong(ForeignKey::unvalidatedSince);
        LongStream indexes = there.indexes().stream()
                .filter(each -> each.name().equals(name))
                .mapToLong(Index::unvalidatedSince);
        return LongStream.concat(keys, indexes).filter(version -> version > 0).findFirst();
    }

    /** The statement which notes that all rows keep it, if it is still the one of that version. */
    public String validation(long since) {
        return "ALTER TABLE " + quoted(table) + " VALIDATE CONSTRAINT " + quoted(name) + " SINCE " + since;
    }

    private static List<String> columnsOf(Index index, Table table) {
        return index.columns().stream()
                .map(column -> table.columns().get(column.column()).name())
                .toList();
    }

    private static String names(List<String> columns) {
        return columns.stream().map(LateConstraint::quoted).collect(Collectors.joining(", "));
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
