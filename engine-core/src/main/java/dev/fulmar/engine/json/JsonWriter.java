package dev.fulmar.engine.json;

import java.util.HexFormat;
import java.util.List;

/** Writes documents as text, as PostgreSQL does. */
public final class JsonWriter {
    private static final String STEP = "    ";

    private final StringBuilder text = new StringBuilder();

    private JsonWriter() {}

    /** The canonical text. */
    public static String text(JsonValue value) {
        JsonWriter writer = new JsonWriter();
        writer.write(value);
        return writer.text.toString();
    }

    /** The text with a line for each part. */
    static String pretty(JsonValue value) {
        JsonWriter writer = new JsonWriter();
        writer.pretty(value, "\n");
        return writer.text.toString();
    }

    /** The text in quotes, with escapes. */
    public static String quoted(String text) {
        JsonWriter writer = new JsonWriter();
        writer.quote(text);
        return writer.text.toString();
    }

    private void write(JsonValue value) {
        JsonText.checkWritten(text.length());
        switch (value) {
            case JsonValue.Elements(List<JsonValue> values) -> {
                String separator = "[";
                for (JsonValue each : values) {
                    text.append(separator);
                    write(each);
                    separator = ", ";
                }
                text.append(values.isEmpty() ? "[]" : "]");
            }
            case JsonValue.Members(List<JsonValue.Member> members) -> {
                String separator = "{";
                for (JsonValue.Member each : members) {
                    text.append(separator);
                    quote(each.key());
                    text.append(": ");
                    write(each.value());
                    separator = ", ";
                }
                text.append(members.isEmpty() ? "{}" : "}");
            }
            default -> scalar(value);
        }
    }

    private void scalar(JsonValue value) {
        switch (value) {
            case JsonValue.Truth truth -> text.append(truth.value());
            case JsonValue.Number number -> text.append(number.value().toPlainString());
            case JsonValue.Text string -> quote(string.value());
            default -> text.append("null");
        }
    }

    /** @param line begins a line of the part */
    private void pretty(JsonValue value, String line) {
        String inner = line + STEP;
        switch (value) {
            case JsonValue.Elements(List<JsonValue> values) -> {
                String separator = "[";
                for (JsonValue each : values) {
                    text.append(separator).append(inner);
                    pretty(each, inner);
                    separator = ",";
                }
                text.append(values.isEmpty() ? "[" : "").append(line).append(']');
            }
            case JsonValue.Members(List<JsonValue.Member> members) -> {
                String separator = "{";
                for (JsonValue.Member each : members) {
                    text.append(separator).append(inner);
                    quote(each.key());
                    text.append(": ");
                    pretty(each.value(), inner);
                    separator = ",";
                }
                text.append(members.isEmpty() ? "{" : "").append(line).append('}');
            }
            default -> scalar(value);
        }
    }

    private void quote(String string) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            char each = string.charAt(i);
            switch (each) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\b' -> text.append("\\b");
                case '\f' -> text.append("\\f");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (each < ' ') {
                        text.append(escaped(each));
                    } else {
                        text.append(each);
                    }
                }
            }
        }
        text.append('"');
    }

    /** The character by its number. */
    static String escaped(char each) {
        return "\\u" + HexFormat.of().toHexDigits(each);
    }
}
