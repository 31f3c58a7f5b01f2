package dev.fulmar.engine.execution.function;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/** Functions of texts and bytes. */
final class TextValues {
    private static final HexFormat HEX = HexFormat.of();

    /** Characters of a line of base64 (RFC 2045). */
    private static final int LINE = 76;

    private TextValues() {}

    /** text, separator, number of the part, from the end if it is negative. */
    static String splitPart(Object[] arguments) {
        String text = (String) arguments[0];
        String separator = (String) arguments[1];
        long number = (Long) arguments[2];
        if (number == 0) {
            throw wrong("SPLIT_PART has no part 0; parts are counted from 1, or from the end as -1");
        }
        if (separator.isEmpty()) {
            return number == 1 || number == -1 ? text : "";
        }
        return number > 0 ? fromStart(text, separator, number) : fromEnd(text, separator, -number);
    }

    private static String fromStart(String text, String separator, long number) {
        int start = 0;
        for (long part = 1; part < number; part++) {
            int end = text.indexOf(separator, start);
            if (end < 0) {
                return "";
            }
            start = end + separator.length();
        }
        int end = text.indexOf(separator, start);
        return text.substring(start, end < 0 ? text.length() : end);
    }

    /** Separators are found from the start on, as they may overlap. */
    private static String fromEnd(String text, String separator, long number) {
        long parts = 1;
        for (int at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + separator.length())) {
            parts++;
        }
        return number > parts ? "" : fromStart(text, separator, parts - number + 1);
    }

    static Boolean startsWith(Object[] arguments) {
        return ((String) arguments[0]).startsWith((String) arguments[1]);
    }

    static String md5(Object[] arguments) {
        return HEX.formatHex(digest("MD5", arguments));
    }

    static byte[] digest(String algorithm, Object[] arguments) {
        byte[] bytes =
                arguments[0] instanceof byte[] given ? given : ((String) arguments[0]).getBytes(StandardCharsets.UTF_8);
        try {
            return MessageDigest.getInstance(algorithm).digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new FulmarException(ErrorCode.INTERNAL, "this Java runtime has no " + algorithm, e);
        }
    }

    /** bytes, name of the form. */
    static String encode(Object[] arguments) {
        byte[] bytes = (byte[]) arguments[0];
        return switch (form(arguments[1])) {
            case HEX -> HEX.formatHex(bytes);
            case BASE64 -> Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes);
            case ESCAPE -> escaped(bytes);
        };
    }

    /** text, name of the form. */
    static byte[] decode(Object[] arguments) {
        String text = (String) arguments[0];
        return switch (form(arguments[1])) {
            case HEX -> ofHex(text);
            case BASE64 -> ofBase64(text);
            case ESCAPE -> ofEscaped(text);
        };
    }

    /** Forms in which bytes are text. */
    private enum Form {
        HEX,
        BASE64,
        ESCAPE
    }

    private static Form form(Object name) {
        for (Form form : Form.values()) {
            if (form.name().equals(((String) name).toUpperCase(Locale.ROOT))) {
                return form;
            }
        }
        throw wrong("there is no encoding '" + name + "'; write hex, base64 or escape");
    }

    private static byte[] ofHex(String text) {
        try {
            return HEX.parseHex(text.replaceAll("[ \\t\\r\\n]", ""));
        } catch (IllegalArgumentException e) {
            throw wrong("the text is no pairs of hexadecimal digits: " + e.getMessage());
        }
    }

    private static byte[] ofBase64(String text) {
        try {
            return Base64.getDecoder().decode(text.replaceAll("[ \\t\\r\\n]", ""));
        } catch (IllegalArgumentException e) {
            throw wrong("the text is no base64: " + e.getMessage());
        }
    }

    private static String escaped(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length);
        for (byte each : bytes) {
            if (each == '\\') {
                text.append("\\\\");
            } else if (each <= 0) {
                text.append('\\')
                        .append((char) ('0' + ((each >> 6) & 3)))
                        .append((char) ('0' + ((each >> 3) & 7)))
                        .append((char) ('0' + (each & 7)));
            } else {
                text.append((char) each);
            }
        }
        return text.toString();
    }

    private static byte[] ofEscaped(String text) {
        byte[] given = text.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[given.length];
        int count = 0;
        for (int i = 0; i < given.length; i++) {
            if (given[i] != '\\') {
                bytes[count++] = given[i];
            } else if (i + 1 < given.length && given[i + 1] == '\\') {
                bytes[count++] = given[++i];
            } else if (i + 3 < given.length && isOctal(given, i + 1)) {
                bytes[count++] =
                        (byte) (((given[i + 1] - '0') << 6) | ((given[i + 2] - '0') << 3) | (given[i + 3] - '0'));
                i += 3;
            } else {
                throw wrong("a backslash stands before another one or before three octal digits");
            }
        }
        return java.util.Arrays.copyOf(bytes, count);
    }

    private static boolean isOctal(byte[] given, int place) {
        return given[place] >= '0'
                && given[place] <= '3'
                && given[place + 1] >= '0'
                && given[place + 1] <= '7'
                && given[place + 2] >= '0'
                && given[place + 2] <= '7';
    }

    static String quoteLiteral(Object[] arguments) {
        return quoted((String) arguments[0]);
    }

    /** The text as a literal of SQL. */
    static String quoted(String text) {
        String quoted = "'" + text.replace("'", "''") + "'";
        return text.indexOf('\\') < 0 ? quoted : "E" + quoted.replace("\\", "\\\\");
    }

    static FulmarException wrong(String message) {
        return new FulmarException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
