package dev.fulmar.postgres.copy;

import dev.fulmar.postgres.dialect.CopyOptions;
import io.netty.buffer.ByteBuf;

/** Writes lines of the text format. */
final class TextWriter extends DelimitedWriter {
    /** Letters that stand behind a backslash for the control characters from {@link #FIRST_CONTROL} on. */
    private static final String CONTROLS = "btnvfr";

    private static final int FIRST_CONTROL = '\b';

    private final byte delimiter;

    TextWriter(CopyOptions options) {
        super(options);
        delimiter = options.delimiter();
    }

    @Override
    void value(byte[] bytes, int length, int column, ByteBuf out) {
        int plain = 0;
        for (int i = 0; i < length; i++) {
            byte next = bytes[i];
            int control = next - FIRST_CONTROL;
            boolean isControl = control >= 0 && control < CONTROLS.length();
            if (isControl || next == '\\' || next == delimiter) {
                out.writeBytes(bytes, plain, i - plain);
                out.writeByte('\\');
                out.writeByte(isControl ? CONTROLS.charAt(control) : next);
                plain = i + 1;
            }
        }
        out.writeBytes(bytes, plain, length - plain);
    }

    @Override
    void name(byte[] bytes, ByteBuf out) {
        value(bytes, bytes.length, 0, out);
    }
}
