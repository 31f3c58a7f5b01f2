package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the scripts of the resource folder {@code sql} on one partition and on three; the answers are the same. */
@Timeout(120)
class SqlScriptsTest {
    private static final Pattern PLACE = Pattern.compile("^(?:.*: )?(\\d+:\\d+): .*", Pattern.DOTALL);

    static List<Arguments> scripts() throws IOException, URISyntaxException {
        URL folder = Objects.requireNonNull(SqlScriptsTest.class.getResource("/sql"), "the scripts are resources");
        List<Arguments> arguments = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
            for (Path file : files.sorted().toList()) {
                arguments.add(Arguments.of(file.getFileName().toString(), 1, file));
                arguments.add(Arguments.of(file.getFileName().toString(), 3, file));
            }
        }
        return arguments;
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("scripts")
    void statementsAnswerAsTheScriptSays(String name, int partitions, Path file) throws IOException {
        try (FulmarNode node = SmallNode.start(partitions);
                FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            for (SqlScript.Step step : SqlScript.read(file).steps()) {
                List<String> answer = answer(client, step);
                if (step.answered()) {
                    assertThat(ordered(step, answer))
                            .as("%s: %s", name, step.statement())
                            .isEqualTo(ordered(step, step.answer()));
                } else {
                    assertThat(answer)
                            .as("%s: %s", name, step.statement())
                            .noneMatch(line -> line.startsWith("error "));
                }
            }
        }
    }

    /** Order counts where the statement asks for one. */
    private static List<String> ordered(SqlScript.Step step, List<String> lines) {
        boolean hasOrder =
                step.statement().contains("ORDER BY") || step.statement().startsWith("EXPLAIN");
        return hasOrder ? lines : lines.stream().sorted().toList();
    }

    private static List<String> answer(FulmarClient client, SqlScript.Step step) {
        try {
            CallResult result = client.execute(step.statement());
            if (result.hasValue()) {
                return List.of("count " + result.longValue());
            }
            return result.tables().isEmpty() ? List.of() : rows(result.table());
        } catch (FulmarException e) {
            boolean placed = step.answered() && step.answer().getFirst().matches("error \\w+ \\d+:\\d+");
            return List.of("error " + e.code() + (placed ? " " + place(String.valueOf(e.getMessage())) : ""));
        }
    }

    private static String place(String message) {
        Matcher matcher = PLACE.matcher(message);
        return matcher.matches() ? matcher.group(1) : "nowhere: " + message;
    }

    private static List<String> rows(ResultTable table) {
        return ResultRows.of(table, " | ");
    }
}
