package dev.fulmar.foundation.scram;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Base64;

/** The attributes of SCRAM's messages: {@code letter=value}, with commas between, in a fixed order. */
final class ScramText {
    private static final int MOST_CHARACTERS = 4_096;

    private ScramText() {}

    /** The values of a message that has exactly these attributes in this order. */
    static String[] values(String message, String letters) {
        if (message.length() > MOST_CHARACTERS) {
            throw malformed();
        }
        String[] parts = message.split(",", -1);
        if (parts.length != letters.length()) {
            throw malformed();
        }
        for (int i = 0; i < parts.length; i++) {
            if (parts[i].length() < 3 || parts[i].charAt(0) != letters.charAt(i) || parts[i].charAt(1) != '=') {
                throw malformed();
            }
            parts[i] = parts[i].substring(2);
        }
        return parts;
    }

    static String escaped(String name) {
        return name.replace("=", "=3D").replace(",", "=2C");
    }

    static String unescaped(String name) {
        if (name.replace("=2C", "").replace("=3D", "").indexOf('=') >= 0) {
            throw malformed();
        }
        return name.replace("=2C", ",").replace("=3D", "=");
    }

    static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static byte[] decoded(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw malformed();
        }
    }

    static FulmarException malformed() {
        return new FulmarException(
                ErrorCode.MALFORMED_REQUEST,
                "a message of SCRAM-SHA-256 cannot be understood; see docs/PROTOCOL.md, or use a client of Fulmar");
    }
}
