package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.DOUBLE;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.TEXT;
import static dev.fulmar.engine.execution.Plans.call;
import static dev.fulmar.engine.execution.Plans.column;
import static dev.fulmar.engine.execution.Plans.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random rows and ranges: an index yields exactly the rows that a scan with the same condition yields, in the index's
 * order.
 */
class IndexScanProperties {
    private static final int ROUNDS = 12;
    private static final int QUERIES = 120;

    @Test
    void indexScansAgreeWithFilteredScans() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            try (Database database = new Database()) {
                Table table = table(database);
                fill(database, table, random);
                for (int i = 0; i < QUERIES; i++) {
                    check(database, table, random, "seed " + round + ", query " + i);
                }
            }
        }
    }

    private static Table table(Database database) {
        return database.table("T")
                .column("ID", INTEGER)
                .nullable("A", INTEGER)
                .nullable("B", TEXT)
                .nullable("C", DOUBLE)
                .nullable("D", ColumnType.decimal(20, 2))
                .primaryKey(0)
                .index(IndexKind.ORDERED, false, false, 1, 2)
                .index(IndexKind.ORDERED, false, false, ~2, 1)
                .index(IndexKind.ORDERED, true, false, ~1, 3, 0)
                .index(IndexKind.ORDERED, false, false, 4, ~3)
                .index(IndexKind.HASH, false, false, 2, 1)
                .create();
    }

    private static void fill(Database database, Table table, Random random) {
        int rows = random.nextInt(80);
        for (int id = 0; id < rows; id++) {
            database.insert(table, new @Nullable Object[] {
                id, value(random, 1), value(random, 2), value(random, 3), value(random, 4)
            });
        }
    }

    /** Few values, so that they repeat. */
    private static @Nullable Object value(Random random, int column) {
        if (random.nextInt(6) == 0) {
            return null;
        }
        int number = random.nextInt(5) - 2;
        return switch (column) {
            case 0, 1 -> number;
            case 2 -> "abcdefghijk".substring(0, number + 2) + (random.nextInt(4) == 0 ? "\u0000" : "");
            case 3 -> number / 2.0;
            default -> BigDecimal.valueOf(number * 25L, 2);
        };
    }

    private static void check(Database database, Table table, Random random, String seed) {
        Index index = table.indexes().get(random.nextInt(table.indexes().size()));
        boolean hash = index.kind() == IndexKind.HASH;
        int equalCount =
                hash ? index.columns().size() : random.nextInt(index.columns().size() + 1);
        List<@Nullable Object> arguments = new ArrayList<>();
        List<ColumnType> types = new ArrayList<>();
        List<Expression> equal = new ArrayList<>();
        List<Expression> conditions = new ArrayList<>();
        for (int i = 0; i < equalCount; i++) {
            int column = index.columns().get(i).column();
            Expression parameter = argument(table, column, random, arguments, types);
            equal.add(parameter);
            conditions.add(Plans.equal(reference(table, column), parameter));
        }
        Optional<Relation.Bound> lower = Optional.empty();
        Optional<Relation.Bound> upper = Optional.empty();
        if (equalCount < index.columns().size()) {
            IndexColumn next = index.columns().get(equalCount);
            if (random.nextBoolean()) {
                lower = bound(table, next, random, arguments, types, conditions, next.descending());
            }
            if (random.nextBoolean()) {
                upper = bound(table, next, random, arguments, types, conditions, !next.descending());
            }
        }
        conditions.add(Plans.literal(Plans.BOOLEAN, true));
        boolean backwards = !hash && random.nextBoolean();
        Relation.IndexKey key = new Relation.IndexKey(index.id(), equal, lower, upper);
        Relation byIndex = new Relation.IndexScan(table.id(), Database.types(table), key, backwards, null);
        Expression condition = call(ScalarFunction.AND, Plans.BOOLEAN, conditions.toArray(Expression[]::new));
        Relation byScan = new Relation.TableScan(table.id(), Database.types(table), condition);
        @Nullable Object[] values = arguments.toArray();
        List<List<@Nullable Object>> found = database.query(Plans.query(byIndex, types), values);
        List<List<@Nullable Object>> expected =
                database.query(Plans.query(order(table, index, byScan, backwards), types), values);
        String what = seed + ": " + index + " " + key + " " + arguments;
        assertThat(found).as(what).containsExactlyInAnyOrderElementsOf(expected);
        if (!hash) {
            assertThat(keys(index, found)).as("order of " + what).isEqualTo(keys(index, expected));
        }
    }

    private static List<List<@Nullable Object>> keys(Index index, List<List<@Nullable Object>> rows) {
        return rows.stream()
                .<List<@Nullable Object>>map(row -> {
                    List<@Nullable Object> key = new ArrayList<>();
                    index.columns().forEach(column -> key.add(row.get(column.column())));
                    return key;
                })
                .toList();
    }

    private static Relation order(Table table, Index index, Relation input, boolean backwards) {
        List<Relation.SortKey> keys = new ArrayList<>();
        for (IndexColumn column : index.columns()) {
            boolean descending = column.descending() != backwards;
            // In an index NULL is higher than every value.
            keys.add(new Relation.SortKey(reference(table, column.column()), descending, descending));
        }
        return new Relation.Sort(input, keys);
    }

    private static Expression reference(Table table, int column) {
        return column(column, table.columns().get(column).type());
    }

    private static Expression argument(
            Table table, int column, Random random, List<@Nullable Object> arguments, List<ColumnType> types) {
        arguments.add(value(random, column));
        types.add(column == 1 ? BIGINT : table.columns().get(column).type());
        return parameter(types.size() - 1, types.getLast());
    }

    private static Optional<Relation.Bound> bound(
            Table table,
            IndexColumn column,
            Random random,
            List<@Nullable Object> arguments,
            List<ColumnType> types,
            List<Expression> conditions,
            boolean isMaximum) {
        boolean inclusive = random.nextBoolean();
        Expression value = argument(table, column.column(), random, arguments, types);
        ScalarFunction function = isMaximum
                ? (inclusive ? ScalarFunction.LESS_OR_EQUAL : ScalarFunction.LESS)
                : (inclusive ? ScalarFunction.GREATER_OR_EQUAL : ScalarFunction.GREATER);
        conditions.add(Plans.compare(function, reference(table, column.column()), value));
        return Optional.of(new Relation.Bound(value, inclusive));
    }
}
