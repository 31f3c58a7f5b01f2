package dev.fulmar.engine.execution.function;

import java.io.ByteArrayOutputStream;

/**
 * Bytes as texts, and the other way round, as PostgreSQL's encode and decode have them. Those of {@link TextValues}, by
 * which statements of earlier builds are run again, leave the end of the last full line out, and take more texts.
 */
final class EncodedTexts {
    private static final int BYTES_OF_LINE = 57;
    private static final int LETTERS = 64;
    private static final int OF_BASE64 = 4;

    private EncodedTexts() {}

    /** bytes, name of the form. */
    static String encode(Object[] arguments) {
        String text = TextValues.encode(arguments);
        int length = ((byte[]) arguments[0]).length;
        boolean endsLine = length > 0 && length % BYTES_OF_LINE == 0 && isNamed("base64", arguments[1]);
        return endsLine ? text + "\n" : text;
    }

    /** text, name of the form. */
    static byte[] decode(Object[] arguments) {
        String text = (String) arguments[0];
        if (isNamed("hex", arguments[1])) {
            return ofHex(text);
        }
        return isNamed("base64", arguments[1]) ? ofBase64(text) : TextValues.decode(arguments);
    }

    private static boolean isNamed(String form, Object name) {
        return form.equalsIgnoreCase((String) name);
    }

    private static boolean isBlank(char character) {
        return character == ' ' || character == '\t' || character == '\n' || character == '\r';
    }

    /** Blanks stand between bytes, not between the digits of one. */
    private static byte[] ofHex(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length() / 2);
        int place = 0;
        while (place < text.length()) {
            if (isBlank(text.charAt(place))) {
                place++;
                continue;
            }
            int first = digit(text, place);
            if (place + 1 == text.length()) {
                throw TextValues.wrong("invalid hexadecimal data: odd number of digits; write two for each byte");
            }
            bytes.write((first << 4) | digit(text, place + 1));
            place += 2;
        }
        return bytes.toByteArray();
    }

    private static int digit(String text, int place) {
        char character = text.charAt(place);
        int digit = character < 0x80 ? Character.digit(character, 16) : -1;
        if (digit < 0) {
            throw TextValues.wrong(
                    "invalid hexadecimal digit: \"" + character(text, place) + "\"; write 0 to 9 and a to f");
        }
        return digit;
    }

    private static String character(String text, int place) {
        return Character.toString(text.codePointAt(place));
    }

    /** Four letters are three bytes; fewer bytes, where an equals sign stands for the third or the fourth letter. */
    private static byte[] ofBase64(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        int bits = 0;
        int count = 0;
        int kept = 3;
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (isBlank(character)) {
                continue;
            }
            if (character == '=' && kept == 3) {
                if (count < 2) {
                    throw TextValues.wrong("unexpected \"=\" while decoding base64 sequence; it ends one");
                }
                kept = count - 1;
            }
            bits = (bits << 6) | (character == '=' ? 0 : letter(text, i));
            if (++count == OF_BASE64) {
                for (int shift = 16; shift > 16 - 8 * kept; shift -= 8) {
                    bytes.write(bits >> shift);
                }
                bits = 0;
                count = 0;
            }
        }
        if (count > 0) {
            throw TextValues.wrong("invalid base64 end sequence: padding is missing, or the text is cut off");
        }
        return bytes.toByteArray();
    }

    private static int letter(String text, int place) {
        char character = text.charAt(place);
        int value;
        if (character >= 'A' && character <= 'Z') {
            value = character - 'A';
        } else if (character >= 'a' && character <= 'z') {
            value = character - 'a' + 26;
        } else if (character >= '0' && character <= '9') {
            value = character - '0' + 52;
        } else {
            value = character == '+' ? LETTERS - 2 : character == '/' ? LETTERS - 1 : -1;
        }
        if (value < 0) {
            throw TextValues.wrong("invalid symbol \"" + character(text, place)
                    + "\" found while decoding base64 sequence; write letters, digits, + and /");
        }
        return value;
    }
}
