package dev.fulmar.coordinator.membership.enrollment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.VersionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.simulated.SimulatedClusterStore;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterViewTest {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final StateKey.Catalog CATALOG = new StateKey.Catalog();

    /** What a view tells. */
    private static final class Told implements ClusterView.Listener {
        final List<Long> versions = new ArrayList<>();
        final List<String> refusals = new ArrayList<>();

        @Override
        public void found(StateKey<?> key, Versioned<?> found) {
            assertThat(key).isEqualTo(CATALOG);
            versions.add(found.version());
        }

        @Override
        public void present(List<Presence> found) {}

        @Override
        public void session(SessionState session) {}

        @Override
        public void refused(String message) {
            refusals.add(message);
        }
    }

    private static final class Setting {
        final SimulatedWorld world;
        final SimulatedClusterStore store;
        final SimulatedProcess reader;
        final SimulatedProcess writing;
        final ClusterState writer;
        final ClusterView view;
        final Told told = new Told();

        Setting(long seed) {
            world = new SimulatedWorld(seed);
            store = new SimulatedClusterStore(world, 2 * SECOND_NANOS);
            reader = world.startProcess(new NodeId(1));
            writing = world.startProcess(new NodeId(2));
            writer = store.connect(writing);
            view = new ClusterView(
                    store.connect(reader),
                    task -> reader.execute(1_000, "home", task),
                    reader.scheduler(),
                    SECOND_NANOS / 10,
                    told);
            view.follow(CATALOG);
            view.start();
            world.runFor(SECOND_NANOS);
        }

        /** So many changes one after another. */
        void change(int times) {
            Versioned<VersionRecord> current = store.current(CATALOG);
            long next = current.isPresent() ? current.get().number() + 1 : 1;
            if (times > 0) {
                writer.compareAndSet(CATALOG, current, new VersionRecord(next, 0), outcome -> {
                    int left = outcome instanceof ChangeOutcome.Applied ? times - 1 : times;
                    writing.scheduler().schedule(5_000_000, () -> change(left));
                });
            }
        }
    }

    @Test
    void whatChangesIsToldOnceAndInOrder() {
        Setting setting = new Setting(1);
        setting.change(50);
        setting.world.runFor(2 * SECOND_NANOS);
        assertThat(setting.told.versions)
                .startsWith(0L)
                .endsWith(50L)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void underFaultsTheLastIsTold() {
        for (int seed = 1; seed <= 30; seed++) {
            Setting setting = new Setting(seed);
            setting.store.faults().breakCalls(0.2);
            setting.store.faults().staleReads(0.5);
            setting.change(30);
            for (int i = 0; i < 5; i++) {
                setting.world.runFor(SECOND_NANOS / 2);
                setting.store.cut(new NodeId(1));
                setting.world.runFor(SECOND_NANOS);
                setting.store.mend(new NodeId(1));
            }
            setting.store.heal();
            setting.world.runFor(20 * SECOND_NANOS);
            assertThat(setting.told.versions)
                    .as("seed " + seed)
                    .endsWith(setting.store.current(CATALOG).version())
                    .isSorted()
                    .doesNotHaveDuplicates();
            assertThat(setting.store.current(CATALOG).version()).isGreaterThanOrEqualTo(30);
        }
    }

    @Test
    void whatIsRefusedIsToldAndReadAgainUntilItIsMended() {
        Setting setting = new Setting(1);
        setting.change(1);
        setting.world.runFor(SECOND_NANOS);
        setting.store.forge(CATALOG, new byte[9]);
        setting.store.expire(new NodeId(1));
        setting.world.runFor(5 * SECOND_NANOS);
        assertThat(setting.told.refusals).hasSizeGreaterThan(1);
        assertThat(setting.told.versions).endsWith(1L);
    }

    @Test
    void aClosedViewIsSilent() {
        Setting setting = new Setting(1);
        setting.view.close();
        setting.change(3);
        setting.world.runFor(5 * SECOND_NANOS);
        assertThat(setting.told.versions).containsExactly(0L);
    }
}
