package dev.fulmar.coordinator.request;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.CursorStep;

/**
 * The rows of a cursor, and its place: on one of them, before the first or behind the last. As in PostgreSQL, a cursor
 * that is asked to go back and cannot is of no use any more. One thread at a time.
 */
public final class ScrolledRows {
    private static final int FIRST_BYTES = 1 << 10;

    private final ResultLayout layout;
    private final ResultBlock rows = new ResultBlock();
    private final boolean goesBack;

    /** From 1; 0 before the first row, and one more than there are behind the last. */
    private long place;

    private long placeBefore;

    /** Whether it was asked to go where it cannot. */
    private boolean isBroken;

    /**
     * Rows that a step meets.
     *
     * @param first the place of the first one
     * @param increment from one place to the next
     * @param place where the cursor is then
     */
    private record Met(long first, long count, int increment, long place) {}

    /** @param block one result block */
    public ScrolledRows(byte[] block, boolean goesBack) {
        this.goesBack = goesBack;
        rows.wrap(block, 0, block.length);
        layout = new ResultLayout(rows.columns());
    }

    /** Bytes of all rows. */
    public int bytes() {
        return rows.totalBytes();
    }

    /** The rows of the step, as one result block. */
    public byte[] fetch(CursorStep step) {
        Met met = met(step);
        if (step.count() == 0 && met.count() > 0) {
            checkGoesBack(); // to come to the same row again
        }
        ResultBlockWriter part = new ResultBlockWriter(FIRST_BYTES, Integer.MAX_VALUE);
        part.begin(layout);
        for (long i = 0; i < met.count(); i++) {
            part.appendRow(rows.at((int) (met.first() + i * met.increment()) - 1));
        }
        part.end();
        go(met);
        return part.toByteArray();
    }

    /** Passes the rows of the step; returns how many there are. */
    public long move(CursorStep step) {
        boolean isAtStart = place == 0 && !isBroken;
        if (isAtStart && step.equals(CursorStep.TO_START)) {
            return 0;
        }
        Met met = met(step);
        go(met);
        return met.count();
    }

    private void go(Met met) {
        Invariants.check(met.place() >= 0 && met.place() <= last() + 1, "a cursor is on its rows, or one step away");
        placeBefore = place;
        place = met.place();
    }

    /** The rows of the last step were not taken. */
    public void takeBack() {
        place = placeBefore;
    }

    private Met met(CursorStep step) {
        if (isBroken) {
            throw new FulmarException(
                    ErrorCode.CURSOR_GOES_FORWARD,
                    "the cursor cannot be read any more, for a FETCH has failed; CLOSE it");
        }
        long count = step.count();
        return switch (step.direction()) {
            case FORWARD -> count == 0 ? one(place) : forward(count);
            case BACKWARD -> backward(count);
            case ABSOLUTE -> absolute(count);
            case RELATIVE -> {
                if (count < 0) {
                    checkGoesBack();
                }
                yield one(place + Math.clamp(count, -place, last() + 1 - place));
            }
        };
    }

    private int last() {
        return rows.rowCount();
    }

    private Met forward(long count) {
        long left = Math.max(0, last() - place);
        return new Met(place + 1, Math.min(count, left), 1, count <= left ? place + count : last() + 1);
    }

    private Met backward(long count) {
        checkGoesBack();
        long left = Math.max(0, place - 1);
        return new Met(place - 1, Math.min(count, left), -1, count <= left ? place - count : 0);
    }

    private Met absolute(long count) {
        long wanted = count < 0 ? Math.max(0, last() + 1 + count) : Math.min(count, last() + 1);
        boolean isBack = count < 0 || (place > 0 && count <= place);
        if (isBack) {
            checkGoesBack();
        }
        return one(wanted);
    }

    /** The row at the place, if there is one. */
    private Met one(long wanted) {
        boolean isThere = wanted > 0 && wanted <= last();
        return new Met(wanted, isThere ? 1 : 0, 1, wanted);
    }

    private void checkGoesBack() {
        if (!goesBack) {
            isBroken = true;
            throw onlyForward();
        }
    }

    /** The failure of a step that a cursor cannot do. */
    public static FulmarException onlyForward() {
        return new FulmarException(
                ErrorCode.CURSOR_GOES_FORWARD, "cursor can only scan forward; DECLARE it with SCROLL to go back");
    }
}
