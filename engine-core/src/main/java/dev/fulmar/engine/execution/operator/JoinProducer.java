package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * A nested loop or hash join, which keeps its right rows. It tries all of them for each left row, or with keys those of
 * equal key. Left rows come in their order, and for each the right ones in theirs; unmatched right rows come last.
 */
final class JoinProducer implements Producer {
    /** Chained rows of one key: {@code long next, long position}. */
    private static final int CHAIN_BYTES = 16;

    private final OperatorContext context;
    private final JoinKind kind;
    private final JoinSide right;
    private final int rightSource;
    /** Position in the frame's rows that is 0 while there is no left row. */
    private final int leftPresence;

    private final @Nullable LongEvaluator condition;
    private final @Nullable KeyEncoder leftKey;
    private final @Nullable KeyEncoder rightKey;
    private final KeyTable keys;
    private final Consumer next;
    private @Nullable Producer leftInput;
    private @Nullable Producer rightInput;

    private enum Phase {
        RIGHT,
        LEFT,
        UNMATCHED_RIGHT
    }

    private Phase phase = Phase.RIGHT;

    // Of the left row that is being joined.
    private boolean matched;
    /** The right row to be tried next, without keys. */
    private int position;
    /** With keys: the link of the right row tried last, and the last one, 0 when that was tried. */
    private long link;

    private long lastLink;
    private long mark;
    /** The present pair of rows was passed on, and may not be done with. */
    private boolean isPassed;
    /** All right rows are tried; what follows from them is passed on. */
    private boolean concluding;

    JoinProducer(
            OperatorContext context,
            JoinKind kind,
            JoinSide right,
            int rightSource,
            int leftPresence,
            @Nullable LongEvaluator condition,
            @Nullable KeyEncoder leftKey,
            @Nullable KeyEncoder rightKey,
            Consumer next) {
        this.context = context;
        this.kind = kind;
        this.right = right;
        this.rightSource = rightSource;
        this.leftPresence = leftPresence;
        this.condition = condition;
        this.leftKey = leftKey;
        this.rightKey = rightKey;
        this.keys = new KeyTable(context.retained());
        this.next = next;
    }

    void setInputs(Producer newLeft, Producer newRight) {
        leftInput = newLeft;
        rightInput = newRight;
    }

    @Override
    public boolean run(Frame frame) {
        right.clear();
        keys.clear();
        phase = Phase.RIGHT;
        input(rightInput).run(frame);
        return afterRight(frame);
    }

    @Override
    public boolean resume(Frame frame) {
        return switch (phase) {
            case RIGHT -> {
                input(rightInput).resume(frame);
                yield afterRight(frame);
            }
            case LEFT -> afterLeft(frame, input(leftInput).resume(frame));
            case UNMATCHED_RIGHT -> resumeUnmatchedRight(frame);
        };
    }

    private static Producer input(@Nullable Producer input) {
        if (input == null) {
            throw Invariants.breach("a join has two inputs");
        }
        return input;
    }

    private boolean afterRight(Frame frame) {
        if (context.budget().isPaused()) {
            return false;
        }
        if (kind == JoinKind.FULL) {
            right.beginMatching();
        }
        frame.rows[leftPresence] = 1;
        phase = Phase.LEFT;
        return afterLeft(frame, input(leftInput).run(frame));
    }

    private boolean afterLeft(Frame frame, boolean wantsMore) {
        if (!wantsMore || kind != JoinKind.FULL) {
            return wantsMore;
        }
        phase = Phase.UNMATCHED_RIGHT;
        frame.rows[leftPresence] = 0;
        mark = frame.temporary.position();
        position = 0;
        isPassed = false;
        return pushUnmatchedRight(frame);
    }

    /** Takes a right row. */
    boolean keep(Frame frame) {
        int position = right.keep(frame);
        KeyEncoder encoder = rightKey;
        if (encoder == null) {
            return true;
        }
        encoder.encode(frame);
        if (encoder.hasNull()) {
            return true;
        }
        long entry = keys.findOrInsert(encoder.address(), encoder.length());
        long link = context.retained().allocate(CHAIN_BYTES);
        OffHeap.putLong(link, 0);
        OffHeap.putLong(link + Long.BYTES, position);
        append(entry, link);
        return true;
    }

