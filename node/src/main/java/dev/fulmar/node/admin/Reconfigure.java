package dev.fulmar.node.admin;

import static dev.fulmar.node.admin.SystemTable.number;
import static dev.fulmar.node.admin.SystemTable.text;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.reconfig.move.RangeProgress;
import dev.fulmar.reconfig.move.Reconfiguration;
import dev.fulmar.reconfig.move.ReconfigurationStatus;
import dev.fulmar.reconfig.peer.RangeReport;
import dev.fulmar.reconfig.plan.EvenPlan;
import dev.fulmar.reconfig.plan.PlanDocument;
import dev.fulmar.reconfig.plan.RangeMove;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@code @Reconfigure('START', plan)} moves keys until the plan counts, and {@code 'BALANCE'} until partitions have
 * equal shares of the hashes. {@code 'STATUS'}, {@code 'PAUSE'}, {@code 'RESUME'} and {@code 'CANCEL'} follow it. Each
 * yields the status. {@code 'RANGES'} yields all ranges with their states.
 */
final class Reconfigure {
    static final String USAGE = "@Reconfigure('START', plan as JSON, 'bytes of a chunk', 'microseconds between chunks',"
            + " 'percent by which calls may get slower', 'bytes from which on a bucket moves in parts'), 'BALANCE' with 'partitions that are to have keys' or '' in the"
            + " place of the plan, 'STATUS', 'RANGES', 'PAUSE', 'RESUME' or 'CANCEL';"
            + " see docs/RECONFIGURATION.md";

    private static final long ANSWER_SECONDS = 10;
    private static final long NANOS_PER_MICRO = 1_000;

    private static final String NAME = "@Reconfigure";
    private static final Set<String> LOOKS = Set.of("STATUS", "RANGES");
    private static final Set<String> CHANGES = Set.of("START", "BALANCE", "PAUSE", "RESUME", "CANCEL");

    /** Column of the number of the reconfiguration, the last one. */
    private static final String NUMBER = "RECONFIGURATION";

    /** Ranges that are shown at once. */
    private static final int MOST_RANGES = 10_000;

    private Reconfigure() {}

    static TransactionResponse answer(TransactionRequest.Call request, NodeControl control) {
        CallArguments arguments = new CallArguments(request, USAGE);
        Reconfiguration reconfiguration = control.reconfiguration();
        String action = arguments.text(0).toUpperCase(Locale.ROOT);
        if (action.equals("RANGES")) {
            return Responses.table(ranges(reconfiguration.ranges()));
        }
        ReconfigurationStatus status = switch (action) {
            case "START" -> await(reconfiguration.start(PlanDocument.read(arguments.text(1))::on, settings(arguments)));
            case "BALANCE" -> await(reconfiguration.start(balanced(arguments), settings(arguments)));
            case "STATUS" -> reconfiguration.status();
            case "PAUSE" -> await(reconfiguration.pause());
            case "RESUME" -> await(reconfiguration.resume());
            case "CANCEL" -> await(reconfiguration.cancel());
            default -> throw arguments.wrong();
        };
        return Responses.table(block(status));
    }

