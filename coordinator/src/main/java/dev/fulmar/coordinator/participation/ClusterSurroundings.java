package dev.fulmar.coordinator.participation;

import dev.fulmar.coordinator.cluster.MemberLinks;
import dev.fulmar.coordinator.cluster.SessionCancels;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.Clock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Network, store, threads and files that a process gives its part in the cluster.
 *
 * @param network whose receiver and listener the part becomes
 * @param links told which nodes to reach
 * @param address where other nodes reach the process
 * @param state the cluster's records
 * @param files where copies keep what they confirmed; null if they do not
 * @param runners makes the runner of the member, which must step once per period of the settings at least
 * @param random draws other numbers in each process
 * @param cancels ends statements of the process's sessions for other nodes
 */
public record ClusterSurroundings(
        Network network,
        MemberLinks links,
        String address,
        ClusterState state,
        Clock clock,
        Scheduler scheduler,
        @Nullable Storage files,
        Function<Agent, AgentRunner> runners,
        RandomSource random,
        SessionCancels cancels,
        Probes probes) {}
