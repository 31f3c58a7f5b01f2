package dev.fulmar.engine.json;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes canonical documents as bytes whose unsigned order is PostgreSQL's order of JSONB: null, texts, numbers, false,
 * true, arrays, objects. Of two arrays or objects the one with more parts is greater. An empty array by itself comes
 * before all else. Texts and keys compare by their bytes.
 */
public final class JsonOrder {
    private static final int EMPTY = 1;
    private static final int NOTHING = 2;
    private static final int TEXT = 3;
    private static final int NUMBER = 4;
    private static final int FALSE = 5;
    private static final int TRUE = 6;
    private static final int ELEMENTS = 7;
    private static final int MEMBERS = 8;

    private static final int NEGATIVE = 1;
    private static final int ZERO = 2;
    private static final int POSITIVE = 3;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private JsonOrder() {}

    /** The bytes of a document. */
    public static byte[] bytes(JsonValue value) {
        JsonOrder order = new JsonOrder();
        if (value instanceof JsonValue.Elements(List<JsonValue> values) && values.isEmpty()) {
            order.bytes.write(EMPTY);
        } else {
            order.write(value);
        }
        return order.bytes.toByteArray();
    }

    private void write(JsonValue value) {
        switch (value) {
            case JsonValue.Nothing nothing -> bytes.write(NOTHING);
            case JsonValue.Text(String text) -> {
                bytes.write(TEXT);
                text(text);
            }
            case JsonValue.Number(BigDecimal number) -> {
                bytes.write(NUMBER);
                number(number);
            }
            case JsonValue.Truth(boolean truth) -> bytes.write(truth ? TRUE : FALSE);
            case JsonValue.Elements(List<JsonValue> values) -> {
                bytes.write(ELEMENTS);
                integer(values.size(), 0);
                values.forEach(this::write);
            }
            case JsonValue.Members(List<JsonValue.Member> members) -> {
                bytes.write(MEMBERS);
                integer(members.size(), 0);
                for (JsonValue.Member member : members) {
                    text(member.key());
                    write(member.value());
                }
            }
        }
    }

    /** A text has no zero byte, so that one ends it. */
    private void text(String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        bytes.write(0);
    }

    /** Sign, place of the first digit, and the digits up to the last that is not 0. */
    private void number(BigDecimal number) {
        if (number.signum() == 0) {
            bytes.write(ZERO);
            return;
        }
        String digits = number.unscaledValue().abs().toString();
        int end = digits.length(); // to strip zeros from the number takes long if it has many
        while (end > 1 && digits.charAt(end - 1) == '0') {
            end--;
        }
        int flip = number.signum() < 0 ? -1 : 0;
        bytes.write(flip == 0 ? POSITIVE : NEGATIVE);
        integer((digits.length() - number.scale()) ^ Integer.MIN_VALUE, flip);
        for (int i = 0; i < end; i++) {
            bytes.write(digits.charAt(i) ^ flip);
        }
        bytes.write(flip);
    }

    /** Most significant byte first, with all bits turned over by a flip of -1. */
    private void integer(int value, int flip) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes.write((value >>> shift) ^ flip);
        }
    }
}
