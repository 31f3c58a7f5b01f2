package dev.fulmar.postgres.copy;

import dev.fulmar.postgres.dialect.CopyCommand;
import dev.fulmar.postgres.dialect.CopyCommands;
import dev.fulmar.postgres.dialect.CopyOptions;
import dev.fulmar.postgres.dialect.FixedFacts;
import dev.fulmar.postgres.dialect.Translator;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** Data that PostgreSQL 15 has written and read, and pieces of them. */
final class CopySamples {
    private CopySamples() {}

    /** Lines of a file of samples. */
    static List<String> lines(String file) {
        try (InputStream stream = CopySamples.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(String hexadecimal) {
        return HexFormat.of().parseHex(hexadecimal.strip());
    }

    /** The options as a COPY has them behind STDIN. */
    static CopyOptions optionsIn(String text) {
        return options("COPY t FROM STDIN " + text);
    }

    /** The options as a COPY has them behind STDOUT. */
    static CopyOptions optionsOut(String text) {
        return options("COPY t TO STDOUT " + text);
    }

    private static CopyOptions options(String statement) {
        CopyCommand command = CopyCommands.of(
                Translator.translate(new Translator.Part(statement, 0), FixedFacts.OF_ANN), FixedFacts.OF_ANN);
        return command.options();
    }

    /** The data in pieces of so many bytes. */
    static List<byte[]> pieces(byte[] data, int bytes) {
        List<byte[]> pieces = new ArrayList<>();
        for (int from = 0; from < data.length; from += bytes) {
            pieces.add(Arrays.copyOfRange(data, from, Math.min(data.length, from + bytes)));
        }
        return pieces;
    }
}
