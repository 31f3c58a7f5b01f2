package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.postgres.type.ByteaForm;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Texts that stand for bytes: {@code '\x00ff'::bytea}. The engine would take their letters as the bytes. A text in the
 * form of bytes that says no type is refused, since only its column would tell what it stands for.
 */
final class ByteLiterals {
    private static final Pattern HEXADECIMAL = Pattern.compile("\\\\x([0-9A-Fa-f]{2})+");

    private final String source;
    private final Words words;

    private ByteLiterals(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    static void replace(String source, Words words) {
        ByteLiterals bytes = new ByteLiterals(source, words);
        for (int i = 0; i < words.count(); i++) {
            switch (words.at(i).kind()) {
                case STRING, ESCAPED, DOLLAR -> bytes.literal(i);
                default -> {
                    // No text.
                }
            }
        }
    }

    private void literal(int place) {
        boolean isCast = words.areAt(place - 2, "CAST", "(") && words.areAt(place + 1, "AS");
        String text = TextLiteral.value(source, words.at(place));
        if (isCast && words.areAt(place + 2, "BYTEA", ")")) {
            words.replace(place, place + 1, bytes(text));
        } else if (words.areAt(place - 1, "BYTEA")) {
            words.replace(place - 1, place + 1, bytes(text));
        } else if (!isCast && HEXADECIMAL.matcher(text).matches()) {
            throw Place.error(
                    ErrorCode.NOT_SUPPORTED,
                    source,
                    words.at(place).start(),
                    "a literal in the form of bytes says its type here; write '" + text + "'::bytea, or ::text");
        }
    }

    private static String bytes(String text) {
        byte[] written = text.getBytes(StandardCharsets.UTF_8);
        return "X'" + HexFormat.of().formatHex(ByteaForm.parse(written, 0, written.length)) + "'";
    }
}
