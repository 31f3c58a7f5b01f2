package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Reads {@code plans/NAME.plans}: blocks, parted by empty lines, of a statement behind {@code >} and what EXPLAIN says.
 */
final class PlanFiles {
    private PlanFiles() {}

    record Block(String statement, List<String> expected) {}

    static List<Block> blocks(String suite) {
        List<Block> blocks = new ArrayList<>();
        for (String text : resource(suite + ".plans").split("\n\n+", -1)) {
            List<String> lines = text.strip().lines().toList();
            if (!lines.isEmpty()) {
                assertThat(lines.getFirst()).startsWith("> ");
                blocks.add(new Block(lines.getFirst().substring(2), lines.subList(1, lines.size())));
            }
        }
        return blocks;
    }

    static String resource(String name) {
        try (InputStream stream = Objects.requireNonNull(PlanFiles.class.getResourceAsStream("/plans/" + name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
