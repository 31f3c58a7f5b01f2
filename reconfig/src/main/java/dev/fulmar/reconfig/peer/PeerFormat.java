package dev.fulmar.reconfig.peer;

import dev.fulmar.engine.partitioning.HandOffFormat;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeyRangeFormat;
import dev.fulmar.engine.partitioning.TargetChangeFormat;
import dev.fulmar.foundation.data.MessageForm;
import dev.fulmar.foundation.data.MessageReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * Messages between the nodes of a reconfiguration, as bytes, big-endian. In this order: version (8 bits), kind (8),
 * number of the request (64), fields. Hand-offs and targets are in the form in which the log has them.
 */
final class PeerFormat {
    private static final byte VERSION = 1;

    /** Of figures with counts of ranges and an outlook. */
    private static final byte VERSION_WITH_OUTLOOK = 2;

    /** Of reports of moves, and of the question whether a node reads messages up to this form. */
    private static final byte VERSION_WITH_REPORTS = 3;

    private static final MessageForm FORM =
            new MessageForm("messages about a reconfiguration", Set.of((int) VERSION, (int) VERSION_WITH_OUTLOOK, (int)
                    VERSION_WITH_REPORTS));
    private static final byte STAGE = 1;
    private static final byte TAKE = 2;
    private static final byte REMEMBER = 3;
    private static final byte DROP = 4;
    private static final byte HAND_OVER = 5;
    private static final byte RETARGET = 6;
    private static final byte DONE = 7;
    private static final byte FAILED = 8;
    private static final byte PROGRESS = 9;
    private static final byte FORMS = 10;
    private static final byte MOVED = 11;

    private static final int HEADER_BYTES = 2 + Long.BYTES;
    private static final int STEP_BYTES = Integer.BYTES + Long.BYTES;
    private static final int FIGURES_BYTES = 10 * Long.BYTES;
    private static final int REPORT_BYTES = 4 * Long.BYTES + 3 * Integer.BYTES;

    private PeerFormat() {}

    static ByteBuffer write(PeerMessage message) {
        return switch (message) {
            case PeerMessage.Step(long number, PartitionId partition, DestinationStep step) -> {
                byte[] rest = restOf(step);
                yield begin(kindOf(step), number, STEP_BYTES + rest.length)
                        .putInt(partition.number())
                        .putLong(step.move())
                        .put(rest)
                        .flip();
            }
            case PeerMessage.HandOver handOver ->
                write(HAND_OVER, handOver.number(), HandOffFormat.write(List.of(handOver.handOff())));
            case PeerMessage.Retarget retarget ->
                write(RETARGET, retarget.number(), TargetChangeFormat.write(retarget.change()));
            case PeerMessage.Forms(long number) ->
                begin(FORMS, number, 0).put(0, VERSION_WITH_REPORTS).flip();
            case PeerMessage.Done(long number, long rows) ->
                begin(DONE, number, Long.BYTES).putLong(rows).flip();
            case PeerMessage.Failed(long number, ErrorCode code, String text) -> {
                byte[] rest = text.getBytes(StandardCharsets.UTF_8);
                yield begin(FAILED, number, Integer.BYTES + rest.length)
                        .putInt(code.number())
                        .put(rest)
                        .flip();
            }
            case PeerMessage.Progress(MoveFigures figures) -> {
                byte[] current = figures.current().getBytes(StandardCharsets.UTF_8);
                yield begin(PROGRESS, figures.reconfiguration(), FIGURES_BYTES + current.length)
                        .putLong(figures.bucketsMoved())
                        .putLong(figures.rowsMoved())
                        .putLong(figures.bytesSent())
                        .putLong(figures.lastPauseNanos())
                        .putLong(figures.worstPauseNanos())
                        .putLong(figures.ranges().moving())
                        .putLong(figures.ranges().moved())
                        .putLong(figures.outlook().rowsLeft())
                        .putLong(figures.outlook().nanosLeft())
                        .putLong(figures.outlook().delayNanos())
                        .put(current)
                        .put(0, VERSION_WITH_OUTLOOK)
                        .flip();
            }
            case PeerMessage.Moved(RangeReport report) -> write(report);
        };
    }

    private static ByteBuffer write(RangeReport report) {
        ByteBuffer out = begin(MOVED, report.reconfiguration(), REPORT_BYTES + KeyRangeFormat.bytes(report.ranges()))
                .putLong(report.move())
                .putInt(report.from())
                .putInt(report.to())
                .putInt(numberOf(report.state()))
                .putLong(report.rows())
                .putLong(report.bytes())
                .putLong(report.pauseNanos());
        KeyRangeFormat.write(report.ranges(), out);
        return out.put(0, VERSION_WITH_REPORTS).flip();
    }

    private static int numberOf(RangeState state) {
        return switch (state) {
            case WAITING -> 0;
            case COPYING -> 1;
            case HANDING_OVER -> 2;
            case DONE -> 3;
            case UNDONE -> 4;
        };
    }

