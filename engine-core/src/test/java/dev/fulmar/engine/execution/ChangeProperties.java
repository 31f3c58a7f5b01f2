package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.call;
import static dev.fulmar.engine.execution.Plans.column;
import static dev.fulmar.engine.execution.Plans.parameter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Operation.Assignment;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random writes against a sorted map: the outcome, or the failure and no trace of it. */
class ChangeProperties {
    private static final int KEYS = 30;

    private final Database database = new Database();
    private final Table table = database.table("T")
            .column("K", INTEGER)
            .column("V", BIGINT)
            .primaryKey(0)
            .index(IndexKind.ORDERED, false, false, 1)
            .create();
    private SortedMap<Long, Long> expected = new TreeMap<>();

    @Test
    void writesDoWhatTheyDoToAMap() {
        Random random = new Random(11);
        PartitionStatement insert = insert(false);
        PartitionStatement upsert = insert(true);
        PartitionStatement addByValue = update(new Assignment(1, plus(1)), true);
        PartitionStatement addByScan = update(new Assignment(1, plus(1)), false);
        PartitionStatement shiftKeys = update(new Assignment(0, plus(0)), true);
        PartitionStatement delete =
                database.statement(Plans.write(new Operation.Delete(table.id(), range()), BIGINT, BIGINT));
        for (int i = 0; i < 4000; i++) {
            long key = random.nextInt(KEYS);
            long value = random.nextInt(50);
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> apply(insert, changed -> changed.putIfAbsent(key, value) == null ? 1 : -1, key, value);
                case 3, 4 ->
                    apply(
                            upsert,
                            changed -> {
                                changed.put(key, value);
                                return 1;
                            },
                            key,
                            value);
                case 5 -> addToValues(addByValue, value, key % 7 - 3);
                case 6 -> addToValues(addByScan, value, key % 7 - 3);
                case 7 ->
                    apply(shiftKeys, changed -> shift(changed, value, key % 3 - 1), value, value + 20, key % 3 - 1);
                default ->
                    apply(
                            delete,
                            changed -> {
                                int before = changed.size();
                                changed.values().removeIf(v -> v >= value && v < value + 5);
                                return (long) before - changed.size();
                            },
                            value,
                            value + 5);
            }
            if (random.nextInt(10) == 0) {
                database.storage().undoLog().commit(i + 1);
            }
            assertThat(database.all(table).stream().map(row -> Map.entry((Long) row.get(0), (Long) row.get(1))))
                    .containsExactlyInAnyOrderElementsOf(expected.entrySet());
        }
        database.close();
    }

    private void addToValues(PartitionStatement statement, long from, long difference) {
        apply(
                statement,
                changed -> {
                    long count = changed.values().stream()
                            .filter(v -> v >= from && v < from + 20)
                            .count();
                    changed.replaceAll((k, v) -> v >= from && v < from + 20 ? v + difference : v);
                    return count;
                },
                from,
                from + 20,
                difference);
    }

    /** -1 if two rows would have one key. */
    private static long shift(SortedMap<Long, Long> rows, long from, long difference) {
        SortedMap<Long, Long> result = new TreeMap<>();
        long count = 0;
        for (Map.Entry<Long, Long> row : rows.entrySet()) {
            boolean moves = row.getValue() >= from && row.getValue() < from + 20;
            count += moves ? 1 : 0;
            if (result.put(row.getKey() + (moves ? difference : 0), row.getValue()) != null) {
                return -1;
            }
        }
        rows.clear();
        rows.putAll(result);
        return count;
    }

    /** What a statement does to the rows; -1 for a unique violation. */
    private interface Model {
        long change(SortedMap<Long, Long> rows);
    }

    private void apply(PartitionStatement statement, Model model, Object... arguments) {
        SortedMap<Long, Long> changed = new TreeMap<>(expected);
        long count = model.change(changed);
        try {
            assertThat(database.run(statement, arguments)).isEqualTo(count);
            expected = changed;
        } catch (FulmarException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
            assertThat(count).isEqualTo(-1);
        }
    }

    private PartitionStatement insert(boolean upsert) {
        StatementPlan plan = Plans.write(
                new Operation.Insert(table.id(), Plans.parameters(Database.types(table)), upsert), INTEGER, BIGINT);
        return database.statement(plan);
    }

    private static Expression plus(int column) {
        return column == 0
                ? call(ScalarFunction.PLUS, INTEGER, column(0, INTEGER), parameter(2, BIGINT))
                : call(ScalarFunction.PLUS, BIGINT, column(1, BIGINT), parameter(2, BIGINT));
    }

    private PartitionStatement update(Assignment assignment, boolean byIndex) {
        Relation target = byIndex ? range() : new Relation.TableScan(table.id(), Database.types(table), condition());
        return database.statement(
                Plans.write(new Operation.Update(table.id(), target, List.of(assignment)), BIGINT, BIGINT, BIGINT));
    }

    private static Expression condition() {
        return call(
                ScalarFunction.AND,
                Plans.BOOLEAN,
                Plans.compare(ScalarFunction.GREATER_OR_EQUAL, column(1, BIGINT), parameter(0, BIGINT)),
                Plans.compare(ScalarFunction.LESS, column(1, BIGINT), parameter(1, BIGINT)));
    }

    private Relation.IndexScan range() {
        Relation.IndexKey key = new Relation.IndexKey(
                table.indexes().get(2).id(),
                List.of(),
                Optional.of(new Relation.Bound(parameter(0, BIGINT), true)),
                Optional.of(new Relation.Bound(parameter(1, BIGINT), false)));
        return new Relation.IndexScan(table.id(), Database.types(table), key, false, null);
    }
}
