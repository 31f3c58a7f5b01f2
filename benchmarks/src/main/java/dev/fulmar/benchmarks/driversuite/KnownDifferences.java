package dev.fulmar.benchmarks.driversuite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The reasons why tests fail on a node, each of which docs/POSTGRESQL.md describes. Lines of the list are a reason that
 * ends with a colon, or a regular expression. A test has the reason if the expression is found in its name, or in the
 * message with which it fails.
 */
final class KnownDifferences {
    private static final String LIST = "/pgjdbc-suite-differences.txt";

    private record Known(Pattern pattern, String reason) {}

    private final List<Known> known = new ArrayList<>();

    KnownDifferences(List<String> lines) {
        String reason = "";
        for (String line : lines) {
            if (line.endsWith(":")) {
                reason = line.substring(0, line.length() - 1);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                known.add(new Known(Pattern.compile(line.strip()), reason));
            }
        }
    }

    static KnownDifferences load() throws IOException {
        try (InputStream stream = KnownDifferences.class.getResourceAsStream(LIST)) {
            if (stream == null) {
                throw new IllegalStateException("the resource " + LIST + " is missing");
            }
            return new KnownDifferences(new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
                    .lines()
                    .toList());
        }
    }

    /** The reason of a test that fails; empty if none is known. */
    Optional<String> reason(String test, String message) {
        return known.stream()
                .filter(each -> each.pattern.matcher(test).find()
                        || each.pattern.matcher(message).find())
                .map(Known::reason)
                .findFirst();
    }
}
