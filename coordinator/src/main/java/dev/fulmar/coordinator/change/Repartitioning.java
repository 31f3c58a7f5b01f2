package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.AlterTable;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.Validity;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.KeyName;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration.AddPrimaryKey;
import dev.fulmar.engine.catalog.TableAlteration.Repartition;
import dev.fulmar.engine.catalog.TableAlteration.RepartitioningStage;
import dev.fulmar.engine.catalog.TablePartitioning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The rows of a table that are to lie elsewhere, and the statements that place them there. One gives the table a
 * successor, others copy its rows piece by piece, and by the last one the successor takes the table's place.
 *
 * @param table as it is
 * @param column by which rows are placed; empty for a replicated table
 */
public record Repartitioning(Table table, Optional<String> column) {
    /** Values and rows of one statement: its text is planned once, and a call takes no more than 1,024 parameters. */
    private static final int MOST_VALUES = 1_000;

    private static final int MOST_ROWS = 200;

    /** A prime, so that sums of remainders tell other numbers apart, and never overflow. */
    private static final int MODULUS = 1_000_003;

    /** Empty for any other change, and for one that would change nothing. Fails for a table without a key to go by. */
    public static Optional<Repartitioning> of(CatalogChange change, Catalog catalog) {
        if (!(change instanceof AlterTable(var _, var _, Optional<Table> basis, Repartition(var partitioning, var _)))
                || basis.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> column = RepartitioningEdit.column(partitioning, basis.get(), catalog);
        return RepartitioningEdit.isPlaced(basis.get(), column)
                ? Optional.empty()
                : Optional.of(new Repartitioning(basis.get(), column));
    }

    /** The statement that gives the table a key only, where it is to be placed by it; empty for any other change. */
    public static Optional<String> keyOf(AlterTable alter) {
        return alter.alteration() instanceof AddPrimaryKey add && add.places()
                ? Optional.of("ALTER TABLE " + quoted(alter.table()) + " ADD " + primaryKey(add.name()) + " ("
                        + add.columns().stream().map(Repartitioning::quoted).collect(Collectors.joining(", ")) + ")"
                        + add.kind().map(kind -> " USING " + kind.name()).orElse(""))
                : Optional.empty();
    }

    /** The words before the columns of a primary key. */
    static String primaryKey(KeyName name) {
        return switch (name) {
            case KeyName.Given(String given) -> "CONSTRAINT " + quoted(given) + " PRIMARY KEY NAMED";
            case KeyName.Unsaid _, KeyName.Written _ -> "PRIMARY KEY";
        };
    }

    /**
     * The catalog as it would be if the change's primary key placed rows that are spread by row ids. Empty for any
     * other change. Fails where the table cannot get the key, or its rows cannot be placed so.
     */
    public static Optional<Catalog> keyedProspect(CatalogChange change, Catalog catalog) {
        if (!(change instanceof AlterTable(var _, var _, Optional<Table> basis, AddPrimaryKey add))
                || add.validity() != Validity.NOW
                || add.places()
                || basis.filter(Table::hasRowId).isEmpty()) {
            return Optional.empty();
        }
        Table before = basis.get();
        AddPrimaryKey later = add.alone(Validity.LATER);
        Table keyed = hasKey(before, add)
                ? before
                : PrimaryKeyEdit.add(later, before, catalog).catalog().table(before.name());
        Table valid = keyed.withIndexes(keyed.indexes().stream()
                .map(index -> index.primary() ? index.withUnvalidatedSince(0) : index)
                .toList());
        Catalog withKey = catalog.withTable(valid);
        return byKey(valid, withKey).map(repartitioning -> repartitioning.prospect(withKey));
    }

    /** Whether the table has the key already, and only its rows are still to be placed. */
    public static boolean hasKey(AlterTable alter) {
        return alter.alteration() instanceof AddPrimaryKey add
                && alter.basis()
                        .filter(table -> table.awaitsKey() && hasKey(table, add))
                        .isPresent();
    }

    private static boolean hasKey(Table table, AddPrimaryKey add) {
        List<String> columns = table.primaryKey().stream()
                .map(place -> table.columns().get(place).name())
                .toList();
        boolean isOfKind = add.kind().isEmpty()
                || table.indexes().stream()
                        .anyMatch(index ->
                                index.primary() && index.kind() == add.kind().get());
        return columns.equals(add.columns()) && isOfKind;
    }

    /** The repartitioning of a table by its key; empty if its rows lie so. */
    public static Optional<Repartitioning> byKey(Table table, Catalog catalog) {
        Optional<String> column = RepartitioningEdit.column(new TablePartitioning.ByKey(), table, catalog);
        return RepartitioningEdit.isPlaced(table, column)
                ? Optional.empty()
                : Optional.of(new Repartitioning(table, column));
    }

    /** The catalog as it would be if no row were in the way; fails where the rows cannot be placed so. */
    public Catalog prospect(Catalog catalog) {
        TablePartitioning partitioning = column.<TablePartitioning>map(TablePartitioning.OnColumn::new)
                .orElse(new TablePartitioning.Replicated());
        Repartition whole = new Repartition(partitioning, new RepartitioningStage.All());
        return CatalogEdit.of(new AlterTable(table.name(), Presence.STRICT, Optional.of(table), whole), catalog)
                .catalog();
    }

    /** The same of the table as it is by now. */
    public Repartitioning of(Table newest) {
        return new Repartitioning(newest, column);
    }

    /** The statement that gives the table a successor; nothing writes the table then. */
    public String begin(String successor) {
        return alteration() + " INTO " + quoted(successor);
    }

    /** The statement by which the successor takes the table's place. */
    public String end(String successor) {
        return alteration() + " FROM " + quoted(successor);
    }

    /** Whether it is the statement by which a successor takes a table's place. */
    static boolean isEnd(String statement) {
        return statement.startsWith("ALTER TABLE ") && statement.contains(" FROM \"" + SchemaName.PENDING);
    }

    private String alteration() {
        return "ALTER TABLE " + quoted(table.name())
                + column.map(name -> " PARTITION ON COLUMN " + quoted(name)).orElse(" REPLICATED");
    }

    /**
     * Whether rows are copied in the order of their primary key. Without an ordered index of that each piece would read
     * all rows.
     */
    public boolean isOrdered() {
        return table.indexes().stream().anyMatch(index -> index.primary() && index.kind() == IndexKind.ORDERED);
    }

    /** Columns of the key. */
    public int keyColumns() {
        return key().size();
    }

    private List<String> key() {
        Index index = table.indexes().stream()
                .filter(each -> each.primary() && each.kind() == IndexKind.ORDERED)
                .findFirst()
                .orElseThrow();
        return index.columns().stream()
                .map(each -> quoted(table.columns().get(each.column()).name()))
                .toList();
    }

    /**
     * The query for the last key of a piece; it yields none if all that is left of the range is one piece.
     *
     * @param rows of the piece
     */
    public String lastKey(Range range, int rows) {
        String names = String.join(", ", key());
        return "SELECT " + names + " FROM " + quoted(table.name()) + where(conditions(range)) + " ORDER BY " + names
                + " LIMIT 1 OFFSET " + (rows - 1);
    }

    /**
     * The statement that copies rows of a range. Its parameters are those of the range, and then the last columns of
     * the last key.
     *
     * @param isLast whether all rows of the range are copied, so that there is no last key
     */
    public String copy(String successor, Range range, boolean isLast) {
        List<String> conditions = conditions(range);
        List<String> rest = key().subList(range.equalColumns(), key().size());
        if (!isLast) {
            conditions.add("(" + String.join(", ", rest) + ") <= ("
                    + String.join(", ", Collections.nCopies(rest.size(), "?")) + ")");
        }
        return copyOfAll(successor) + where(conditions);
    }

    private String copyOfAll(String successor) {
        return "INSERT INTO " + quoted(successor) + " (" + columns() + ") " + rows();
    }

    /** The query for all rows, in whatever order. */
    public String rows() {
        return "SELECT " + columns() + " FROM " + quoted(table.name());
    }

    /** The statement that gives the successor so many rows. Its parameters are their columns, row by row. */
    public String insertion(String successor, int rows) {
        String row = "(" + String.join(", ", Collections.nCopies(written().size(), "?")) + ")";
        return "INSERT INTO " + quoted(successor) + " (" + columns() + ") VALUES "
                + String.join(", ", Collections.nCopies(rows, row));
    }

    /** Rows that one statement gives the successor at most. */
    public int mostInserted() {
        return Math.clamp(MOST_VALUES / Math.max(1, written().size()), 1, MOST_ROWS);
    }

    private String columns() {
        return written().stream().map(column -> quoted(column.name())).collect(Collectors.joining(", "));
    }

    /** The successor computes the generated ones. */
    private List<Column> written() {
        return table.visibleColumns().stream()
                .filter(column -> !column.isGenerated())
                .toList();
    }

    /**
     * Rows whose keys are alike in the first columns, and greater in the next one. An index has them beside each other.
     * Its parameters are so many columns of a key, and the next one.
     *
     * @param isAll whether it has all rows, and no parameters
     */
    public record Range(boolean isAll, int equalColumns) {
        /** All rows. */
        public static final Range ALL = new Range(true, 0);
    }

    private List<String> conditions(Range range) {
        List<String> conditions = new ArrayList<>();
        if (!range.isAll()) {
            key().subList(0, range.equalColumns()).forEach(column -> conditions.add(column + " = ?"));
            conditions.add(key().get(range.equalColumns()) + " > ?");
        }
        return conditions;
    }

    private static String where(List<String> conditions) {
        return conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
    }

    /** The query for a digest of a table's rows, whose order does not matter. The number of rows comes first. */
    public String digest(String of) {
        return "SELECT COUNT(*), "
                + table.visibleColumns().stream().map(Repartitioning::digest).collect(Collectors.joining(", "))
                + " FROM " + quoted(of);
    }

    private static String digest(Column column) {
        String name = quoted(column.name());
        return switch (column.type().kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> "SUM(CAST(MOD(" + name + ", " + MODULUS + ") AS BIGINT))";
            case CHAR, VARCHAR -> "SUM(CAST(CHAR_LENGTH(" + name + ") AS BIGINT))";
            case JSON, JSONB, ARRAY -> "SUM(CAST(CHAR_LENGTH(CAST(" + name + " AS VARCHAR)) AS BIGINT))";
            case BOOLEAN,
                    DECIMAL,
                    REAL,
                    DOUBLE,
                    VARBINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    INTERVAL,
                    ENUM,
                    NUMERIC -> "COUNT(" + name + ")";
        };
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
