package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.backup.BackupDirectory;
import dev.fulmar.node.backup.Restore;
import dev.fulmar.pmemlog.backup.BackupFile;
import dev.fulmar.pmemlog.backup.BackupManifest;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes a backup of a running node, or checks one. */
@Command(
        name = "backup",
        description = "Takes a backup of a running node, which goes on working; see docs/BACKUP.md.",
        mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {
    private static final long POLL_MILLIS = 200;
    private static final double BYTES_PER_MEGABYTE = 1e6;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionOptions connection;

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "New directory for the backup, on the node's machine, on another device if possible.")
    private @Nullable Path target;

    @Override
    public Integer call() throws InterruptedException {
        Path given = target;
        if (given == null) {
            throw new ParameterException(spec.commandLine(), "name the directory of the backup with --to DIR");
        }
        PrintWriter out = spec.commandLine().getOut();
        ProgressLine line = new ProgressLine(out);
        try (FulmarClient client = connection.connect(1)) {
            client.call("@Backup", given.toAbsolutePath().normalize().toString());
            while (true) {
                ResultTable figures =
                        client.call("@Statistics", "BACKUP").table().first();
                String state = String.valueOf(figures.getString(figures.column("STATE")));
                long copied = figures.getLong(figures.column("COPIED_BYTES"));
                switch (state) {
                    case "DONE" -> {
                        long timestamp = figures.getLong(figures.column("TIMESTAMP"));
                        out.printf(
                                Locale.ROOT,
                                "the backup in %s has %.1f MB and every commit up to timestamp %d (%s); it took %.1f s%n",
                                given,
                                copied / BYTES_PER_MEGABYTE,
                                timestamp,
                                Restore.momentOf(timestamp),
                                figures.getDouble(figures.column("SECONDS")));
                        out.flush();
                        return 0;
                    }
                    case "FAILED" ->
                        throw new FulmarException(
                                ErrorCode.STORAGE_FAILURE,
                                String.valueOf(figures.getString(figures.column("FAILURE"))));
                    default ->
                        line.report(
                                state.toLowerCase(Locale.ROOT).replace('_', ' '),
                                copied,
                                Math.max(copied + 1, figures.getLong(figures.column("TOTAL_BYTES"))));
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    @Command(
            name = "verify",
            description =
                    "Compares every byte of a backup with its manifest; the exit status is 0 if it can be restored.",
            mixinStandardHelpOptions = true)
    int verify(@Parameters(paramLabel = "DIR", description = "Directory of the backup.") Path directory) {
        AtomicLong bytes = new AtomicLong();
        BackupManifest manifest = BackupDirectory.verify(directory, bytes::addAndGet);
        PrintWriter out = spec.commandLine().getOut();
        manifest.properties().forEach((name, value) -> out.println(name + ": " + value));
        for (BackupFile file : manifest.files()) {
            out.println("file " + file.name() + ": " + file.bytes() + " bytes");
        }
        out.printf(
                Locale.ROOT,
                "the backup is whole: %.1f MB in %d files, up to %s%n",
                bytes.get() / BYTES_PER_MEGABYTE,
                manifest.files().size(),
                Restore.momentOf(manifest.number("timestamp")));
        out.flush();
        return 0;
    }
}
