package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.ValueFormat;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Text and binary forms of arrays of one dimension. Elements are the objects of {@link ValueForm}. */
public final class ArrayForm {
    private static final int HEADER_BYTES = 3 * Integer.BYTES;
    private static final int DIMENSION_BYTES = 2 * Integer.BYTES;

    private ArrayForm() {}

    /** Appends {@code {a,"b c",NULL}}. */
    public static void writeText(
            ByteBuf out, PostgresType element, List<? extends @Nullable Object> values, ZoneId zone) {
        out.writeByte('{');
        boolean isFirst = true;
        for (Object value : values) {
            if (!isFirst) {
                out.writeByte(',');
            }
            isFirst = false;
            if (value == null) {
                FloatForm.writeAscii(out, "NULL");
            } else {
                writeElement(out, element, value, zone);
            }
        }
        out.writeByte('}');
    }

    private static void writeElement(ByteBuf out, PostgresType element, Object value, ZoneId zone) {
        int start = out.writerIndex();
        ValueForm.write(out, element, ValueFormat.TEXT, value, zone);
        byte[] text = new byte[out.writerIndex() - start];
        out.getBytes(start, text);
        if (!needsQuotes(text)) {
            return;
        }
        out.writerIndex(start);
        out.writeByte('"');
        for (byte character : text) {
            if (character == '"' || character == '\\') {
                out.writeByte('\\');
            }
            out.writeByte(character);
        }
        out.writeByte('"');
    }