    /** Made from the plan that counts in its turn, so hand-offs before it count too. */
    private static UnaryOperator<PartitionPlan> balanced(CallArguments arguments) {
        boolean isForAll = arguments.textOr(1, "").isEmpty();
        int given = isForAll ? 0 : whole(arguments, 1, 0);
        return present -> {
            if (present.spaceOfIntegers() == KeySpace.INTEGER) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "this database divides integers by ranges, and only the author of a plan knows how many keys lie"
                                + " in one; write a plan (bin/fulmar plan export) and start it");
            }
            return EvenPlan.of(present, isForAll ? present.partitionCount() : given);
        };
    }

    /** Chunks and pauses that a caller names stay what they are; others take a bounded share of a site's time. */
    private static MovePace settings(CallArguments arguments) {
        MovePace usual = MovePace.DEFAULT;
        boolean isFixed = isGiven(arguments, 2) || isGiven(arguments, 3);
        return new MovePace(
                whole(arguments, 2, usual.chunkBytes()),
                whole(arguments, 3, (int) (usual.delayNanos() / NANOS_PER_MICRO)) * NANOS_PER_MICRO,
                mostIncreasePercent(arguments),
                isFixed ? MovePace.ANY_SHARE : usual.mostSharePercent(),
                mostPartBytes(arguments, usual));
    }

    private static long mostPartBytes(CallArguments arguments, MovePace usual) {
        long given = wholeLong(arguments, 5, usual.mostPartBytes());
        return given == 0 ? MovePace.WHOLE : given;
    }

    private static boolean isGiven(CallArguments arguments, int position) {
        return !arguments.textOr(position, "").isEmpty();
    }

    private static int mostIncreasePercent(CallArguments arguments) {
        if (!isGiven(arguments, 4)) {
            return MovePace.UNLIMITED;
        }
        int percent = whole(arguments, 4, MovePace.UNLIMITED);
        if (percent == MovePace.UNLIMITED) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "keys cannot move without any cost for calls; give a budget of at least 10 %, or none");
        }
        return percent;
    }

    private static int whole(CallArguments arguments, int position, int usual) {
        long number = wholeLong(arguments, position, usual);
        if (number != (int) number) {
            throw noNumber(Long.toString(number), null);
        }
        return (int) number;
    }

    /** The usual number where the argument is missing or empty. */
    private static long wholeLong(CallArguments arguments, int position, long usual) {
        String text = arguments.textOr(position, "");
        try {
            return text.isEmpty() ? usual : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw noNumber(text, e);
        }
    }

    private static FulmarException noNumber(String text, @Nullable Exception cause) {
        return new FulmarException(ErrorCode.WRONG_PARAMETERS, "'" + text + "' is no whole number; " + USAGE, cause);
    }

    private static ReconfigurationStatus await(CompletableFuture<ReconfigurationStatus> answer) {
        return await(answer, ANSWER_SECONDS);
    }

    /** The change waits in a queue, and is made if its turn comes later; so no error may say that it is not. */
    static ReconfigurationStatus await(CompletableFuture<ReconfigurationStatus> answer, long seconds) {
        try {
            return answer.orTimeout(seconds, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof FulmarException refused) {
                throw refused;
            }
            throw new FulmarException(
                    ErrorCode.TIMEOUT,
                    "the nodes did not agree on the change of the reconfiguration within " + seconds
                            + " s, and may do so later; look at its status before you try again",
                    e);
        }
    }

    /** A last row without partitions says how many ranges are not shown. */
    static byte[] ranges(List<RangeProgress> all) {
        SystemTable table = new SystemTable(List.of(
                text("RANGE"),
                number("SOURCE_PARTITION"),
                number("DESTINATION_PARTITION"),
                text("STATE"),
                number("ROWS"),
                number("BYTES"),
                number("PAUSE_MICROS"),
                text("MOVE")));
        all.stream().limit(MOST_RANGES).forEach(one -> addTo(table, one));
        if (all.size() > MOST_RANGES) {
            table.row("and " + (all.size() - MOST_RANGES) + " more", null, null, null, null, null, null, null);
        }
        return table.toBlock();
    }

    private static void addTo(SystemTable table, RangeProgress one) {
        RangeMove range = one.range();
        RangeReport report = one.report();
        if (report == null) {
            table.row(range.text(), range.source(), range.destination(), one.state(), null, null, null, null);
        } else {
            table.row(
                    range.text(),
                    range.source(),
                    range.destination(),
                    one.state(),
                    report.rows(),
                    report.bytes(),
                    report.pauseNanos() / NANOS_PER_MICRO,
                    HexFormat.of().toHexDigits(report.move()));
        }
    }

    /** As the audit log has it; null if there has been none. */
    private static @Nullable String numberOf(ReconfigurationStatus status) {
        return status.state() == ReconfigurationStatus.State.NONE
                ? null
                : HexFormat.of().toHexDigits(status.moved().reconfiguration());
    }

    /**
     * The audit log's text about a call that was to change a reconfiguration; null of one that only looked. It has the
     * number of the reconfiguration if the answer has it.
     */
    static @Nullable String audited(TransactionRequest.Call request, TransactionResponse response) {
        String action = actionOf(request);
        if (LOOKS.contains(action)) {
            return null;
        }
        String known = CHANGES.contains(action) ? NAME + " " + action : NAME;
        if (response instanceof TransactionResponse.Committed answered) {
            ResultBlock status = new ResultBlock().wrap(answered.results(), 0, answered.results().length);
            int last = status.columnCount() - 1;
            if (status.next() && !status.isNull(last)) {
                return known + " " + status.string(last);
            }
        }
        return known;
    }

    private static String actionOf(TransactionRequest.Call request) {
        try {
            return new CallArguments(request, USAGE).textOr(0, "").toUpperCase(Locale.ROOT);
        } catch (FulmarException noText) {
            return ""; // the call is refused for it
        }
    }

    private static byte[] block(ReconfigurationStatus status) {
        return new SystemTable(List.of(
                        text("STATE"),
                        number("RANGES_LEFT"),
                        number("BUCKETS_MOVED"),
                        number("ROWS_MOVED"),
                        number("BYTES_SENT"),
                        text("CURRENT"),
                        number("LAST_PAUSE_MICROS"),
                        number("WORST_PAUSE_MICROS"),
                        text("MESSAGE"),
                        number("ROWS_LEFT"),
                        number("SECONDS_LEFT"),
                        number("DELAY_MICROS"),
                        number("RANGES_MOVING"),
                        number("RANGES_MOVED"),
                        text(NUMBER)))
                .row(
                        status.state(),
                        status.rangesLeft(),
                        status.moved().bucketsMoved(),
                        status.moved().rowsMoved(),
                        status.moved().bytesSent(),
                        status.moved().current(),
                        status.moved().lastPauseNanos() / NANOS_PER_MICRO,
                        status.moved().worstPauseNanos() / NANOS_PER_MICRO,
                        status.message(),
                        status.moved().outlook().rowsLeft(),
                        status.moved().outlook().secondsLeft(),
                        status.moved().outlook().delayNanos() / NANOS_PER_MICRO,
                        status.moved().ranges().moving(),
                        status.moved().ranges().moved(),
                        numberOf(status))
                .toBlock();
    }
}
