package dev.fulmar.wire.postgres.type;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.SqlState;
import dev.fulmar.wire.postgres.message.ValueFormat;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The text and binary forms of values are those of PostgreSQL 15, whose answers are stored; so are the texts that it
 * takes, and the SQLSTATEs with which it refuses others.
 */
class PostgresSamplesTest {
    @Test
    void bothFormsOfEachValueAreThoseOfPostgres() {
        List<String> differences = new ArrayList<>();
        int count = 0;
        for (String[] line : PostgresSamples.lines("/dev/fulmar/wire/postgres/samples/values.tsv")) {
            String text = PostgresSamples.unescaped(line[2]);
            compare(differences, PostgresSamples.Kind.of(line[0]), line[0], line[1], text);
            count++;
        }
        assertThat(differences).isEmpty();
        assertThat(count).isGreaterThan(3_000);
    }

    private static void compare(
            List<String> differences, PostgresSamples.Kind kind, String name, String hex, String text) {
        try {
            Object ofText = kind.read(ValueFormat.TEXT, text.getBytes(StandardCharsets.UTF_8));
            Object ofBinary = kind.read(ValueFormat.BINARY, ByteBufUtil.decodeHexDump(hex));
            for (Object value : List.of(ofText, ofBinary)) {
                String writtenText = new String(kind.write(ValueFormat.TEXT, value), StandardCharsets.UTF_8);
                String writtenHex = ByteBufUtil.hexDump(kind.write(ValueFormat.BINARY, value));
                if (!writtenText.equals(text) || !writtenHex.equals(hex)) {
                    differences.add(name + " " + text + " " + hex + ": " + writtenText + " " + writtenHex);
                }
            }
        } catch (FulmarException e) {
            differences.add(name + " " + text + " " + hex + ": " + e.getMessage());
        }
    }

    /** The same value, the same SQLSTATE, or an error where the page says so: never another value. */
    @Test
    void textIsTakenOrRefusedAsByPostgres() {
        List<String> differences = new ArrayList<>();
        TreeSet<String> refused = new TreeSet<>();
        for (String[] line : PostgresSamples.lines("/dev/fulmar/wire/postgres/samples/inputs.tsv")) {
            String input = PostgresSamples.unescaped(line[1]);
            String expected = line[2].equals("ok") ? PostgresSamples.unescaped(line[3]) : line[2];
            String found = answer(PostgresSamples.Kind.of(line[0]), input);
            if (!found.equals(expected)) {
                String difference = line[0] + "\t" + line[1] + "\t" + line[2] + "\t" + line[3];
                if (found.length() == 5 && found.matches("[0-9A-Z]{5}")) {
                    refused.add(difference + "\t" + found);
                } else {
                    differences.add(difference + "\tbut " + found);
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(String.join("\n", refused))
                .isEqualTo(PostgresSamples.lines("/dev/fulmar/wire/postgres/samples/refused.tsv").stream()
                        .map(fields -> String.join("\t", fields))
                        .collect(Collectors.joining("\n")));
    }

    private static String answer(PostgresSamples.Kind kind, String input) {
        try {
            Object value = kind.read(ValueFormat.TEXT, input.getBytes(StandardCharsets.UTF_8));
            return new String(kind.write(ValueFormat.TEXT, value), StandardCharsets.UTF_8);
        } catch (FulmarException e) {
            return SqlState.of(e.code());
        }
    }

    @Test
    void sqlStatesAreThoseOfPostgres() {
        assertThat(SqlState.of(ErrorCode.INVALID_TEXT)).isEqualTo("22P02");
        assertThat(SqlState.of(ErrorCode.SYNTAX)).isEqualTo("42601");
        assertThat(SqlState.of(ErrorCode.UNIQUE_VIOLATION)).isEqualTo("23505");
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(SqlState.of(code)).hasSize(5).doesNotStartWith("HY").doesNotStartWith("42S");
        }
    }
}
