package dev.fulmar.node.config;

import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.node.server.HandshakeLimits;
import dev.fulmar.node.server.PostgresAddress;
import dev.fulmar.node.server.ServerConfiguration;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.limit.WireLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a node. {@link #of} reads them by the names that stand behind the fields below.
 *
 * @param node {@code node}: number of the node in its database
 * @param partitions the partitions and their threads
 * @param memory limits of memory
 * @param requests limits of requests in time and number
 * @param server {@code listen} and {@code server.*}: the door for clients
 * @param stopGrace {@code stop.grace}: how long a stop waits for what was accepted
 * @param figures {@code jmx}: whether to publish figures over JMX
 * @param storage the data directory and what is kept there
 * @param security {@code authentication}, {@code tls.*} and so on: who is let in
 * @param handshakes {@code server.max-unauthenticated}: what somebody may do who has not shown who he is
 * @param schema {@code schema}: SQL scripts and jars of procedures, with commas between, that an empty database begins
 *     with, in this order
 * @param cluster {@code cluster}, {@code zookeeper} and so on: the node's place in a cluster
 * @param metrics {@code metrics.*}: where Prometheus reads figures; empty for nowhere
 * @param planner {@code planner.*}: where SQL text becomes plans
 * @param transactions {@code transactions.*}: limits of those that clients send statement by statement
 * @param postgres where clients of PostgreSQL's protocol are served; empty for nowhere
 * @param clockOffsetFile {@code clock.offset-file}: file that says how wrong the wall clock is to be, for tests; empty
 *     for none
 */
public record NodeConfiguration(
        int node,
        PartitionConfiguration partitions,
        MemoryConfiguration memory,
        RequestConfiguration requests,
        ServerConfiguration server,
        Duration stopGrace,
        boolean figures,
        StorageConfiguration storage,
        SecurityConfiguration security,
        HandshakeLimits handshakes,
        List<String> schema,
        ClusterConfiguration cluster,
        Optional<MetricsConfiguration> metrics,
        PlannerConfiguration planner,
        TransactionConfiguration transactions,
        PortalConfiguration portals,
        Optional<PostgresAddress> postgres,
        String clockOffsetFile) {
    private static final int MAX_NODES = 1 << 15;
    private static final int MAX_THREADS = 1024;
    private static final int MAX_COUNT = 1 << 24;
    /** So many of the largest calls can be under way at least. */
    private static final int LARGEST_CALLS = 4;

    /** One part of a frame is for what is neither parameters nor results. */
    private static final int FRAME_PARTS = 16;

    private static final int CORES_PER_EVENT_LOOP = 4;
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);

    public NodeConfiguration {
        schema = List.copyOf(schema);
    }

    /** The default settings on this machine. */
    public static NodeConfiguration defaults() {
        return of(Map.of());
    }

    /** Settings from texts by name; what is not named has its default. */
    public static NodeConfiguration of(Map<String, String> texts) {
        return of(texts, Machine.current());
    }

    /**
     * Settings from a file, if there is one, overridden by texts by name; what neither names is as in the defaults
     * given. Partitions and partitioning belong together: who names one gets neither from these defaults.
     */
    public static NodeConfiguration of(
            @Nullable Path file, Map<String, String> overrides, Map<String, String> defaults) {
        TreeMap<String, String> given = new TreeMap<>(file == null ? Map.of() : SettingsFile.read(file));
        given.putAll(overrides);
        TreeMap<String, String> texts = new TreeMap<>(defaults);
        if (given.containsKey(PartitionConfiguration.PARTITIONS)
                || given.containsKey(PartitionConfiguration.PARTITIONING)) {
            texts.remove(PartitionConfiguration.PARTITIONS);
            texts.remove(PartitionConfiguration.PARTITIONING);
        }
        texts.putAll(given);
        return of(texts);
    }

    /** Settings from a file, overridden by texts by name. */
    public static NodeConfiguration of(Path file, Map<String, String> overrides) {
        return of(file, overrides, Map.of());
    }

    static NodeConfiguration of(Map<String, String> texts, Machine machine) {
        Settings settings = new Settings(texts);
        MemoryConfiguration memory = MemoryConfiguration.of(settings, machine);
        ServerConfiguration server = server(settings, machine, memory.underWayBytes());
        Optional<PostgresAddress> postgres = PostgresConfiguration.of(settings, server.address());
        NodeConfiguration configuration = new NodeConfiguration(
                settings.number("node", 0, 0, MAX_NODES),
                PartitionConfiguration.of(settings, machine, server.eventLoopThreads()),
                memory,
                RequestConfiguration.of(settings),
                server,
                settings.duration("stop.grace", Duration.ofSeconds(30), Duration.ZERO, HOUR),
                settings.truth("jmx", true),
                StorageConfiguration.of(settings),
                SecurityConfiguration.of(settings, server, postgres),
                handshakes(settings),
                files(settings.text("schema", "")),
                ClusterConfiguration.of(settings),
                MetricsConfiguration.of(settings),
                PlannerConfiguration.of(settings, machine),
                TransactionConfiguration.of(settings, machine),
                PortalConfiguration.of(settings, machine),
                postgres,
                settings.text("clock.offset-file", ""));
        settings.refuseUnknown();
        return configuration;
    }

    /** The same with as many partitions as the node's cluster has. */
    public NodeConfiguration withPartitions(int count, int spares) {
        return new NodeConfiguration(
                node,
                partitions.with(count, spares),
                memory,
                requests,
                server,
                stopGrace,
                figures,
                storage,
                security,
                handshakes,
                schema,
                cluster,
                metrics,
                planner,
                transactions,
                portals,
                postgres,
                clockOffsetFile);
    }

    /** Settings that must be the same from start to start, by name. */
    public Map<String, String> layout() {
        return Map.of(
                PartitionConfiguration.PARTITIONS,
                Integer.toString(partitions.count()),
                PartitionConfiguration.SPARES,
                Integer.toString(partitions.spares()),
                PartitionConfiguration.PARTITIONING,
                partitions.partitioning());
    }

    private static HandshakeLimits handshakes(Settings settings) {
        HandshakeLimits usual = HandshakeLimits.DEFAULT;
        int most = settings.number("server.max-unauthenticated", usual.connections(), 1, MAX_COUNT);
        return new HandshakeLimits(
                most,
                settings.number(
                        "server.max-unauthenticated-per-address",
                        Math.min(most, usual.connectionsPerAddress()),
                        1,
                        MAX_COUNT));
    }

    /** On a small heap calls may be no larger than a fraction of what all may take together. */
    private static WireLimits usualLimits(long underWayBytes) {
        WireLimits usual = WireLimits.DEFAULT;
        int frame = (int) Math.min(usual.frameBytes(), underWayBytes / LARGEST_CALLS);
        int part = frame - Math.max(WireLimits.FRAME_OVERHEAD_BYTES, frame / FRAME_PARTS);
        return new WireLimits(frame, part, part, usual.outstandingRequests(), usual.boundProcedures());
    }

    private static ServerConfiguration server(Settings settings, Machine machine, long underWayBytes) {
        int largest = 1 << 30;
        WireLimits usual = usualLimits(underWayBytes);
        WireLimits limits = new WireLimits(
                (int) settings.bytes("server.limits.frame", usual.frameBytes(), 1, largest),
                (int) settings.bytes("server.limits.parameters", usual.parameterBytes(), 1, largest),
                (int) settings.bytes("server.limits.result", usual.resultBytes(), 1, largest),
                settings.number("server.limits.outstanding", usual.outstandingRequests(), 1, MAX_COUNT),
                settings.number("server.limits.bound-procedures", usual.boundProcedures(), 0, MAX_COUNT));
        long largestFrame = new ByteBudget(underWayBytes).largestBytes();
        if (limits.frameBytes() > largestFrame) {
            throw Settings.refused(
                    "server.limits.frame",
                    Integer.toString(limits.frameBytes()),
                    "at most " + largestFrame + ", three quarters of requests.memory-limit, or raise that",
                    null);
        }
        return new ServerConfiguration(
                HostAddress.parse(settings.text("listen", "127.0.0.1:" + HostAddress.DEFAULT_PORT)),
                settings.number(
                        "server.event-loops", Math.max(1, machine.cores() / CORES_PER_EVENT_LOOP), 1, MAX_THREADS),
                settings.number("server.max-connections", 1024, 1, MAX_COUNT),
                settings.number("server.max-queued", 65_536, 1, MAX_COUNT),
                limits,
                settings.duration("server.hello-timeout", Duration.ofSeconds(10), MILLISECOND, HOUR),
                settings.truth("server.native", true),
                settings.duration("server.stall-timeout", Duration.ofSeconds(30), Duration.ofSeconds(1), HOUR),
                administration(settings));
    }

    private static Optional<HostAddress> administration(Settings settings) {
        String text = settings.text("listen-administration", "");
        return text.isEmpty() ? Optional.empty() : Optional.of(HostAddress.parse(text));
    }

    private static List<String> files(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::trim)
                .filter(file -> !file.isEmpty())
                .toList();
    }
}
