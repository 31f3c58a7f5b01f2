package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.contract.AgentRunnerContract;
import dev.fulmar.foundation.contract.ClockContract;
import dev.fulmar.foundation.contract.NetworkContract;
import dev.fulmar.foundation.contract.SchedulerContract;
import dev.fulmar.foundation.contract.StorageContract;
import dev.fulmar.foundation.contract.Surroundings;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** The contracts on the simulated twins. */
class SimulatedTwinsTest {
    private final SimulatedWorld world = new SimulatedWorld(1);
    private final Surroundings surroundings = new SimulatedSurroundings(world);
    private final SimulatedProcess process = world.startProcess(new NodeId(0));

    @Nested
    class ClockTest extends ClockContract {
        @Override
        protected Clock clock() {
            return process.clock();
        }

        @Override
        protected Surroundings surroundings() {
            return surroundings;
        }
    }

    @Nested
    class SchedulerTest extends SchedulerContract {
        @Override
        protected Scheduler scheduler() {
            return process.scheduler();
        }

        @Override
        protected Surroundings surroundings() {
            return surroundings;
        }
    }

    @Nested
    class NetworkTest extends NetworkContract {
        private final Map<NodeId, SimulatedProcess> processes = new HashMap<>();

        @Override
        protected Network create(NodeId node) {
            world.network().limits(BUSY_BYTES, 4 * BUSY_BYTES);
            SimulatedProcess joined = world.startProcess(node);
            processes.put(node, joined);
            return joined.network();
        }

        @Override
        protected void start(Network network) {}

        @Override
        protected boolean canWait() {
            return false;
        }

        @Override
        protected void leave(NodeId node) {
            SimulatedProcess left = processes.remove(node);
            if (left != null) {
                left.kill();
            }
        }

        @Override
        protected Surroundings surroundings() {
            return surroundings;
        }
    }

    @Nested
    class StorageTest extends StorageContract {
        @Override
        protected Storage storage() {
            return process.storage();
        }
    }

    @Nested
    class AgentRunnerTest extends AgentRunnerContract {
        @Override
        protected AgentRunner runner(Agent agent) {
            return process.runner(agent);
        }

        @Override
        protected Surroundings surroundings() {
            return surroundings;
        }
    }
}
