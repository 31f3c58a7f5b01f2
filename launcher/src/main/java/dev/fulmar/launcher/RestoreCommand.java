package dev.fulmar.launcher;

import dev.fulmar.coordinator.durability.backup.Restoration;
import dev.fulmar.node.backup.Restore;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes a data directory from a backup. */
@Command(
        name = "restore",
        description = "Makes a new data directory from a backup, offline; see docs/BACKUP.md.",
        mixinStandardHelpOptions = true)
final class RestoreCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--from", paramLabel = "DIR", required = true, description = "Directory of the backup.")
    private Path from;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "The data directory to make; a new one.")
    private Path data;

    @Option(names = "--partitions", description = "How many partitions it is to have; default: as many as there were.")
    private int partitions;

    @Option(names = "--partitioning", description = "hash, or range:K0,K1,...; default: as it was.")
    private String partitioning = "";

    @Option(
            names = "--log",
            paramLabel = "DIR",
            description = "Log that was written after the backup: a data directory, its log, or an archive (setting"
                    + " log.archive); may be repeated, in the order of time.")
    private List<Path> logs = new ArrayList<>();

    @Option(
            names = "--to-time",
            paramLabel = "TIME",
            description =
                    "Commits up to this moment only, such as 2026-03-01T12:00:00.5 (local time) or with +01:00 or Z.")
    private @Nullable String time;

    @Option(names = "--to-timestamp", paramLabel = "TS", description = "Commits up to this timestamp only.")
    private @Nullable Long timestamp;

    @Option(names = "--memory", paramLabel = "SIZE", description = "Limit of the data's memory, for example 4g.")
    private String memory = "";

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        TreeMap<String, String> settings = new TreeMap<>();
        if (!memory.isEmpty()) {
            settings.put("memory.limit", memory);
        }
        Restore restore =
                new Restore(new Restore.Request(from, data, partitions, partitioning, logs, upTo(), settings), line -> {
                    out.println(line);
                    out.flush();
                });
        Restoration.Report report = restore.run();
        out.println("restored " + report.rows() + " rows to " + data + ", up to timestamp " + report.timestamp() + " ("
                + Restore.momentOf(report.timestamp()) + "); start it with --data " + data);
        out.flush();
        return 0;
    }

    private OptionalLong upTo() {
        String moment = time;
        Long exact = timestamp;
        if (moment != null && exact != null) {
            throw new ParameterException(spec.commandLine(), "--to-time and --to-timestamp exclude each other");
        }
        if (exact != null) {
            return OptionalLong.of(exact);
        }
        return moment == null ? OptionalLong.empty() : OptionalLong.of(Restore.timestampAt(instant(moment)));
    }

    private Instant instant(String text) {
        try {
            return text.matches(".*(Z|[+-]\\d\\d:?\\d\\d)$")
                    ? OffsetDateTime.parse(text).toInstant()
                    : LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant();
        } catch (DateTimeException e) {
            throw new ParameterException(
                    spec.commandLine(), "'" + text + "' is no moment such as 2026-03-01T12:00:00.5 or with Z", e);
        }
    }
}
