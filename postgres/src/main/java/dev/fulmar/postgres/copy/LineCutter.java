package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.postgres.dialect.CopyFormat;
import dev.fulmar.postgres.dialect.CopyOptions;
import java.util.Arrays;

/**
 * Cuts data into lines, as PostgreSQL does: the first end of a line says how all lines end, and {@code \.} by itself
 * ends the data. Holds one line at most. Not thread-safe.
 */
final class LineCutter {
    /** Receiver of lines without their ends. */
    interface LineReceiver {
        void line(byte[] bytes, int from, int to);
    }

    /** The bytes by which lines end. */
    private enum Ending {
        UNKNOWN,
        NEWLINE,
        RETURN,
        RETURN_NEWLINE
    }

    /** The bytes that were read last, as far as they say what the next one means. */
    private enum State {
        PLAIN,
        RETURN,
        BACKSLASH,
        /** A backslash and a point. */
        MARKER,
        MARKER_RETURN,
        ENDED
    }

    private static final int FIRST_BYTES = 256;

    private final CopyPlace place;
    private final boolean isCsv;
    private final byte quote;
    private final byte escape;
    private final boolean hasOwnEscape;

    private Ending ending = Ending.UNKNOWN;
    private State state = State.PLAIN;
    private boolean isQuoted;
    private boolean isEscaped;

    /** The begin of a line whose end has not come. */
    private byte[] held = new byte[0];

    private int size;

    LineCutter(CopyOptions options, CopyPlace place) {
        this.place = place;
        isCsv = options.format() == CopyFormat.CSV;
        quote = options.quote();
        escape = options.escape();
        hasOwnEscape = isCsv && quote != escape;
    }

    /** Memory for the begin of a line. */
    int heldBytes() {
        return held.length;
    }

