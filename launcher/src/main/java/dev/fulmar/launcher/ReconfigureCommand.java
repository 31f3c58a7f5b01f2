package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Moves keys between the partitions of a running database until a plan counts, and follows that. */
@Command(
        name = "reconfigure",
        description = "Moves keys until the partition plan of a file counts; see docs/RECONFIGURATION.md.",
        mixinStandardHelpOptions = true)
final class ReconfigureCommand implements Callable<Integer> {
    private static final long WATCH_MILLIS = 500;

    /** Ranges that are shown at each look. */
    private static final int MOST_CHANGES = 20;

    private static final long MICROS_PER_MILLI = 1_000;
    private static final long BYTES_PER_KIB = 1L << 10;
    private static final long BYTES_PER_MIB = 1L << 20;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "0..1", description = "The plan, as JSON.")
    private @Nullable Path file;

    @Option(names = "--watch", description = "Shows the progress until the end.")
    private boolean watch;

    @Option(names = "--ranges", description = "With --watch, also shows the ranges that change.")
    private boolean watchesRanges;

    @Option(
            names = "--chunk-kib",
            paramLabel = "KIB",
            description = "Size of a chunk of rows, 1 to 512; a partition copies it in one go. Default: 64.")
    private @Nullable Integer chunkKib;

    @Option(
            names = "--delay-ms",
            paramLabel = "MS",
            description = "Pause between two chunks. Default: 1, and longer where chunks would take more than half of"
                    + " a partition's time. With this option or --chunk-kib it is always the same.")
    private @Nullable Integer delayMillis;

    @Option(
            names = "--part-mib",
            paramLabel = "MIB",
            description = "A bucket of more memory moves in parts, each by a hand-off of its own; 0 for whole buckets."
                    + " Default: a third of the memory of its node.")
    private @Nullable Integer partMib;

    @Option(
            names = "--max-p99-increase",
            paramLabel = "PERCENT",
            description = "Makes pauses longer while the 99th percentile of calls on a node is more than so much above"
                    + " that before, as in 20%%.")
    private @Nullable String mostIncrease;

    @Mixin
    private ConnectionOptions connection;

    /** By their texts, as they were shown last. */
    private Map<String, String> shownRanges = Map.of();

    @Override
    public Integer call() {
        Path plan = file;
        if (plan == null) {
            spec.commandLine().usage(spec.commandLine().getOut());
            return 0;
        }
        if (watchesRanges && !watch) {
            throw new ParameterException(
                    spec.commandLine(), "--ranges is for --watch; status --ranges shows them as they are now");
        }
        String text = read(plan);
        try (FulmarClient client = connection.connect(1)) {
            Status status = ask(
                    client,
                    "START",
                    text,
                    times(chunkKib, BYTES_PER_KIB),
                    times(delayMillis, MICROS_PER_MILLI),
                    percent(mostIncrease),
                    times(partMib, BYTES_PER_MIB));
            show(status);
            return watch ? watch(client, status, watchesRanges) : 0;
        }
    }

    /** Nothing for an option that is not given, so that the node takes its own. */
    private static String times(@Nullable Integer given, long unit) {
        return given == null ? "" : Long.toString(given * unit);
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
            @Option(
                            names = "--ranges",
                            description = "Also shows all ranges with their states; with --watch, those that change.")
                    boolean withRanges) {
        try (FulmarClient client = server.connect(1)) {
            Status status = ask(client, "STATUS");
            show(status);
            if (withRanges) {
                showRanges(client, Integer.MAX_VALUE);
            }
            return watched ? watch(client, status, withRanges) : status.exitStatus();
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

    private int watch(FulmarClient client, Status first, boolean withRanges) {
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
                if (withRanges) {
                    showRanges(client, MOST_CHANGES);
                }
            }
            shown = status;
        }
        return shown.exitStatus();
    }

    /** Shows ranges that are in another state, or have other figures, than when they were shown last. */
    private void showRanges(FulmarClient client, int most) {
        PrintWriter out = spec.commandLine().getOut();
        ResultTable ranges = client.call("@Reconfigure", "RANGES").table();
        Map<String, String> all = new LinkedHashMap<>();
        while (ranges.next()) {
            all.put(text(ranges, "RANGE"), rangeLine(ranges));
        }
        List<String> changed = all.entrySet().stream()
                .filter(range -> !range.getValue().equals(shownRanges.get(range.getKey())))
                .map(Map.Entry::getValue)
                .toList();
        changed.stream().limit(most).forEach(out::println);
        if (changed.size() > most) {
            out.println("  and " + (changed.size() - most) + " more that have changed");
        }
        out.flush();
        shownRanges = all;
    }

    private static String rangeLine(ResultTable ranges) {
        String text = "  " + text(ranges, "RANGE");
        int source = ranges.column("SOURCE_PARTITION");
        if (ranges.isNull(source)) {
            return text;
        }
        String range = text + " " + ranges.getLong(source) + " -> "
                + ranges.getLong(ranges.column("DESTINATION_PARTITION")) + " " + text(ranges, "STATE");
        int rows = ranges.column("ROWS");
        if (ranges.isNull(rows)) {
            return range;
        }
        long pauseMicros = ranges.getLong(ranges.column("PAUSE_MICROS"));
        String pause = pauseMicros == 0 ? "" : String.format(Locale.ROOT, ", calls waited %.1f ms", pauseMicros / 1e3);
        return range
                + String.format(
                        Locale.ROOT,
                        ": %d rows, %.1f MB in move %s%s",
                        ranges.getLong(rows),
                        ranges.getLong(ranges.column("BYTES")) / 1e6,
                        text(ranges, "MOVE"),
                        pause);
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
