package dev.fulmar.postgres.copy;

import dev.fulmar.postgres.dialect.CopyOptions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Splits lines of the text format: delimiters, and backslashes before what is special. */
final class TextFields implements LineFields {
    private static final int OCTAL_BITS = 3;
    private static final int OCTAL_DIGITS = 3;
    private static final int HEXADECIMAL = 16;

    private final byte delimiter;
    private final byte[] nullText;
    private int at;

    TextFields(CopyOptions options) {
        delimiter = options.delimiter();
        nullText = options.nullText().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void split(byte[] line, int from, int to, CopyRow row, int most) {
        at = from;
        boolean hasNext = true;
        while (hasNext && row.count() < most) {
            hasNext = field(line, to, row);
        }
    }

    /** Reads one value; returns whether a delimiter ends it. */
    private boolean field(byte[] line, int to, CopyRow row) {
        int start = at;
        int end;
        while (true) {
            int plain = at;
            while (at < to && line[at] != delimiter && line[at] != '\\') {
                at++;
            }
            row.append(line, plain, at);
            end = at;
            if (at == to || line[at] == delimiter) {
                break;
            }
            at++;
            if (at == to) {
                break; // a backslash alone at the end stands for nothing
            }
            row.append(escaped(line, to));
        }
        row.endField(Arrays.equals(line, start, end, nullText, 0, nullText.length));
        boolean hasNext = at < to;
        at++;
        return hasNext;
    }

    /** The byte that stands behind a backslash. */
    private int escaped(byte[] line, int to) {
        byte letter = line[at++];
        return switch (letter) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'v' -> 0x0b;
            case 'x' -> hexadecimal(line, to);
            default -> letter >= '0' && letter <= '7' ? octal(line, to, letter - '0') : letter;
        };
    }

    private int octal(byte[] line, int to, int first) {
        int value = first;
        for (int i = 1; i < OCTAL_DIGITS && at < to && line[at] >= '0' && line[at] <= '7'; i++) {
            value = (value << OCTAL_BITS) | (line[at++] - '0');
        }
        return value;
    }

    private int hexadecimal(byte[] line, int to) {
        if (at == to || Character.digit(line[at], HEXADECIMAL) < 0) {
            return 'x';
        }
        int value = Character.digit(line[at++], HEXADECIMAL);
        if (at < to && Character.digit(line[at], HEXADECIMAL) >= 0) {
            value = value * HEXADECIMAL + Character.digit(line[at++], HEXADECIMAL);
        }
        return value;
    }
}
