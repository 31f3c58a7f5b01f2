package dev.fulmar.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RowObserversTest {
    private final List<String> seen = new ArrayList<>();
    private final UpdateShape shape = new UpdateShape(
            new RowLayout(new TableFixture(1, "T").column("K", TypeKind.INTEGER).build()),
            OptionalInt.empty(),
            new int[] {0});

    private RowObserver observer(String name, boolean isConcerned) {
        return new RowObserver() {
            @Override
            public void changing(long row) {
                seen.add(name + row);
            }

            @Override
            public boolean isConcernedBy(UpdateShape changed) {
                return isConcerned;
            }
        };
    }

    @Test
    void eachSeesWhatConcernsIt() {
        RowObserver all = RowObservers.with(observer("a", true), observer("b", false));
        assertThat(all.isConcernedBy(shape)).isTrue();
        all.changing(1);
        all.changing(2, 0, shape);
        assertThat(seen).containsExactly("a1", "b1", "a2");
        assertThat(RowObservers.with(observer("c", false), observer("d", false)).isConcernedBy(shape))
                .isFalse();
    }

    @Test
    void theyComeAndGo() {
        RowObserver first = observer("a", true);
        RowObserver second = observer("b", true);
        RowObserver third = observer("c", true);
        RowObserver all = RowObservers.with(RowObservers.with(RowObservers.with(null, first), second), third);
        RowObserver rest = RowObservers.without(all, second);
        assertThat(rest).isNotNull();
        if (rest != null) {
            rest.changing(7);
        }
        assertThat(seen).containsExactly("a7", "c7");
        assertThat(RowObservers.without(rest, first)).isSameAs(third);
        assertThat(RowObservers.without(third, third)).isNull();
        assertThat(RowObservers.without(null, third)).isNull();
    }
}
