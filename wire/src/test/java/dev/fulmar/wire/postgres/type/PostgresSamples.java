package dev.fulmar.wire.postgres.type;

import dev.fulmar.wire.postgres.message.ValueFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stored answers of PostgreSQL 15, and types by the names that they have there. */
final class PostgresSamples {
    private PostgresSamples() {}

    /**
     * A type of a sample: {@code int4}, {@code int4[]}, or {@code timestamptz Europe/Berlin} for one whose session had
     * the zone.
     */
    record Kind(PostgresType type, boolean isArray, ZoneId zone) {
        static Kind of(String name) {
            int blank = name.indexOf(' ');
            ZoneId zone = ZoneId.of(blank < 0 ? "Europe/Berlin" : name.substring(blank + 1));
            String typeName = blank < 0 ? name : name.substring(0, blank);
            boolean isArray = typeName.endsWith("[]");
            String element = isArray ? typeName.substring(0, typeName.length() - 2) : typeName;
            PostgresType type = Arrays.stream(PostgresType.values())
                    .filter(each -> each.typeName().equals(element))
                    .findFirst()
                    .orElseThrow();
            return new Kind(type, isArray, zone);
        }

        @SuppressWarnings("unchecked")
        byte[] write(ValueFormat format, Object value) {
            ByteBuf out = Unpooled.buffer();
            if (!isArray) {
                ValueForm.write(out, type, format, value, zone);
            } else if (format == ValueFormat.TEXT) {
                ArrayForm.writeText(out, type, (List<@Nullable Object>) value, zone);
            } else {
                ArrayForm.writeBinary(out, type, (List<@Nullable Object>) value, zone);
            }
            return ByteBufUtil.getBytes(out);
        }

        Object read(ValueFormat format, byte[] bytes) {
            if (!isArray) {
                return ValueForm.read(type, format, bytes, zone);
            }
            return format == ValueFormat.TEXT
                    ? ArrayForm.parse(type, bytes, 0, bytes.length, zone)
                    : ArrayForm.decode(type, bytes, zone);
        }
    }

    /** The fields of each line of a resource but for those that begin with a number sign. */
    static List<String[]> lines(String resource) {
        InputStream bytes = Objects.requireNonNull(PostgresSamples.class.getResourceAsStream(resource), resource);
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text without the escapes of COPY. */
    static String unescaped(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '\\') {
                i++;
                character = switch (text.charAt(i)) {
                    case 't' -> '\t';
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    case 'b' -> '\b';
                    case 'f' -> '\f';
                    case 'v' -> '\u000b';
                    default -> text.charAt(i);
                };
            }
            plain.append(character);
        }
        return plain.toString();
    }
}
