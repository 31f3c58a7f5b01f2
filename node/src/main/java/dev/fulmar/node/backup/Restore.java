package dev.fulmar.node.backup;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.DatabaseConfiguration;
import dev.fulmar.coordinator.DatabaseEnvironment;
import dev.fulmar.coordinator.durability.backup.Restoration;
import dev.fulmar.coordinator.durability.backup.RestoreView;
import dev.fulmar.coordinator.durability.environment.DurabilityEnvironment;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.fiber.real.JvmFibers;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.agent.AgentRunner;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.random.real.SystemSeed;
import dev.fulmar.foundation.schedule.real.ThreadScheduler;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.real.FileStorage;
import dev.fulmar.foundation.time.HybridLogicalClock;
import dev.fulmar.foundation.time.real.SystemClock;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.data.DataDirectory;
import dev.fulmar.pmemlog.backup.BackupManifest;
import dev.fulmar.pmemlog.backup.BackupVerification;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogSettings;
import dev.fulmar.reconfig.step.MoveStepReplay;
import dev.fulmar.sql.SqlCompiler;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Makes a data directory from a backup. */
public final class Restore {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long NANOS_PER_MICRO = 1000;
    private static final String HASH = "hash";

    private final Request request;
    private final Consumer<String> progress;

    /**
     * A restore of a database from a backup.
     *
     * @param backup directory of the backup
     * @param data the data directory to make; absent or empty
     * @param partitions how many partitions it is to have; 0 for as many as there were
     * @param partitioning as the setting of a node; empty for as it was
     * @param logs directories with log that was written after the backup, in the order of time
     * @param upTo timestamp of the last commit that is wanted
     * @param settings of the node whose memory and sites are used, by name
     */
    public record Request(
            Path backup,
            Path data,
            int partitions,
            String partitioning,
            List<Path> logs,
            OptionalLong upTo,
            Map<String, String> settings) {
        public Request {
            logs = List.copyOf(logs);
            settings = Map.copyOf(settings);
        }
    }

    public Restore(Request request, Consumer<String> progress) {
        this.request = request;
        this.progress = progress;
    }

    /** The timestamp of all commits up to the moment, and of none after it. */
    public static long timestampAt(Instant moment) {
        long micros = moment.getEpochSecond() * MICROS_PER_SECOND + moment.getNano() / NANOS_PER_MICRO;
        return HybridLogicalClock.ofMicros(micros + 1) - 1;
    }

    /** The moment of a commit with the timestamp. */
    public static Instant momentOf(long timestamp) {
        long micros = HybridLogicalClock.micros(timestamp);
        return Instant.ofEpochSecond(micros / MICROS_PER_SECOND, micros % MICROS_PER_SECOND * NANOS_PER_MICRO);
    }