    void read(byte[] bytes, LineReceiver lines) {
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            byte next = bytes[i];
            switch (state) {
                case ENDED -> {
                    return;
                }
                case PLAIN -> {
                    int special = special(bytes, i);
                    if (special > i) {
                        isEscaped = false;
                        i = special - 1;
                    } else if (!plain(next, size + i - start == 0)) {
                        emit(bytes, start, i, lines);
                        start = i + 1;
                    }
                }
                case RETURN -> {
                    boolean isNewline = next == '\n';
                    afterReturn(isNewline);
                    emitWithoutReturn(bytes, start, i, lines);
                    start = isNewline ? i + 1 : i;
                    i -= isNewline ? 0 : 1;
                }
                case BACKSLASH -> {
                    state = next == '.' ? State.MARKER : State.PLAIN;
                    if (isCsv && next != '.') {
                        i--; // it means what it would mean by itself
                    }
                }
                case MARKER -> {
                    if (!marker(next)) {
                        i--;
                    }
                }
                case MARKER_RETURN -> {
                    if (!markerReturn(next)) {
                        i--;
                    }
                }
            }
            if (state == State.ENDED) {
                emitWithoutMarker(bytes, start, i, lines);
                return;
            }
        }
        hold(bytes, start, bytes.length);
    }

    /** Place of the first byte from there on that may mean something. */
    private int special(byte[] bytes, int from) {
        int i = from;
        while (i < bytes.length) {
            byte next = bytes[i];
            if (next == '\n' || next == '\r' || next == '\\' || (isCsv && (next == quote || next == escape))) {
                return i;
            }
            i++;
        }
        return i;
    }

    /** Takes a byte that follows nothing special; false if it ends the line. */
    private boolean plain(byte next, boolean isFirst) {
        if (isCsv) {
            quote(next);
        }
        if (next == '\\' && (!isCsv || isFirst)) {
            state = State.BACKSLASH;
        } else if (next == '\r' && !isQuoted) {
            if (ending == Ending.NEWLINE) {
                throw literal("carriage return", "\\r");
            }
            if (ending == Ending.RETURN) {
                return false;
            }
            state = State.RETURN;
        } else if (next == '\n' && !isQuoted) {
            if (ending == Ending.RETURN || ending == Ending.RETURN_NEWLINE) {
                throw literal("newline", "\\n");
            }
            ending = Ending.NEWLINE;
            return false;
        }
        return true;
    }

    private void quote(byte next) {
        if (isQuoted && hasOwnEscape && next == escape) {
            isEscaped = !isEscaped;
        }
        if (next == quote && !isEscaped) {
            isQuoted = !isQuoted;
        }
        if (!hasOwnEscape || next != escape) {
            isEscaped = false;
        }
        if (isQuoted && next == (ending == Ending.NEWLINE ? '\n' : '\r')) {
            place.nextLine();
        }
    }

    private void afterReturn(boolean isNewline) {
        if (isNewline) {
            ending = Ending.RETURN_NEWLINE;
        } else if (ending == Ending.RETURN_NEWLINE) {
            throw literal("carriage return", "\\r");
        } else {
            ending = Ending.RETURN;
        }
        state = State.PLAIN;
    }

    /** Takes the byte behind a backslash and a point; false if it means what it would mean by itself. */
    private boolean marker(byte next) {
        if (ending == Ending.RETURN_NEWLINE) {
            if (next == '\r') {
                state = State.MARKER_RETURN;
                return true;
            }
            return noMarker(next == '\n');
        }
        if (next != '\r' && next != '\n') {
            return noMarker(false);
        }
        if (ending != Ending.UNKNOWN && (ending == Ending.NEWLINE) != (next == '\n')) {
            throw otherStyle();
        }
        state = State.ENDED;
        return true;
    }

    private boolean markerReturn(byte next) {
        if (next == '\n') {
            state = State.ENDED;
            return true;
        }
        if (next == '\r') {
            throw otherStyle();
        }
        return noMarker(false);
    }

    private boolean noMarker(boolean isOfOtherStyle) {
        if (!isCsv) {
            throw isOfOtherStyle ? otherStyle() : place.bad("end-of-copy marker corrupt");
        }
        state = State.PLAIN;
        return false;
    }

    private RuntimeException otherStyle() {
        return place.bad("end-of-copy marker does not match previous newline style");
    }

    private RuntimeException literal(String what, String inText) {
        return place.bad(
                isCsv
                        ? "unquoted " + what + " found in data; use quoted CSV field to represent " + what
                        : "literal " + what + " found in data; use \"" + inText + "\" to represent " + what);
    }

    /** The last piece has been read. */
    void end(LineReceiver lines) {
        switch (state) {
            case RETURN -> {
                afterReturn(false);
                emit(held, 0, size - 1, lines, true);
                return;
            }
            case MARKER, MARKER_RETURN -> noMarker(false);
            case PLAIN, BACKSLASH -> {}
            case ENDED -> {
                return;
            }
        }
        if (size > 0) {
            emit(held, 0, size, lines, true);
        }
    }

    private void emit(byte[] bytes, int from, int to, LineReceiver lines) {
        if (size == 0) {
            emit(bytes, from, to, lines, false);
        } else {
            hold(bytes, from, to);
            emit(held, 0, size, lines, true);
        }
    }

    /** Emits a line behind which a return came, perhaps in an earlier piece. */
    private void emitWithoutReturn(byte[] bytes, int from, int to, LineReceiver lines) {
        emitWithout(1, bytes, from, to, lines);
    }

    private void emitWithout(int bytesLess, byte[] bytes, int from, int to, LineReceiver lines) {
        if (size == 0) {
            emit(bytes, from, to - bytesLess, lines, false);
        } else {
            hold(bytes, from, to);
            emit(held, 0, size - bytesLess, lines, true);
        }
    }

    /** Emits what stands before the marker in its line, if something does. */
    private void emitWithoutMarker(byte[] bytes, int from, int last, LineReceiver lines) {
        int markerBytes = ending == Ending.RETURN_NEWLINE ? 3 : 2;
        if (size + last - from > markerBytes) {
            emitWithout(markerBytes, bytes, from, last, lines);
        }
    }

    private void emit(byte[] bytes, int from, int to, LineReceiver lines, boolean isHeld) {
        lines.line(bytes, from, to);
        place.nextLine();
        if (isHeld) {
            size = 0;
            held = held.length > CopyReader.MOST_ROW_BYTES / 16 ? new byte[FIRST_BYTES] : held;
        }
    }

    private void hold(byte[] bytes, int from, int to) {
        int more = to - from;
        if (more > CopyReader.MOST_ROW_BYTES - size) {
            throw place.error(
                    ErrorCode.TRANSACTION_TOO_LARGE,
                    "the line has more than " + CopyReader.MOST_ROW_BYTES
                            + " bytes; a quote or a newline may be missing");
        }
        if (more > held.length - size) {
            held = Arrays.copyOf(held, Math.max(Math.max(FIRST_BYTES, 2 * held.length), size + more));
        }
        System.arraycopy(bytes, from, held, size, more);
        size += more;
    }
}
