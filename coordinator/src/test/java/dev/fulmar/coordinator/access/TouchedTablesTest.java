package dev.fulmar.coordinator.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The tables whose rows follow those of changed ones. */
class TouchedTablesTest {
    private static Table table(int id, String name) {
        return new Table(
                id,
                name,
                List.of(new Column("ID", ColumnType.of(TypeKind.BIGINT), true, null)),
                OptionalInt.empty(),
                List.of(),
                List.of());
    }

    private static Table child(int id, String name, String parent, ForeignKey.Action onDelete) {
        return table(id, name)
                .withForeignKeys(List.of(new ForeignKey(
                        "F", List.of("ID"), parent, List.of("ID"), onDelete, ForeignKey.Action.NO_ACTION)));
    }

    private final Catalog catalog = Catalog.empty()
            .withTable(table(1, "A"))
            .withTable(child(2, "B", "A", ForeignKey.Action.CASCADE))
            .withTable(child(3, "C", "B", ForeignKey.Action.SET_NULL))
            .withTable(child(4, "D", "C", ForeignKey.Action.NO_ACTION));

    @Test
    void rowsThatReferToChangedOnesFollow() {
        TouchedTables touched = TouchedTables.of(Set.of(1), Set.of(), Set.of(1), Set.of(1), catalog);
        assertThat(touched.read()).containsExactly("A");
        assertThat(touched.changed()).containsExactly("A", "B", "C");
    }

    @Test
    void nothingFollowsRowsThatAreAdded() {
        TouchedTables touched = TouchedTables.of(Set.of(4), Set.of(1), Set.of(1), Set.of(), catalog);
        assertThat(touched.changed()).containsExactly("A");
        assertThat(touched.skipping()).containsExactly("A");
        assertThat(touched.read()).containsExactly("D");
    }

    @Test
    void aQueryChangesNothing() {
        TouchedTables touched = TouchedTables.of(Set.of(1, 2), Set.of(), Set.of(), Set.of(), catalog);
        assertThat(touched.changed()).isEmpty();
        assertThat(touched.read()).containsExactly("A", "B");
    }
}
