package dev.fulmar.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A task that needs a moment without a transaction gets the first one, however many transactions wait for the lock. */
class QuiescentTaskTest {
    @Test
    void itComesBeforeTheNextHolder() {
        PartitionFixture fixture = new PartitionFixture();
        List<String> seen = new ArrayList<>();
        fixture.submit(fixture.batch(5, 1, fixture.fragment(0, store -> {})));
        fixture.submit(fixture.batch(6, 1, fixture.fragment(0, store -> {})));
        PartitionTask task = partition -> seen.add(fixture.holder());
        fixture.submit((PartitionTask) partition -> partition.whenQuiescent(task));
        assertThat(seen).isEmpty();
        fixture.prepare(5, 1, PartitionMessage.PrepareMode.WAIT);
        assertThat(seen).isEmpty();
        fixture.commit(5, 1, fixture.lastAnswer(CoordinatorMessage.Vote.class).timestamp());
        assertThat(seen).containsExactly("nobody");
        assertThat(fixture.holder()).startsWith("6");
    }

    @Test
    void severalMayWait() {
        PartitionFixture fixture = new PartitionFixture();
        List<String> seen = new ArrayList<>();
        fixture.submit(fixture.batch(5, 1, fixture.fragment(0, store -> {})));
        for (String name : List.of("first", "second")) {
            PartitionTask task = partition -> seen.add(name);
            fixture.submit((PartitionTask) partition -> partition.whenQuiescent(task));
        }
        fixture.prepare(5, 1, PartitionMessage.PrepareMode.WAIT);
        fixture.commit(5, 1, fixture.lastAnswer(CoordinatorMessage.Vote.class).timestamp());
        assertThat(seen).containsExactly("first", "second");
    }

    @Test
    void anIdlePartitionRunsItAtOnce() {
        PartitionFixture fixture = new PartitionFixture();
        List<String> seen = new ArrayList<>();
        fixture.submit((PartitionTask) partition -> partition.whenQuiescent(where -> seen.add(fixture.holder())));
        assertThat(seen).containsExactly("nobody");
    }
}
