package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Text as PostgreSQL has it: UTF-8 without zeros, the same in both formats. */
public final class CharacterForm {
    private static final char REPLACEMENT = '\uFFFD';
    private static final int CONTINUATION_MASK = 0xC0;
    private static final int CONTINUATION = 0x80;

    private CharacterForm() {}

    /** Appends text. */
    public static void write(ByteBuf out, String text) {
        ByteBufUtil.writeUtf8(out, text);
    }

    /** Appends text in UTF-8 and blanks up to so many characters, as {@code char(n)} is shown. */
    public static void writePadded(ByteBuf out, byte[] utf8, int offset, int length, int characters) {
        out.writeBytes(utf8, offset, length);
        int missing = characters;
        for (int i = offset; i < offset + length; i++) {
            if ((utf8[i] & CONTINUATION_MASK) != CONTINUATION) {
                missing--;
            }
        }
        for (int i = 0; i < missing; i++) {
            out.writeByte(' ');
        }
    }

    /** Reads text; bytes that are no characters fail with 22021. */
    public static String parse(byte[] bytes, int from, int to) {
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (text.indexOf(0) >= 0 || text.indexOf(REPLACEMENT) >= 0) {
            check(bytes, from, to);
        }
        return text;
    }

    /** Fails with 22021 if the bytes are not characters in UTF-8 other than zero. */
    public static void check(byte[] bytes, int from, int to) {
        boolean isAscii = true;
        for (int i = from; i < to; i++) {
            if (bytes[i] == 0) {
                throw invalid("0x00");
            }
            isAscii &= bytes[i] > 0;
        }
        if (isAscii) {
            return;
        }
        ByteBuffer source = ByteBuffer.wrap(bytes, from, to - from);
        try {
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(source);
        } catch (CharacterCodingException e) {
            throw invalid("the bytes at " + (source.position() - from));
        }
    }

    private static FulmarException invalid(String bytes) {
        return new FulmarException(
                ErrorCode.INVALID_CHARACTERS,
                "invalid byte sequence for encoding \"UTF8\": " + bytes + "; send text in UTF-8 without zeros");
    }
}