    private static boolean needsQuotes(byte[] text) {
        if (text.length == 0 || AsciiText.isWord(text, 0, text.length, "null")) {
            return true;
        }
        for (byte character : text) {
            if (isMark(character) || AsciiText.isBlank(character)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isMark(byte character) {
        return switch (character) {
            case '"', '\\', '{', '}', ',' -> true;
            default -> false;
        };
    }

    /** Appends dimensions and elements in their binary forms. */
    public static void writeBinary(
            ByteBuf out, PostgresType element, List<? extends @Nullable Object> values, ZoneId zone) {
        out.writeInt(values.isEmpty() ? 0 : 1);
        out.writeInt(values.contains(null) ? 1 : 0);
        out.writeInt(element.oid());
        if (values.isEmpty()) {
            return;
        }
        out.writeInt(values.size()).writeInt(1);
        for (Object value : values) {
            if (value == null) {
                out.writeInt(-1);
            } else {
                int start = out.writerIndex();
                out.writeInt(0);
                ValueForm.write(out, element, ValueFormat.BINARY, value, zone);
                out.setInt(start, out.writerIndex() - start - Integer.BYTES);
            }
        }
    }

    /** Reads {@code {a,"b c",NULL}}. */
    public static List<@Nullable Object> parse(PostgresType element, byte[] text, int from, int to, ZoneId zone) {
        return new ArrayReader(element, text, from, to, zone).read();
    }

    /** Reads dimensions and elements in their binary forms. */
    public static List<@Nullable Object> decode(PostgresType element, byte[] bytes, ZoneId zone) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (in.remaining() < HEADER_BYTES) {
            throw invalid(element, "it is shorter than its header");
        }
        int dimensions = in.getInt();
        int flags = in.getInt();
        int oid = in.getInt();
        if (flags != 0 && flags != 1) {
            throw invalid(element, "invalid flags " + flags);
        }
        if (oid != element.oid()) {
            throw new FulmarException(
                    ErrorCode.TYPE_MISMATCH,
                    "wrong element type: an array has elements of the type " + oid + " instead of " + element.sqlName()
                            + "; cast it");
        }
        if (dimensions == 0) {
            requireEnd(element, in);
            return new ArrayList<>();
        }
        if (dimensions != 1) {
            throw dimensions(dimensions);
        }
        if (in.remaining() < DIMENSION_BYTES) {
            throw invalid(element, "it has no dimensions");
        }
        int count = in.getInt();
        in.getInt(); // the number of the first element, which is lost
        if (count < 0 || count > in.remaining() / Integer.BYTES) {
            throw invalid(element, "it counts " + count + " elements");
        }
        List<@Nullable Object> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(element(element, in, zone));
        }
        requireEnd(element, in);
        return values;
    }

    private static @Nullable Object element(PostgresType element, ByteBuffer in, ZoneId zone) {
        int length = in.remaining() < Integer.BYTES ? Integer.MIN_VALUE : in.getInt();
        if (length == -1) {
            return null;
        }
        if (length < 0 || length > in.remaining()) {
            throw invalid(element, "an element has no room");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return ValueForm.read(element, ValueFormat.BINARY, bytes, zone);
    }

    private static void requireEnd(PostgresType element, ByteBuffer in) {
        if (in.hasRemaining()) {
            throw invalid(element, "it has " + in.remaining() + " bytes too many");
        }
    }

    static FulmarException dimensions(int count) {
        return InvalidValue.unsupported(
                "arrays of " + (count > 1 ? count + " dimensions" : "such dimensions") + " are not supported; use one");
    }

    private static FulmarException invalid(PostgresType element, String problem) {
        return InvalidValue.binary(element, "of an array of it, " + problem);
    }

    /** Reader of the text of one array. */
    private static final class ArrayReader {
        private final PostgresType element;
        private final byte[] text;
        private final int from;
        private final int to;
        private final ZoneId zone;

        /** Takes one element after another, without its quotes and escapes. */
        private final byte[] value;

        private int position;

        private ArrayReader(PostgresType element, byte[] text, int from, int to, ZoneId zone) {
            this.element = element;
            this.text = text;
            this.from = from;
            this.to = to;
            this.zone = zone;
            value = new byte[to - from];
            position = AsciiText.trimmedStart(text, from, to);
        }

        private List<@Nullable Object> read() {
            List<@Nullable Object> values = new ArrayList<>();
            if (position < to && text[position] == '[') {
                throw dimensions(0);
            }
            expect('{');
            skipBlanks();
            if (isAt('}')) {
                position++;
            } else {
                do {
                    values.add(readElement());
                    skipBlanks();
                } while (isSeparatorNext());
            }
            skipBlanks();
            if (position != to) {
                throw malformed();
            }
            return values;
        }

        private boolean isSeparatorNext() {
            if (isAt(',')) {
                position++;
                return true;
            }
            expect('}');
            return false;
        }

        private @Nullable Object readElement() {
            skipBlanks();
            if (isAt('{')) {
                throw dimensions(2);
            }
            int size = 0;
            if (isAt('"')) {
                position++;
                while (!isAt('"')) {
                    value[size++] = unescaped();
                }
                position++;
                return ValueForm.parse(element, value, 0, size, zone);
            }
            int start = position;
            boolean isEscaped = false;
            int end = 0; // without blanks at the end, but for those that are escaped
            while (position < to && !isAt(',') && !isAt('}')) {
                boolean isEscape = isAt('\\');
                if (isAt('"') || isAt('{')) {
                    throw malformed();
                }
                isEscaped |= isEscape;
                byte character = unescaped();
                value[size++] = character;
                end = isEscape || !AsciiText.isBlank(character) ? size : end;
            }
            if (position == start || end == 0) {
                throw malformed();
            }
            return !isEscaped && AsciiText.isWord(value, 0, end, "null")
                    ? null
                    : ValueForm.parse(element, value, 0, end, zone);
        }

        /** The next character, or the one after a backslash. */
        private byte unescaped() {
            if (isAt('\\')) {
                position++;
            }
            if (position >= to) {
                throw malformed();
            }
            return text[position++];
        }

        private boolean isAt(char character) {
            return position < to && text[position] == character;
        }

        private void expect(char character) {
            if (!isAt(character)) {
                throw malformed();
            }
            position++;
        }

        private void skipBlanks() {
            position = AsciiText.trimmedStart(text, position, to);
        }

        private FulmarException malformed() {
            return new FulmarException(
                    ErrorCode.INVALID_TEXT,
                    "malformed array literal: \"" + InvalidValue.shown(text, from, to) + "\"; write it as {1,2,NULL}");
        }
    }
}
