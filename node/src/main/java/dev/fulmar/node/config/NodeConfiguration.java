package dev.fulmar.node.config;

import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.node.server.HandshakeLimits;
import dev.fulmar.node.server.ServerConfiguration;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.limit.WireLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a node. {@link #of} reads them by the names that stand behind the fields below.
 *
 * @param node {@code node}: number of the node in its database
 * @param partitions {@code partitions}: parts that the data is cut into
 * @param sites {@code sites}: threads that run the partitions
 * @param firstKeys {@code partitioning}: {@code hash}, or {@code range:1,51,...} with the first key of every partition;
 *     empty for hash
 * @param pinSites {@code sites.pin}: whether each site keeps to one core, where the system allows it
 * @param shareThreads {@code sites.share-threads}: whether sites run on the threads that serve the connections; the
 *     default on machines with too few cores for both, where handing work over costs more than it brings. What is not
 *     known to be quick runs on threads of its own all the same
 * @param memoryLimitBytes {@code memory.limit}: off-heap memory for the data
 * @param strict {@code procedures.strict}: whether a single-partition procedure that reaches elsewhere fails instead of
 *     being run again
 * @param timeBudget {@code procedures.time-budget}: how long one call of a procedure may run
 * @param requestTimeout {@code requests.timeout}: how long a request may wait if the client does not say
 * @param queuePerPartition {@code requests.queue-per-partition}: requests that may wait for one partition
 * @param undoLimitBytes {@code requests.undo-limit}: before-images of one transaction
 * @param intermediateBytes {@code requests.intermediate-limit}: rows that one statement keeps on a partition while it
 *     runs
 * @param underWayBytes {@code requests.memory-limit}: requests, results and replies under way, all together
 * @param server {@code listen} and {@code server.*}: the door for clients
 * @param stopGrace {@code stop.grace}: how long a stop waits for what was accepted
 * @param figures {@code jmx}: whether to publish figures over JMX
 * @param backend {@code backend} and {@code backend.*}: where the data directory's bytes go
 * @param data {@code data}: directory of the database's files; empty for none
 * @param durability {@code durability}: {@code sync}, {@code async} or {@code none}
 * @param checkpoints {@code checkpoint.log-size}, {@code checkpoint.dirty-memory} and {@code recovery.objective}: when
 *     a checkpoint is due
 * @param logArchive {@code log.archive}: directory that gets every segment of the log before its space is used again;
 *     empty for none
 * @param logArchiveBytes {@code log.archive-size}: what the archive may have, its oldest segments go for new ones; no
 *     limit by default
 * @param security {@code authentication}, {@code tls.*} and so on: who is let in
 * @param handshakes {@code server.max-unauthenticated}: what somebody may do who has not shown who he is
 * @param schema {@code schema}: SQL scripts and jars of procedures, with commas between, that an empty database begins
 *     with, in this order
 * @param cluster {@code cluster}, {@code zookeeper} and so on: the node's place in a cluster
 * @param metrics {@code metrics.*}: where Prometheus reads figures; empty for nowhere
 * @param memoryWritePercent {@code memory.write-percent}: how much of the limit what adds rows may take, so that there
 *     is some for deletes and reads
 * @param planner {@code planner.*}: where SQL text becomes plans
 * @param clockOffsetFile {@code clock.offset-file}: file that says how wrong the wall clock is to be, for tests; empty
 *     for none
 */
public record NodeConfiguration(
        int node,
        int partitions,
        int sites,
        List<Long> firstKeys,
        boolean pinSites,
        boolean shareThreads,
        long memoryLimitBytes,
        boolean strict,
        Duration timeBudget,
        Duration requestTimeout,
        int queuePerPartition,
        long undoLimitBytes,
        long intermediateBytes,
        long underWayBytes,
        ServerConfiguration server,
        Duration stopGrace,
        boolean figures,
        BackendConfiguration backend,
        String data,
        DurabilityMode durability,
        CheckpointPolicy checkpoints,
        String logArchive,
        long logArchiveBytes,
        SecurityConfiguration security,
        HandshakeLimits handshakes,
        List<String> schema,
        ClusterConfiguration cluster,
        Optional<MetricsConfiguration> metrics,
        int memoryWritePercent,
        PlannerConfiguration planner,
        String clockOffsetFile) {
    private static final int USUAL_WRITE_PERCENT = 90;
    private static final int MAX_NODES = 1 << 15;
    private static final int MAX_PARTITIONS = 4096;
    private static final int MAX_THREADS = 1024;
    private static final int MAX_COUNT = 1 << 24;
    private static final long MEBIBYTE = 1 << 20;
    private static final long LEAST_MEMORY = 16 * MEBIBYTE;
    private static final long MOST_MEMORY = 1L << 50;
    private static final long LEAST_UNDER_WAY = 4 * MEBIBYTE;

    /** Requests and results under way get one of so many parts of the heap. */
    private static final int HEAP_PARTS = 4;

    /** So many of the largest calls can be under way at least. */
    private static final int LARGEST_CALLS = 4;

    /** One part of a frame is for what is neither parameters nor results. */
    private static final int FRAME_PARTS = 16;

    private static final int CORES_PER_EVENT_LOOP = 4;
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String RANGE = "range:";
    private static final String PARTITIONS = "partitions";
    private static final String PARTITIONING = "partitioning";

    public NodeConfiguration {
        firstKeys = List.copyOf(firstKeys);
        schema = List.copyOf(schema);
        if (!firstKeys.isEmpty() && firstKeys.size() != partitions) {
            throw Settings.refused(
                    PARTITIONING, RANGE + firstKeys, "as many first keys as partitions, which are " + partitions, null);
        }
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
        if (given.containsKey(PARTITIONS) || given.containsKey(PARTITIONING)) {
            texts.remove(PARTITIONS);
            texts.remove(PARTITIONING);
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
        int sites = settings.number("sites", Math.max(1, machine.cores() - 1), 1, MAX_THREADS);
        List<Long> firstKeys = firstKeys(settings.text(PARTITIONING, "hash"));
        long underWayBytes = underWayBytes(settings, machine);
        ServerConfiguration server = server(settings, machine, underWayBytes);
        int eventLoops = server.eventLoopThreads();
        NodeConfiguration configuration = new NodeConfiguration(
                settings.number("node", 0, 0, MAX_NODES),
                settings.number(PARTITIONS, firstKeys.isEmpty() ? sites : firstKeys.size(), 1, MAX_PARTITIONS),
                sites,
                firstKeys,
                settings.truth("sites.pin", machine.cores() > 2),
                settings.truth("sites.share-threads", sites <= eventLoops && sites + eventLoops >= machine.cores()),
                settings.bytes("memory.limit", machine.memoryBytes() / 2, LEAST_MEMORY, MOST_MEMORY),
                settings.truth("procedures.strict", false),
                settings.duration("procedures.time-budget", Duration.ofSeconds(5), MILLISECOND, HOUR),
                settings.duration("requests.timeout", Duration.ofSeconds(30), MILLISECOND, HOUR),
                settings.number("requests.queue-per-partition", 16_384, 1, MAX_COUNT),
                settings.bytes("requests.undo-limit", 256 * MEBIBYTE, 1024, MOST_MEMORY),
                settings.bytes("requests.intermediate-limit", 256 * MEBIBYTE, MEBIBYTE, MOST_MEMORY),
                underWayBytes,
                server,
                settings.duration("stop.grace", Duration.ofSeconds(30), Duration.ZERO, HOUR),
                settings.truth("jmx", true),
                BackendConfiguration.of(settings),
                settings.text("data", ""),
                durability(settings),
                checkpoints(settings),
                settings.text("log.archive", ""),
                settings.bytes("log.archive-size", Long.MAX_VALUE, MEBIBYTE, Long.MAX_VALUE),
                SecurityConfiguration.of(settings, server),
                handshakes(settings),
                files(settings.text("schema", "")),
                ClusterConfiguration.of(settings),
                MetricsConfiguration.of(settings),
                settings.number("memory.write-percent", USUAL_WRITE_PERCENT, 1, 100),
                PlannerConfiguration.of(settings, machine),
                settings.text("clock.offset-file", ""));
        settings.refuseUnknown();
        return configuration;
    }

    /** The same with as many partitions as the node's cluster has. */
    public NodeConfiguration withPartitions(int count) {
        return new NodeConfiguration(
                node,
                count,
                sites,
                firstKeys,
                pinSites,
                shareThreads,
                memoryLimitBytes,
                strict,
                timeBudget,
                requestTimeout,
                queuePerPartition,
                undoLimitBytes,
                intermediateBytes,
                underWayBytes,
                server,
                stopGrace,
                figures,
                backend,
                data,
                durability,
                checkpoints,
                logArchive,
                logArchiveBytes,
                security,
                handshakes,
                schema,
                cluster,
                metrics,
                memoryWritePercent,
                planner,
                clockOffsetFile);
    }

    /** Up to where what adds rows gets memory. */
    public long memoryMarkBytes() {
        return (long) (memoryLimitBytes * (memoryWritePercent / 100.0));
    }

    /** The setting {@code partitioning}. */
    public String partitioning() {
        return firstKeys.isEmpty()
                ? "hash"
                : RANGE + firstKeys.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Settings that must be the same from start to start, by name. */
    public Map<String, String> layout() {
        return Map.of(PARTITIONS, Integer.toString(partitions), PARTITIONING, partitioning());
    }

    private static CheckpointPolicy checkpoints(Settings settings) {
        return DurabilityEnvironment.policy(
                settings.bytes("checkpoint.log-size", DurabilityEnvironment.MOST_LOG_BYTES, MEBIBYTE, MOST_MEMORY),
                settings.bytes(
                        "checkpoint.dirty-memory", DurabilityEnvironment.MOST_DIRTY_BYTES, MEBIBYTE, MOST_MEMORY),
                settings.duration(
                                "recovery.objective",
                                Duration.ofNanos(DurabilityEnvironment.RECOVERY_NANOS),
                                Duration.ofSeconds(1),
                                HOUR)
                        .toNanos());
    }

    private static DurabilityMode durability(Settings settings) {
        boolean hasDirectory = !settings.text("data", "").isEmpty();
        String text = settings.text("durability", hasDirectory ? "sync" : "none");
        DurabilityMode mode = switch (text.toLowerCase(Locale.ROOT)) {
            case "sync" -> DurabilityMode.SYNC;
            case "async" -> DurabilityMode.ASYNC;
            case "none" -> DurabilityMode.NONE;
            default -> throw Settings.refused("durability", text, "sync, async or none", null);
        };
        if (mode != DurabilityMode.NONE && !hasDirectory) {
            throw Settings.refused("durability", text, "none, or name a directory with the setting data", null);
        }
        return mode;
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

    private static long underWayBytes(Settings settings, Machine machine) {
        return settings.bytes(
                "requests.memory-limit",
                Math.max(LEAST_UNDER_WAY, machine.heapBytes() / HEAP_PARTS),
                LEAST_UNDER_WAY,
                MOST_MEMORY);
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

    private static List<Long> firstKeys(String text) {
        if (text.equals("hash")) {
            return List.of();
        }
        if (!text.startsWith(RANGE)) {
            throw Settings.refused(PARTITIONING, text, "hash or range:k0,k1,...", null);
        }
        try {
            return Arrays.stream(text.substring(RANGE.length()).split(",", -1))
                    .map(key -> Long.valueOf(key.trim()))
                    .toList();
        } catch (NumberFormatException e) {
            throw Settings.refused(PARTITIONING, text, "hash or range:k0,k1,...", e);
        }
    }
}
