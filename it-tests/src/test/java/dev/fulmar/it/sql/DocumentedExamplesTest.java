package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of docs/SQL.md answer as the page says, on one partition and on three. */
@Timeout(120)
class DocumentedExamplesTest {
    private static final int FEWEST_EXAMPLES = 60;

    private static Path page() {
        Path here = Path.of("").toAbsolutePath();
        while (here != null && !Files.exists(here.resolve("docs/SQL.md"))) {
            here = here.getParent();
        }
        assertThat(here).as("the test runs within a checkout").isNotNull();
        return here.resolve("docs/SQL.md");
    }

    @ParameterizedTest(name = "on {0}")
    @ValueSource(ints = {1, 3})
    void everyExampleAnswersAsThePageSays(int partitions) throws IOException {
        List<DocumentedExamples.Step> steps = DocumentedExamples.of(page()).steps();
        assertThat(steps).hasSizeGreaterThan(FEWEST_EXAMPLES);
        try (FulmarNode node = SmallNode.start(partitions);
                FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            SoftAssertions all = new SoftAssertions();
            for (DocumentedExamples.Step step : steps) {
                all.assertThat(ordered(step, answer(client, step)))
                        .as("docs/SQL.md, line %d: %s", step.line(), step.statement())
                        .isEqualTo(ordered(step, step.answer()));
            }
            all.assertAll();
        }
    }

    /** A fenced block that is no example is grammar, which has no script's semicolons. */
    @Test
    void whatIsNotRunIsNoScript() throws IOException {
        assertThat(DocumentedExamples.of(page()).others())
                .allSatisfy(block -> assertThat(block.lines()).noneMatch(line -> line.endsWith(";")));
    }

    /** Order counts where the statement asks for one. */
    private static List<String> ordered(DocumentedExamples.Step step, List<String> lines) {
        String statement = step.statement().toUpperCase(Locale.ROOT);
        return statement.contains("ORDER BY") || statement.startsWith("EXPLAIN")
                ? lines
                : lines.stream().sorted().toList();
    }

    /** What the page leaves out is not asked for: how many rows a statement changed, where it does not matter. */
    private static List<String> answer(FulmarClient client, DocumentedExamples.Step step) {
        try {
            CallResult result = client.execute(step.statement());
            if (result.hasValue()) {
                return step.answer().isEmpty() ? List.of() : List.of("(" + result.longValue() + ")");
            }
            return result.tables().isEmpty() ? List.of() : rows(result.table());
        } catch (FulmarException e) {
            boolean isExpected =
                    !step.answer().isEmpty() && step.answer().getFirst().startsWith("error ");
            return List.of("error " + e.code() + (isExpected ? "" : ": " + e.getMessage()));
        }
    }

    private static List<String> rows(ResultTable table) {
        return ResultRows.of(table, " | ");
    }
}
