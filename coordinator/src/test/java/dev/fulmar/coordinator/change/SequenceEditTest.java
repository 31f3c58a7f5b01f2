package dev.fulmar.coordinator.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.CreateSequence;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.RestartSequence;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Sequences with CACHE in the catalog: their ids, tables and changes. */
class SequenceEditTest {
    private Catalog catalog = Catalog.empty();

    private List<StorageStep> apply(CatalogChange change) {
        CatalogEdit edit = CatalogEdit.of(change, catalog);
        catalog = edit.catalog();
        return edit.steps();
    }

    private static void fails(ErrorCode code, ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private long start() {
        return catalog.table("S").sequence().orElseThrow().start();
    }

    @Test
    void aDenseSequenceHasOnePlace() {
        apply(new CreateSequence("S", new SequenceRule(1, 3, false, 9), Presence.STRICT));
        assertThat(catalog.table("S").isReplicated()).isFalse();
        assertThat(catalog.isDenseSequence(catalog.table("S").id())).isTrue();
        apply(new CreateSequence("LOCAL", new SequenceRule(1, 3, false), Presence.STRICT));
        assertThat(catalog.isDenseSequence(catalog.table("LOCAL").id())).isFalse();
    }

    /** Nodes keep numbers that they drew under the id. */
    @Test
    void aSequenceThatGoesOnElsewhereHasAnotherId() {
        apply(new CreateSequence("S", new SequenceRule(1, 3, false, 9), Presence.STRICT));
        Table before = catalog.table("S");
        List<StorageStep> steps = apply(new RestartSequence("S", 100, true, true));
        Table after = catalog.table("S");
        assertThat(after.id()).isNotEqualTo(before.id());
        assertThat(steps).containsExactly(new StorageStep.DropTable(before), new StorageStep.CreateTable(after));
        assertThat(after.sequence()).hasValue(new SequenceRule(1, 3, false, 9).from(103));
        apply(new RestartSequence("S", -5, false, false));
        assertThat(start()).isEqualTo(-5);
        apply(new RestartSequence("S", Long.MAX_VALUE, false, false));
        assertThat(start()).isEqualTo(Long.MAX_VALUE);
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> apply(new RestartSequence("S", Long.MAX_VALUE - 2, true, false)));
        apply(new RestartSequence("S", Long.MAX_VALUE - 3, true, false));
        assertThat(start()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void onlyADenseSequenceIsToldWhereToGoOn() {
        apply(new CreateSequence("LOCAL", new SequenceRule(1, 3, false), Presence.STRICT));
        fails(ErrorCode.NOT_SUPPORTED, () -> apply(new RestartSequence("LOCAL", 1, true, true)));
        fails(ErrorCode.UNKNOWN_OBJECT, () -> apply(new RestartSequence("NOWHERE", 1, true, true)));
    }
}
