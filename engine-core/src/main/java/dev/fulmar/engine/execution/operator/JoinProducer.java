package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation.JoinKind;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * A join whose right rows are kept: all of them are tried for each left row, or with keys those of equal key. Left rows come in their
 * order, and for each the right ones in theirs; unmatched right rows come last.
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
        Producer leftRows = leftInput;
        Producer rightRows = rightInput;
        if (leftRows == null || rightRows == null) {
            throw Invariants.breach("a join has two inputs");
        }
        right.clear();
        keys.clear();
        rightRows.run(frame);
        if (kind == JoinKind.FULL) {
            right.beginMatching();
        }
        frame.rows[leftPresence] = 1;
        boolean wantsMore = leftRows.run(frame);
        return wantsMore && (kind != JoinKind.FULL || pushUnmatchedRight(frame));
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

    /** Takes a left row and pushes its matches. */
    boolean probe(Frame frame) {
        KeyEncoder encoder = leftKey;
        Outcome outcome = encoder == null ? tryAll(frame) : tryKey(frame, encoder);
        return switch (outcome) {
            case STOPPED -> false;
            case MATCHED -> kind != JoinKind.SEMI || next.accept(frame);
            case UNMATCHED -> pushUnmatchedLeft(frame);
        };
    }

    private enum Outcome {
        MATCHED,
        UNMATCHED,
        STOPPED
    }

    private Outcome tryAll(Frame frame) {
        Outcome outcome = Outcome.UNMATCHED;
        for (int position = 0; position < right.size(); position++) {
            Outcome one = tryRow(frame, position);
            if (one == Outcome.STOPPED || (one == Outcome.MATCHED && endsAtMatch())) {
                return one;
            }
            outcome = one == Outcome.MATCHED ? one : outcome;
        }
        return outcome;
    }

    private Outcome tryKey(Frame frame, KeyEncoder encoder) {
        encoder.encode(frame);
        if (encoder.hasNull()) {
            return Outcome.UNMATCHED;
        }
        long entry = keys.find(encoder.address(), encoder.length());
        if (entry == 0) {
            return Outcome.UNMATCHED;
        }
        Outcome outcome = Outcome.UNMATCHED;
        long last = KeyTable.payload(entry);
        long link = last;
        do {
            link = OffHeap.getLong(link);
            Outcome one = tryRow(frame, (int) OffHeap.getLong(link + Long.BYTES));
            if (one == Outcome.STOPPED || (one == Outcome.MATCHED && endsAtMatch())) {
                return one;
            }
            outcome = one == Outcome.MATCHED ? one : outcome;
        } while (link != last);
        return outcome;
    }

    private boolean endsAtMatch() {
        return kind == JoinKind.SEMI || kind == JoinKind.ANTI;
    }

    private Outcome tryRow(Frame frame, int position) {
        context.budget().spendRow();
        long mark = frame.temporary.position();
        frame.rows[rightSource] = right.row(position);
        boolean matches = condition == null || condition.isTrue(frame);
        if (!matches) {
            frame.temporary.reset(mark);
            return Outcome.UNMATCHED;
        }
        if (kind == JoinKind.FULL) {
            right.setMatched(position);
        }
        boolean stopped = !endsAtMatch() && !next.accept(frame);
        frame.temporary.reset(mark);
        return stopped ? Outcome.STOPPED : Outcome.MATCHED;
    }

    private boolean pushUnmatchedLeft(Frame frame) {
        if (kind == JoinKind.INNER || kind == JoinKind.SEMI) {
            return true;
        }
        frame.rows[rightSource] = 0;
        return next.accept(frame);
    }

    private boolean pushUnmatchedRight(Frame frame) {
        frame.rows[leftPresence] = 0;
        long mark = frame.temporary.position();
        for (int position = 0; position < right.size(); position++) {
            if (!right.isMatched(position)) {
                context.budget().spendRow();
                frame.rows[rightSource] = right.row(position);
                if (!next.accept(frame)) {
                    return false;
                }
                frame.temporary.reset(mark);
            }
        }
        return true;
    }
}
