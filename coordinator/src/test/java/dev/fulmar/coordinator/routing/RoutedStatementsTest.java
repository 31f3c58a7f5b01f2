package dev.fulmar.coordinator.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Which changes of the catalog may take SQL to other partitions. */
class RoutedStatementsTest {
    private static final Catalog ONE = Catalog.empty().withTable(table(1, "A", OptionalInt.empty()));

    private static Table table(int id, String name, OptionalInt partitioning) {
        return new Table(
                id,
                name,
                List.of(new Column("ID", ColumnType.of(TypeKind.BIGINT), false, null)),
                partitioning,
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.<ForeignKey>of());
    }

    @Test
    void whatHappensToATableThatIsThereMay() {
        assertThat(RoutedStatements.areSame(ONE, ONE.withTable(table(2, "A", OptionalInt.of(0)))))
                .isFalse();
        assertThat(RoutedStatements.areSame(ONE, ONE.withoutTable("A"))).isFalse();
    }

    @Test
    void whatConcernsNoTableThatWasThereMayNot() {
        assertThat(RoutedStatements.areSame(ONE, ONE.withTable(table(2, "B", OptionalInt.of(0)))))
                .isTrue();
        assertThat(RoutedStatements.areSame(ONE, ONE.withAccess(ONE.access()))).isTrue();
    }

    /** A value that a function computes may say where a row belongs. */
    @Test
    void aFunctionThatIsReplacedMay() {
        Catalog known = ONE.withFunction(function(1));
        assertThat(RoutedStatements.areSame(ONE, known)).isTrue();
        assertThat(RoutedStatements.areSame(known, known.withFunction(function(1))))
                .isTrue();
        assertThat(RoutedStatements.areSame(known, known.withFunction(function(2))))
                .isFalse();
        assertThat(RoutedStatements.areSame(known, ONE)).isFalse();
    }

    private static UserFunction function(long value) {
        ColumnType type = ColumnType.of(TypeKind.BIGINT);
        return new UserFunction(
                "KEY_OF",
                List.of(),
                type,
                true,
                new UserFunction.Formula(Long.toString(value), new Expression.Literal(type, value)));
    }

    /** CREATE TABLE AS makes a table under a name that nobody can write, and then gives it its own. */
    @Test
    void aTableThatIsBeingMadeMayNot() {
        Catalog making = ONE.withTable(table(2, ".1", OptionalInt.of(0)));
        Catalog made = ONE.withTable(table(2, "B", OptionalInt.of(0)));
        assertThat(RoutedStatements.areSame(ONE, making)).isTrue();
        assertThat(RoutedStatements.areSame(making, made)).isTrue();
    }

    /** Sessions send no statement again over another connection, which would not see the table. */
    @Test
    void aTemporaryTableMayNot() {
        String name = SchemaName.temporary(1, 7) + ".T";
        Catalog made = ONE.withTable(table(2, name, OptionalInt.of(0)));
        assertThat(RoutedStatements.areSame(ONE, made)).isTrue();
        assertThat(RoutedStatements.areSame(made, made.withTable(table(2, name, OptionalInt.empty()))))
                .isTrue();
        assertThat(RoutedStatements.areSame(made, ONE)).isTrue();
    }
}