    private static RangeState state(int number) {
        return switch (number) {
            case 0 -> RangeState.WAITING;
            case 1 -> RangeState.COPYING;
            case 2 -> RangeState.HANDING_OVER;
            case 3 -> RangeState.DONE;
            case 4 -> RangeState.UNDONE;
            default -> throw new IllegalArgumentException(number + " is no state of a range");
        };
    }

    private static ByteBuffer write(byte kind, long number, byte[] rest) {
        return begin(kind, number, rest.length).put(rest).flip();
    }

    private static ByteBuffer begin(byte kind, long number, int bytes) {
        return ByteBuffer.allocate(HEADER_BYTES + bytes).put(VERSION).put(kind).putLong(number);
    }

    private static byte kindOf(DestinationStep step) {
        return switch (step) {
            case DestinationStep.Stage _ -> STAGE;
            case DestinationStep.Take _ -> TAKE;
            case DestinationStep.Remember _ -> REMEMBER;
            case DestinationStep.Drop _ -> DROP;
        };
    }

    private static byte[] restOf(DestinationStep step) {
        return switch (step) {
            case DestinationStep.Take take -> take.rows();
            case DestinationStep.Remember remember -> remember.outcomes();
            case DestinationStep.Stage _, DestinationStep.Drop _ -> new byte[0];
        };
    }

    /** The message that the rest of the buffer is; refuses anything else. */
    static PeerMessage read(ByteBuffer in) {
        return FORM.readWhole(in, (version, kind, fields) -> read(version, kind, fields.getLong(), fields));
    }

    private static PeerMessage read(int version, int kind, long number, MessageReader in) {
        return switch (kind) {
            case STAGE, TAKE, REMEMBER, DROP -> {
                PartitionId partition = new PartitionId(in.natural());
                yield new PeerMessage.Step(number, partition, step(kind, in.getLong(), in.rest()));
            }
            case HAND_OVER -> handOver(number, in.rest());
            case RETARGET -> retarget(number, in.rest());
            case FORMS -> new PeerMessage.Forms(number);
            case DONE -> new PeerMessage.Done(number, in.naturalLong());
            case FAILED -> new PeerMessage.Failed(number, ErrorCode.ofNumber(in.getInt()), in.restAsText());
            case PROGRESS -> progress(version, number, in);
            case MOVED -> moved(number, in);
            default -> throw MessageReader.unknownKind(kind);
        };
    }

    private static DestinationStep step(int kind, long move, byte[] rest) {
        boolean hasRest = kind == TAKE || kind == REMEMBER;
        if (!hasRest && rest.length > 0) {
            throw new IllegalArgumentException(rest.length + " bytes too many");
        }
        return switch (kind) {
            case STAGE -> new DestinationStep.Stage(move);
            case TAKE -> new DestinationStep.Take(move, rest);
            case REMEMBER -> new DestinationStep.Remember(move, rest);
            default -> new DestinationStep.Drop(move);
        };
    }

    private static PeerMessage handOver(long number, byte[] rest) {
        try {
            return new PeerMessage.HandOver(number, HandOffFormat.handOffs(rest).getFirst());
        } catch (FulmarException | NoSuchElementException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    private static PeerMessage retarget(long number, byte[] rest) {
        try {
            return new PeerMessage.Retarget(number, TargetChangeFormat.read(rest));
        } catch (FulmarException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    private static PeerMessage moved(long reconfiguration, MessageReader in) {
        long move = in.getLong();
        int from = in.natural();
        int to = in.natural();
        RangeState state = state(in.getInt());
        long rows = in.naturalLong();
        long bytes = in.naturalLong();
        long pause = in.naturalLong();
        ByteBuffer rest = ByteBuffer.wrap(in.rest());
        List<KeyRange> ranges = KeyRangeFormat.read(rest);
        if (ranges == null || rest.hasRemaining()) {
            throw new IllegalArgumentException("the ranges of a report cannot be read");
        }
        return new PeerMessage.Moved(
                new RangeReport(reconfiguration, move, from, to, state, rows, bytes, pause, ranges));
    }

    private static PeerMessage progress(int version, long reconfiguration, MessageReader in) {
        long buckets = in.naturalLong();
        long rows = in.naturalLong();
        long bytes = in.naturalLong();
        long last = in.naturalLong();
        long worst = in.naturalLong();
        RangeCounts ranges =
                version == VERSION ? RangeCounts.NONE : new RangeCounts(in.naturalLong(), in.naturalLong());
        Outlook outlook =
                version == VERSION ? Outlook.NOTHING : new Outlook(in.naturalLong(), in.getLong(), in.naturalLong());
        return new PeerMessage.Progress(
                new MoveFigures(reconfiguration, buckets, rows, bytes, in.restAsText(), last, worst, ranges, outlook));
    }
}
