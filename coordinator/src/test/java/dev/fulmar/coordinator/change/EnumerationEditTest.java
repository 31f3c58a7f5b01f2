package dev.fulmar.coordinator.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.AddLabel;
import dev.fulmar.engine.catalog.CatalogChange.CreateEnumeration;
import dev.fulmar.engine.catalog.CatalogChange.CreateTable;
import dev.fulmar.engine.catalog.CatalogChange.DropEnumeration;
import dev.fulmar.engine.catalog.CatalogChange.DropTable;
import dev.fulmar.engine.catalog.CatalogChange.Neighbour;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.RenameLabel;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tables know the labels that their types have now, and literals mean the labels that they meant before. */
class EnumerationEditTest {
    private Catalog catalog = Catalog.empty();

    private List<StorageStep> apply(CatalogChange change) {
        CatalogEdit edit = CatalogEdit.of(change, catalog);
        catalog = edit.catalog();
        return edit.steps();
    }

    private static void fails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static Column number(String name) {
        return new Column(name, ColumnType.of(TypeKind.BIGINT), true, null);
    }

    private void table(String name, Column... columns) {
        apply(new CreateTable(name, List.of(columns), List.of(), Optional.empty(), List.of(), Presence.STRICT));
    }

    private Enumeration mood() {
        return Objects.requireNonNull(catalog.enumerations().get("MOOD"));
    }

    private Expression.Literal label(String label) {
        return new Expression.Literal(ColumnType.of(mood()), mood().code(label));
    }

    private void make() {
        apply(new CreateEnumeration("MOOD", List.of("sad", "ok")));
        table("PLAIN", number("ID"));
        table("PERSON", number("ID"), new Column("M", ColumnType.of(mood()), true, label("ok"), "'ok'"));
    }

    @Test
    void idsAreThoseOfNothingElse() {
        table("T", number("ID"));
        apply(new CreateEnumeration("MOOD", List.of("sad")));
        table("U", number("ID"));
        assertThat(mood().id()).isNotEqualTo(catalog.table("T").id());
        assertThat(catalog.table("U").id()).isGreaterThan(mood().id());
        int id = mood().id();
        apply(new DropEnumeration("MOOD", Presence.STRICT));
        apply(new CreateEnumeration("MOOD", List.of("sad")));
        assertThat(mood().id()).isGreaterThan(id);
    }

    @Test
    void aLabelMoreRedefinesTheTablesThatHaveTheType() {
        make();
        Table before = catalog.table("PERSON");
        Table plain = catalog.table("PLAIN");
        long code = mood().code("ok");
        List<StorageStep> steps =
                apply(new AddLabel("MOOD", "meh", Optional.of(new Neighbour("ok", true)), Presence.STRICT));
        assertThat(steps).containsExactly(new StorageStep.RedefineTable(before, catalog.table("PERSON")));
        assertThat(catalog.table("PLAIN")).isSameAs(plain);
        assertThat(catalog.table("PERSON").columns().get(1).type()).isEqualTo(ColumnType.of(mood()));
        assertThat(mood().code("ok")).isEqualTo(code);
        assertThat(mood().values()).extracting(Enumeration.Value::label).containsExactly("sad", "meh", "ok");
        assertThat(apply(new AddLabel("MOOD", "meh", Optional.empty(), Presence.LENIENT)))
                .isEmpty();
        fails(ErrorCode.OBJECT_EXISTS, () -> apply(new AddLabel("MOOD", "meh", Optional.empty(), Presence.STRICT)));
        fails(ErrorCode.UNKNOWN_OBJECT, () -> apply(new AddLabel("SIZE", "meh", Optional.empty(), Presence.LENIENT)));
    }

    @Test
    void anotherWordReachesDefaultsAndNoOtherText() {
        make();
        apply(new RenameLabel("MOOD", "ok", "it's fine"));
        Column column = catalog.table("PERSON").columns().get(1);
        assertThat(column.defaultText()).isEqualTo("'it''s fine'");
        assertThat(column.defaultValue()).isEqualTo(label("it's fine"));
        Expression reference = new Expression.ColumnReference(0, ColumnType.of(mood()), true);
        Check check = new Check(
                "C",
                "(m <> 'sad')",
                new Expression.Call(
                        ScalarFunction.NOT_EQUAL,
                        List.of(reference, label("sad")),
                        ColumnType.of(TypeKind.BOOLEAN),
                        true));
        table("CHECKED", new Column("M", ColumnType.of(mood()), true, null));
        catalog = catalog.withTable(catalog.table("CHECKED").withChecks(List.of(check)));
        fails(ErrorCode.DEPENDENT_OBJECTS, () -> apply(new RenameLabel("MOOD", "sad", "blue")));
        apply(new RenameLabel("MOOD", "it's fine", "ok"));
        apply(new AddLabel("MOOD", "happy", Optional.empty(), Presence.STRICT));
        assertThat(catalog.table("CHECKED").checks().getFirst().condition())
                .isInstanceOfSatisfying(
                        Expression.Call.class,
                        call -> assertThat(call.arguments().get(1)).isEqualTo(label("sad")));
    }

    @Test
    void aTypeGoesWhenNothingHasIt() {
        make();
        fails(ErrorCode.DEPENDENT_OBJECTS, () -> apply(new DropEnumeration("MOOD", Presence.STRICT)));
        fails(ErrorCode.OBJECT_EXISTS, () -> apply(new CreateEnumeration("PLAIN", List.of())));
        fails(ErrorCode.OBJECT_EXISTS, () -> table("MOOD", number("ID")));
        apply(new DropTable("PERSON", Presence.STRICT));
        apply(new DropEnumeration("MOOD", Presence.STRICT));
        assertThat(catalog.enumerations()).isEmpty();
        assertThat(apply(new DropEnumeration("MOOD", Presence.LENIENT))).isEmpty();
        fails(ErrorCode.UNKNOWN_OBJECT, () -> apply(new DropEnumeration("MOOD", Presence.STRICT)));
    }
}
