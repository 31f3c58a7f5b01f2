package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Wrong statements, each with the code, the place and the words of its error: {@code wrong-statements.script}, and in
 * {@code wrong-values.script} those that go wrong with the values they meet. Whatever the words are, no message shows
 * how the libraries are made, and each hint is one of a known set.
 */
@Timeout(120)
class WrongStatementsTest {
    private static final String GIVEN = "given ";
    private static final Pattern ERROR = Pattern.compile("error (\\w+) (\\d+:\\d+|nowhere)");
    private static final Pattern PLACE = Pattern.compile("^(?:procedure \\w+: )?(\\d+:\\d+): ");

    private static final Pattern INSIDE = Pattern.compile(
            "org\\.|java\\.|dev\\.fulmar|\\bclass |[$][A-Z]|Rex[A-Z]|Sql[A-Z]|Rel[A-Z]|Exception|EXPR|RECORDTYPE|Supported form|#[A-Z]");

    /** Days or microseconds since 1970 are nobody's values. */
    private static final Pattern RAW_TIME = Pattern.compile("(?:^|: )-?\\d+ (?:is no|does not fit in) (?:DATE|TIME)");

    private static final Set<String> HINTS =
            Set.of("a reserved word used as a name needs double quotes", "CAST(value AS type) converts explicitly");

    @ParameterizedTest(name = "{0} on {1}")
    @CsvSource({
        "wrong-statements.script, 350, 1",
        "wrong-statements.script, 350, 3",
        "wrong-values.script, 130, 1",
        "wrong-values.script, 130, 3"
    })
    void eachWrongStatementIsToldWhatIsWrongAndWhere(String script, int fewest, int partitions)
            throws IOException, URISyntaxException {
        Path file = Path.of(Objects.requireNonNull(WrongStatementsTest.class.getResource("/" + script))
                .toURI());
        SoftAssertions all = new SoftAssertions();
        int count = 0;
        try (FulmarNode node = SmallNode.start(partitions);
                FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            for (SqlScript.Step step : SqlScript.read(file).steps()) {
                if (step.answered()) {
                    count++;
                    check(all, client, step);
                } else {
                    client.execute(step.statement());
                }
            }
        }
        all.assertAll();
        assertThat(count).isGreaterThanOrEqualTo(fewest);
    }

    private static void check(SoftAssertions all, FulmarClient client, SqlScript.Step step) {
        Matcher expected = ERROR.matcher(step.answer().getFirst());
        assertThat(expected.matches()).as(step.toString()).isTrue();
        try {
            client.execute(step.statement(), given(step.answer()));
            all.fail(step.statement() + ": must fail");
        } catch (FulmarException e) {
            String message = String.valueOf(e.getMessage());
            Matcher place = PLACE.matcher(message);
            String said = "error " + e.code() + " " + (place.find() ? place.group(1) : "nowhere");
            all.assertThat(said + "\n" + message)
                    .as(step.statement())
                    .startsWith(step.answer().getFirst() + "\n");
            step.answer().stream()
                    .skip(1)
                    .filter(line -> !line.startsWith(GIVEN))
                    .forEach(words ->
                            all.assertThat(message).as(step.statement()).contains(words));
            checkWords(all, step, PLACE.matcher(message).replaceFirst(""));
        }
    }

    private static void checkWords(SoftAssertions all, SqlScript.Step step, String words) {
        all.assertThat(INSIDE.matcher(words).find())
                .as(step.statement() + ": shows the inside: " + words)
                .isFalse();
        all.assertThat(RAW_TIME.matcher(words).find())
                .as(step.statement() + ": shows a raw value: " + words)
                .isFalse();
        for (String hint : HINTS) {
            boolean isAllowed = step.answer().stream().anyMatch(line -> line.contains(hint));
            all.assertThat(!words.contains(hint) || isAllowed)
                    .as(step.statement() + ": has a hint that does not fit: " + words)
                    .isTrue();
        }
    }

    private static @Nullable Object[] given(List<String> answer) {
        List<@Nullable Object> values = new ArrayList<>();
        answer.stream()
                .filter(line -> line.startsWith(GIVEN))
                .flatMap(line -> Stream.of(line.substring(GIVEN.length()).split(" \\| ")))
                .forEach(text -> values.add(value(text)));
        return values.toArray();
    }

    private static @Nullable Object value(String text) {
        if (text.startsWith("'")) {
            return text.substring(1, text.length() - 1);
        }
        if (text.equals("null")) {
            return null;
        }
        if (text.equals("true")) {
            return true;
        }
        if (text.startsWith("date ")) {
            return LocalDate.parse(text.substring("date ".length()));
        }
        if (text.startsWith("bytes ")) {
            return HexFormat.of().parseHex(text.substring("bytes ".length()));
        }
        if (text.endsWith("E0")) {
            return Double.parseDouble(text);
        }
        return text.contains(".") ? new BigDecimal(text) : (Object) Long.parseLong(text);
    }
}
