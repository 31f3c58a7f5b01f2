package dev.fulmar.launcher;

import dev.fulmar.coordinator.durability.log.RecordText;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.real.FileStorage;
import dev.fulmar.node.data.DataDirectory;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import dev.fulmar.pmemlog.recovery.LogVerdict;
import dev.fulmar.pmemlog.recovery.SegmentSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads an operation log. */
@Command(
        name = "log",
        description = "Reads the operation log of a database that does not run; changes nothing.",
        mixinStandardHelpOptions = true)
final class LogCommand {
    private static final int CORRUPT = 1;

    @Spec
    private CommandSpec spec;

    @Command(
            name = "verify",
            description =
                    "Checks every byte that recovery would read; the exit status is 0 if the log can be recovered.",
            mixinStandardHelpOptions = true)
    int verify(
            @Parameters(paramLabel = "DIR|FILE", description = "Data directory, its log directory, or a file in it.")
                    Path path)
            throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        LogScan scan = scan(path);
        for (SegmentSummary segment : scan.segments()) {
            out.println(segment.file() + ": records up to offset " + segment.endOffset() + " of "
                    + segment.header().segmentBytes());
        }
        scan.streams()
                .forEach((stream, summary) ->
                        out.println(RecordText.stream(stream) + ": records " + (summary.baseSequence() + 1) + " to "
                                + summary.lastSequence() + ", epoch " + summary.epoch()));
        scan.remarks().forEach(remark -> out.println("remark: " + remark));
        out.println("verdict: " + scan.verdict());
        out.flush();
        return scan.verdict() instanceof LogVerdict.Corrupt ? CORRUPT : 0;
    }

    @Command(
            name = "inspect",
            description = "Prints one line for every record, up to the last good one.",
            mixinStandardHelpOptions = true)
    int inspect(
            @Parameters(paramLabel = "DIR|FILE", description = "Data directory, its log directory, or a segment in it.")
                    Path path,
            @Option(names = "--stream", description = "Only this partition; -2 is the catalog, -1 the log itself.")
                    @Nullable Integer stream)
            throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        LogScan scan = scan(path);
        String only = Files.isDirectory(path) ? "" : String.valueOf(path.getFileName());
        scan.inspect((record, segment, offset) -> {
            String file = String.format(Locale.ROOT, "segment-%019d", segment);
            boolean wanted = only.isEmpty() || !only.startsWith("segment-") || only.equals(file);
            if (wanted && (stream == null || stream == record.stream())) {
                out.println(segment + ":" + offset + " " + RecordText.of(record));
            }
        });
        out.println("verdict: " + scan.verdict());
        out.flush();
        return scan.verdict() instanceof LogVerdict.Corrupt ? CORRUPT : 0;
    }

    /** A log is one chain over its files, so even a question about one file reads them all. */
    private static LogScan scan(Path path) throws IOException {
        Path absolute = path.toAbsolutePath().normalize();
        Path directory = Files.isDirectory(absolute) ? absolute : absolute.getParent();
        if (directory == null || !Files.exists(absolute)) {
            throw new FulmarException(ErrorCode.INVALID_CONFIGURATION, "there is no file or directory " + path);
        }
        Path log = Files.isDirectory(directory.resolve(DataDirectory.LOG))
                ? directory.resolve(DataDirectory.LOG)
                : directory;
        Path parent = log.getParent();
        Path name = log.getFileName();
        if (parent == null || name == null) {
            throw new FulmarException(ErrorCode.INVALID_CONFIGURATION, path + " is no directory of a log");
        }
        LogScan scan = LogReader.scan(FileStorage.readOnly(parent), name.toString());
        boolean isNew = name.toString().equals(DataDirectory.LOG) && isDatabase(parent);
        if (scan.verdict() instanceof LogVerdict.Empty && !isNew && !isDatabase(directory)) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "there is no log in " + directory
                            + "; name a data directory, its directory log, or a file in that");
        }
        return scan;
    }

    private static boolean isDatabase(Path directory) {
        return !DataDirectory.layoutOf(directory).isEmpty();
    }
}
