package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Moves keys between the partitions of a running database until a plan counts, and follows that. */
@Command(
        name = "reconfigure",
        description = "Moves keys until the partition plan of a file counts; see docs/RECONFIGURATION.md.",
        mixinStandardHelpOptions = true)
final class ReconfigureCommand implements Callable<Integer> {
    private static final long WATCH_MILLIS = 500;
    private static final long MICROS_PER_MILLI = 1_000;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "0..1", description = "The plan, as JSON.")
    private @Nullable Path file;

    @Option(names = "--watch", description = "Shows the progress until the end.")
    private boolean watch;

    @Option(
            names = "--chunk-kib",
            paramLabel = "KIB",
            defaultValue = "64",
            description = "Size of a chunk of rows, 1 to 512; a partition copies it in one go. Default: 64.")
    private int chunkKib;

    @Option(
            names = "--delay-ms",
            paramLabel = "MS",
            defaultValue = "1",
            description = "Pause between two chunks. Default: 1.")
    private int delayMillis;

    @Option(
            names = "--max-p99-increase",
            paramLabel = "PERCENT",
            description = "Makes pauses longer while the 99th percentile of calls on a node is more than so much above"
                    + " that before, as in 20%%.")
    private @Nullable String mostIncrease;

    @Mixin
    private ConnectionOptions connection;

    @Override
    public Integer call() {
        Path plan = file;
        if (plan == null) {
            spec.commandLine().usage(spec.commandLine().getOut());
            return 0;
        }
        String text = read(plan);
        try (FulmarClient client = connection.connect(1)) {
            Status status = ask(
                    client,
                    "START",
                    text,
                    Long.toString((long) chunkKib << 10),
                    Long.toString(delayMillis * MICROS_PER_MILLI),
                    percent(mostIncrease));
            show(status);
            return watch ? watch(client, status) : 0;
        }
    }

    /** Without a sign of percent; nothing for no budget. */
    private static String percent(@Nullable String text) {
        String given = text == null ? "" : text;
        return given.endsWith("%") ? given.substring(0, given.length() - 1).strip() : given;
    }

    private static String read(Path plan) {
        try {
            return Files.readString(plan);
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the plan cannot be read from " + plan + " (" + e + "); check path and permissions",
                    e);
        }
    }

    @Command(
            name = "status",
            description = "Shows the newest reconfiguration; the exit status is 0 unless it waits.",
            mixinStandardHelpOptions = true)
    int status(
            @Mixin ConnectionOptions server,
            @Option(names = "--watch", description = "Shows the progress until the end.") boolean watched,
            @Option(names = "--ranges", description = "Also shows the ranges that are left, as 'plan diff' does.")
                    boolean withRanges) {
        try (FulmarClient client = server.connect(1)) {
            Status status = ask(client, "STATUS");
            show(status);
            if (withRanges) {
                showRanges(client);
            }
            return watched ? watch(client, status) : status.exitStatus();
        }
    }

    @Command(
            name = "pause",
            description = "Undoes the bucket that moves, and moves no other one before a resume.",
            mixinStandardHelpOptions = true)
    int pause(@Mixin ConnectionOptions server) {
        return change(server, "PAUSE");
    }

    @Command(name = "resume", description = "Goes on after a pause.", mixinStandardHelpOptions = true)
    int resume(@Mixin ConnectionOptions server) {
        return change(server, "RESUME");
    }

    @Command(
            name = "cancel",
            description = "Undoes the bucket that moves, and ends; keys that have moved stay where they are.",
            mixinStandardHelpOptions = true)
    int cancel(@Mixin ConnectionOptions server) {
        return change(server, "CANCEL");
    }

    private int change(ConnectionOptions server, String action) {
        try (FulmarClient client = server.connect(1)) {
            show(ask(client, action));
            return 0;
        }
    }

    private int watch(FulmarClient client, Status first) {
        Status shown = first;
        while (shown.state().equals("RUNNING")) {
            try {
                Thread.sleep(WATCH_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return shown.exitStatus();
            }
            Status status = ask(client, "STATUS");
            if (!status.equals(shown)) {
                show(status);
            }
            shown = status;
        }
        return shown.exitStatus();
    }

    private void showRanges(FulmarClient client) {
        PrintWriter out = spec.commandLine().getOut();
        ResultTable ranges = client.call("@Reconfigure", "RANGES").table();
        while (ranges.next()) {
            int source = ranges.column("SOURCE_PARTITION");
            out.println("  " + text(ranges, "RANGE")
                    + (ranges.isNull(source)
                            ? ""
                            : " " + ranges.getLong(source) + " -> "
                                    + ranges.getLong(ranges.column("DESTINATION_PARTITION"))));
        }
        out.flush();
    }

    private void show(Status status) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(status);
        out.flush();
    }

    private static Status ask(FulmarClient client, Object... arguments) {
        ResultTable row = client.call("@Reconfigure", arguments).table();
        row.next();
        return new Status(
                text(row, "STATE"),
                row.getLong(row.column("RANGES_LEFT")),
                row.getLong(row.column("BUCKETS_MOVED")),
                row.getLong(row.column("ROWS_MOVED")),
                row.getLong(row.column("BYTES_SENT")),
                text(row, "CURRENT"),
                row.getLong(row.column("WORST_PAUSE_MICROS")),
                text(row, "MESSAGE"),
                row.getLong(row.column("ROWS_LEFT")),
                row.getLong(row.column("SECONDS_LEFT")));
    }

    private static String text(ResultTable row, String column) {
        String text = row.getString(row.column(column));
        return text == null ? "" : text;
    }

    /** The answer of a node. */
    private record Status(
            String state,
            long rangesLeft,
            long bucketsMoved,
            long rowsMoved,
            long bytesSent,
            String current,
            long worstPauseMicros,
            String message,
            long rowsLeft,
            long secondsLeft) {
        int exitStatus() {
            return state.equals("PAUSED") || state.equals("CANCELLED") ? 1 : 0;
        }

        private String estimate() {
            if (!state.equals("RUNNING") || rowsLeft == 0) {
                return "";
            }
            String end = secondsLeft < 0 ? "" : ", about " + secondsLeft + " s to go";
            return "; at most " + rowsLeft + " rows left" + end;
        }

        @Override
        public String toString() {
            if (state.equals("NONE")) {
                return "there has been no reconfiguration";
            }
            return String.format(
                    Locale.ROOT,
                    "%s: %d ranges left, %d buckets moved, %d rows, %.1f MB sent, calls waited at most %.1f ms%s%s%s",
                    state,
                    rangesLeft,
                    bucketsMoved,
                    rowsMoved,
                    bytesSent / 1e6,
                    worstPauseMicros / 1e3,
                    estimate(),
                    current.isEmpty() ? "" : "; " + current,
                    message.isEmpty() ? "" : "; " + message);
        }
    }
}