    /** Verifies the backup, recovers it, and writes the data directory, which has its name only once it is whole. */
    public Restoration.Report run() {
        try {
            Path data = request.data().toAbsolutePath().normalize();
            BackupDirectory.refuseUsed(data);
            progress.accept("restore: verifying the backup in " + request.backup());
            FileStorage backup = BackupDirectory.open(request.backup());
            BackupManifest manifest = new BackupVerification(backup, bytes -> {}).run();
            Path unfinished = data.resolveSibling(data.getFileName() + ".restoring");
            refuseUnfinished(unfinished);
            Restoration.Report report = restoreOrClean(backup, manifest, unfinished);
            Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel parent = FileChannel.open(parentOf(data), StandardOpenOption.READ)) {
                parent.force(true);
            }
            return report;
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.STORAGE_FAILURE,
                    "the backup cannot be restored to " + request.data() + " (" + e
                            + "); check the device, remove what is there, and try again",
                    e);
        }
    }

    private static void refuseUnfinished(Path unfinished) throws IOException {
        if (Files.exists(unfinished)) {
            throw BackupDirectory.refused(
                    "there is " + unfinished
                            + ", which a restore that was interrupted has left; remove it and try again",
                    null);
        }
    }

    /** A restore that fails leaves nothing behind, so that another one may be tried. */
    private Restoration.Report restoreOrClean(FileStorage backup, BackupManifest manifest, Path unfinished)
            throws IOException {
        try {
            return restore(backup, manifest, unfinished);
        } catch (IOException | RuntimeException e) {
            try {
                remove(unfinished);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
    }

    private static void remove(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> entries;
        try (Stream<Path> found = Files.walk(directory)) {
            entries = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path entry : entries) {
            Files.delete(entry);
        }
    }

    private static Path parentOf(Path data) {
        Path parent = data.getParent();
        if (parent == null) {
            throw BackupDirectory.refused("a file system's root is no data directory; name another one", null);
        }
        return parent;
    }

    private Restoration.Report restore(FileStorage backup, BackupManifest manifest, Path unfinished)
            throws IOException {
        NodeConfiguration before = before(manifest);
        NodeConfiguration after = after(before);
        DatabaseConfiguration usual = usual(before);
        long last = upTo(manifest);
        Storage view = RestoreView.of(backup, DataDirectory.LOG, logPlaces());
        SeededRandom random = new SeededRandom(SystemSeed.draw());
        SystemClock clock = new SystemClock();
        ThreadScheduler scheduler = new ThreadScheduler("fulmar-restore");
        try (DataDirectory target = DataDirectory.open(unfinished, after.layout())) {
            Function<Agent, AgentRunner> noAgents = agent -> {
                throw Invariants.breach("nothing runs while a backup is restored");
            };
            LogSettings log = DurabilityEnvironment.defaultSettings(DataDirectory.LOG);
            CheckpointSettings checkpoints =
                    CheckpointSettings.defaults(DurabilityEnvironment.checkpointDirectory(log));
            DurabilityEnvironment from = new DurabilityEnvironment(
                    DurabilityMode.SYNC,
                    view,
                    log,
                    checkpoints,
                    before.storage().checkpoints(),
                    noAgents,
                    ParallelTasks::run,
                    progress,
                    failure -> {});
            Database database = new Database(
                    usual,
                    new DatabaseEnvironment(
                            new NodeServices(
                                            new NodeId(before.node()),
                                            clock,
                                            scheduler,
                                            random,
                                            new JvmFibers(false),
                                            () -> -1)
                                    .replaying(new MoveStepReplay()),
                            noAgents,
                            new SqlCompiler(),
                            new ChunkSource(new MemoryBudget(before.memory().limitBytes(), "memory.limit")),
                            new ClassPathSource()));
            Restoration restoration = new Restoration(
                    from,
                    new Restoration.Target(
                            target.storage(),
                            checkpoints,
                            after.partitions().plan(),
                            usual.bucketsPartition(),
                            after.layout().equals(before.layout())),
                    last,
                    clock,
                    random);
            return database.restore(restoration, Runtime.getRuntime().availableProcessors());
        } finally {
            scheduler.close();
        }
    }

    private List<RestoreView.LogPlace> logPlaces() {
        List<RestoreView.LogPlace> places = new ArrayList<>();
        for (Path given : request.logs()) {
            boolean isData = Files.isDirectory(given.resolve(DataDirectory.LOG));
            Path log = (isData ? given.resolve(DataDirectory.LOG) : given)
                    .toAbsolutePath()
                    .normalize();
            if (DataDirectory.isInUse(parentOf(log))) {
                throw BackupDirectory.refused(
                        "the database in " + parentOf(log)
                                + " runs, so that its log is changing; stop the node, or give an" + " archive",
                        null);
            }
            places.add(
                    new RestoreView.LogPlace(BackupDirectory.open(parentOf(log)), String.valueOf(log.getFileName())));
        }
        return places;
    }

    /** @param spares partitions without keys, of which a restored database has as many as there were */
    private NodeConfiguration configuration(int partitions, int spares, String partitioning) {
        TreeMap<String, String> settings = new TreeMap<>(request.settings());
        settings.put("partitions", Integer.toString(partitions));
        settings.put(BackupDirectory.SPARES, Integer.toString(spares));
        settings.put("partitioning", partitioning);
        return NodeConfiguration.of(settings);
    }

    private NodeConfiguration before(BackupManifest manifest) {
        String partitions = manifest.properties().containsKey(BackupDirectory.PARTITIONS_WITH_KEYS)
                ? BackupDirectory.PARTITIONS_WITH_KEYS
                : BackupDirectory.PARTITIONS;
        return configuration(
                Math.toIntExact(manifest.number(partitions)),
                Integer.parseInt(manifest.properties().getOrDefault(BackupDirectory.SPARES, "0")),
                manifest.properties().getOrDefault(BackupDirectory.PARTITIONING, HASH));
    }

    private NodeConfiguration after(NodeConfiguration before) {
        int partitions = request.partitions() == 0 ? before.partitions().count() : request.partitions();
        if (!request.partitioning().isEmpty()) {
            return configuration(partitions, before.partitions().spares(), request.partitioning());
        }
        if (!before.partitions().firstKeys().isEmpty()
                && partitions != before.partitions().count()) {
            throw BackupDirectory.refused(
                    "the database has its keys in ranges for "
                            + before.partitions().count() + " partitions; say with"
                            + " --partitioning how they are to be dealt out to " + partitions,
                    null);
        }
        return configuration(
                partitions, before.partitions().spares(), before.partitions().partitioning());
    }

    private static DatabaseConfiguration usual(NodeConfiguration configuration) {
        return DatabaseConfiguration.of(
                configuration.partitions().plan(), configuration.partitions().sites());
    }

    private long upTo(BackupManifest manifest) {
        long end = manifest.number("timestamp");
        long earliest = manifest.number("earliest");
        long wanted = request.upTo().orElse(request.logs().isEmpty() ? end : Long.MAX_VALUE);
        if (wanted < earliest) {
            throw BackupDirectory.refused(
                    "the backup begins at timestamp " + earliest + " (" + momentOf(earliest) + "), later than " + wanted
                            + "; use an earlier backup",
                    null);
        }
        if (wanted > end && request.logs().isEmpty()) {
            throw BackupDirectory.refused(
                    "the backup ends at timestamp " + end + " (" + momentOf(end)
                            + "); give the log that was written after it with --log",
                    null);
        }
        return wanted;
    }
}
