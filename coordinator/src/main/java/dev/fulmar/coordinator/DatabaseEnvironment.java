package dev.fulmar.coordinator;

import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.replica.ReplicationEnvironment;
import dev.fulmar.coordinator.remote.ClusterPorts;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.coordinator.transaction.PartitionTransport;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.procedure.loading.SharedCode;
import dev.fulmar.engine.procedure.scan.ClassSource;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The services that a database needs from its node.
 *
 * @param runners makes the runner of a site
 * @param builtinClasses classes of procedures that come with the node
 * @param durability null for a database that begins empty every time
 * @param watcher told of commits, after the log of commits if there is one
 * @param replication null for a database that is on one node only
 * @param way what messages of coordinators pass through on their way to the partitions; most nodes leave it as it is
 * @param cluster null for a database that is one node's
 * @param code of procedures, which other databases may share
 */
public record DatabaseEnvironment(
        NodeServices services,
        Function<Agent, AgentRunner> runners,
        SqlFrontend sql,
        ChunkSource memory,
        ClassSource builtinClasses,
        @Nullable DurabilityEnvironment durability,
        CommandLog watcher,
        UnaryOperator<PartitionTransport> way,
        @Nullable ReplicationEnvironment replication,
        @Nullable ClusterPorts cluster,
        SharedCode code) {
    /** An environment with procedure code of its own. */
    public DatabaseEnvironment(
            NodeServices services,
            Function<Agent, AgentRunner> runners,
            SqlFrontend sql,
            ChunkSource memory,
            ClassSource builtinClasses,
            @Nullable DurabilityEnvironment durability,
            CommandLog watcher,
            UnaryOperator<PartitionTransport> way,
            @Nullable ReplicationEnvironment replication,
            @Nullable ClusterPorts cluster) {
        this(
                services,
                runners,
                sql,
                memory,
                builtinClasses,
                durability,
                watcher,
                way,
                replication,
                cluster,
                SharedCode.none());
    }

    /** The environment of a database whose partitions are all led by this node. */
    public DatabaseEnvironment(
            NodeServices services,
            Function<Agent, AgentRunner> runners,
            SqlFrontend sql,
            ChunkSource memory,
            ClassSource builtinClasses,
            @Nullable DurabilityEnvironment durability,
            CommandLog watcher,
            UnaryOperator<PartitionTransport> way,
            @Nullable ReplicationEnvironment replication) {
        this(services, runners, sql, memory, builtinClasses, durability, watcher, way, replication, null);
    }

    /** The environment of a database on one node only. */
    public DatabaseEnvironment(
            NodeServices services,
            Function<Agent, AgentRunner> runners,
            SqlFrontend sql,
            ChunkSource memory,
            ClassSource builtinClasses,
            @Nullable DurabilityEnvironment durability,
            CommandLog watcher,
            UnaryOperator<PartitionTransport> way) {
        this(services, runners, sql, memory, builtinClasses, durability, watcher, way, null);
    }

    /** An environment without a watcher, and with the usual way of messages. */
    public DatabaseEnvironment(
            NodeServices services,
            Function<Agent, AgentRunner> runners,
            SqlFrontend sql,
            ChunkSource memory,
            ClassSource builtinClasses,
            @Nullable DurabilityEnvironment durability) {
        this(services, runners, sql, memory, builtinClasses, durability, CommandLog.none(), UnaryOperator.identity());
    }

    /** The environment of a database without durability. */
    public DatabaseEnvironment(
            NodeServices services,
            Function<Agent, AgentRunner> runners,
            SqlFrontend sql,
            ChunkSource memory,
            ClassSource builtinClasses) {
        this(services, runners, sql, memory, builtinClasses, null);
    }
}