    /** The payload is the last link of a ring, so that both ends are at hand. */
    private static void append(long entry, long link) {
        long last = KeyTable.payload(entry);
        if (last == 0) {
            OffHeap.putLong(link, link);
        } else {
            OffHeap.putLong(link, OffHeap.getLong(last));
            OffHeap.putLong(last, link);
        }
        KeyTable.setPayload(entry, link);
    }

    /** The consumer of the left rows, which pushes their matches. */
    Consumer prober() {
        return new Prober();
    }

    private final class Prober implements Consumer {
        @Override
        public boolean accept(Frame frame) {
            matched = false;
            isPassed = false;
            concluding = false;
            mark = frame.temporary.position();
            if (leftKey == null) {
                position = 0;
            } else {
                lastLink = findKey(frame, leftKey);
                link = lastLink;
            }
            return tryRows(frame);
        }

        @Override
        public boolean resume(Frame frame) {
            if (concluding) {
                return next.resume(frame);
            }
            if (isPassed) {
                if (!next.resume(frame)) {
                    return false;
                }
                isPassed = false;
                frame.temporary.reset(mark);
            }
            return tryRows(frame);
        }
    }

    /** The last link of the right rows with the left row's key, 0 if there is none. */
    private long findKey(Frame frame, KeyEncoder encoder) {
        encoder.encode(frame);
        long entry = encoder.hasNull() ? 0 : keys.find(encoder.address(), encoder.length());
        return entry == 0 ? 0 : KeyTable.payload(entry);
    }

    /** Tries the right rows that have not been tried yet. */
    private boolean tryRows(Frame frame) {
        for (int row = nextRow(); row >= 0; row = nextRow()) {
            if (matches(frame, row)) {
                matched = true;
                if (endsAtMatch()) {
                    break;
                }
                isPassed = true;
                if (!next.accept(frame)) {
                    return false;
                }
                isPassed = false;
            }
            frame.temporary.reset(mark);
            if (context.budget().endsSlice()) {
                return false;
            }
        }
        concluding = true;
        if (!matched) {
            return pushUnmatchedLeft(frame);
        }
        return kind != JoinKind.SEMI || next.accept(frame);
    }

    /** Position of the next right row, -1 at the end. */
    private int nextRow() {
        if (leftKey == null) {
            return position < right.size() ? position++ : -1;
        }
        if (lastLink == 0) {
            return -1;
        }
        link = OffHeap.getLong(link);
        int row = (int) OffHeap.getLong(link + Long.BYTES);
        lastLink = link == lastLink ? 0 : lastLink;
        return row;
    }

    private boolean matches(Frame frame, int row) {
        frame.rows[rightSource] = right.row(row);
        if (condition != null && !condition.isTrue(frame)) {
            return false;
        }
        if (kind == JoinKind.FULL) {
            right.setMatched(row);
        }
        return true;
    }

    private boolean endsAtMatch() {
        return kind == JoinKind.SEMI || kind == JoinKind.ANTI;
    }

    private boolean pushUnmatchedLeft(Frame frame) {
        if (kind == JoinKind.INNER || kind == JoinKind.SEMI) {
            return true;
        }
        frame.rows[rightSource] = 0;
        return next.accept(frame);
    }

    private boolean resumeUnmatchedRight(Frame frame) {
        if (isPassed) {
            if (!next.resume(frame)) {
                return false;
            }
            isPassed = false;
            frame.temporary.reset(mark);
        }
        return pushUnmatchedRight(frame);
    }

    private boolean pushUnmatchedRight(Frame frame) {
        while (position < right.size()) {
            if (context.budget().endsSlice()) {
                return false;
            }
            int row = position++;
            if (!right.isMatched(row)) {
                frame.rows[rightSource] = right.row(row);
                isPassed = true;
                if (!next.accept(frame)) {
                    return false;
                }
                isPassed = false;
                frame.temporary.reset(mark);
            }
        }
        return true;
    }
}
