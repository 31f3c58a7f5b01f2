package dev.fulmar.coordinator.membership.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.VersionRecord;
import dev.fulmar.coordinator.membership.Versioned;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Three servers, of which tests kill some; each leaves all three running. */
class ZooKeeperEnsembleTest extends ZooKeeperContract {
    private static TestingCluster ensemble;

    @BeforeAll
    static void start() throws Exception {
        List<InstanceSpec> specs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            specs.add(new InstanceSpec(null, -1, -1, -1, true, -1, 500, -1));
        }
        ensemble = new TestingCluster(specs);
        ensemble.start();
    }

    @AfterAll
    static void stop() throws Exception {
        ensemble.close();
    }

    @Override
    String servers() {
        return ensemble.getConnectString();
    }

    @Test
    void theDeathOfTheServerOfANodeCostsNeitherSessionNorState() throws Exception {
        ClusterState state = joined(FIRST);
        ClusterState other = joined(SECOND);
        announce(state, presence(FIRST, 1));
        Versioned<VersionRecord> before = countUp(state);
        var client = ((ZooKeeperClusterState) state).client();
        long session = client.getSessionId();
        InstanceSpec killed = ensemble.findConnectionInstance(client);
        assertThat(ensemble.killServer(killed)).isTrue();
        try {
            assertThat(countUp(state).version()).isGreaterThan(before.version());
            assertThat(read(other, CATALOG).version()).isGreaterThan(before.version());
            assertThat(((ZooKeeperClusterState) state).client().getSessionId()).isEqualTo(session);
            assertThat(presences(other)).containsExactly(presence(FIRST, 1));
        } finally {
            ensemble.restartServer(killed);
        }
    }

    @Test
    void withoutAQuorumNothingIsDecidedUntilItIsBack() throws Exception {
        ClusterState state = joined(FIRST);
        Notes notes = watch(state);
        Versioned<VersionRecord> before = countUp(state);
        List<InstanceSpec> killed = List.copyOf(ensemble.getInstances()).subList(0, 2);
        for (InstanceSpec instance : killed) {
            ensemble.killServer(instance);
        }
        assertThat(await(() -> !notes.isConnected())).isTrue();
        ChangeOutcome<Versioned<VersionRecord>> outcome = answerTo(answer -> state.compareAndSet(
                CATALOG, before, new VersionRecord(before.get().number() + 1, 1), answer));
        assertThat(outcome).isInstanceOfAny(ChangeOutcome.Unknown.class, ChangeOutcome.SessionLost.class);
        for (InstanceSpec instance : killed) {
            ensemble.restartServer(instance);
        }
        assertThat(await(notes::isConnected)).isTrue();
        assertThat(countUp(state).version()).isGreaterThan(before.version());
    }
}
