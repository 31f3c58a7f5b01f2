package dev.fulmar.benchmarks.regression;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The differences that docs/POSTGRESQL.md describes, by file and statement. Lines of the list are a reason that ends
 * with a colon, or a file with numbers of statements.
 */
final class DocumentedDifferences {
    private final Map<String, String> reasons = new LinkedHashMap<>();

    DocumentedDifferences(List<String> lines) {
        String reason = "";
        for (String line : lines) {
            if (line.endsWith(":")) {
                reason = line.substring(0, line.length() - 1);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                String[] words = line.strip().split("\\s+", -1);
                for (int i = 1; i < words.length; i++) {
                    if (reasons.put(words[0] + " " + words[i], reason) != null) {
                        throw new IllegalArgumentException(words[0] + " " + words[i] + " has two reasons");
                    }
                }
            }
        }
    }

    static DocumentedDifferences load() throws IOException {
        try (InputStream stream =
                DocumentedDifferences.class.getResourceAsStream("/postgres-regression-differences.txt")) {
            if (stream == null) {
                throw new IllegalStateException("the resource postgres-regression-differences.txt is missing");
            }
            return new DocumentedDifferences(new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
                    .lines()
                    .toList());
        }
    }

    /** The reasons, of which each is in the documentation. */
    Set<String> reasons() {
        return new LinkedHashSet<>(reasons.values());
    }

    /** The judgement with the reason of the list, if it has one for a statement that is not equal. */
    Verdict judged(String file, Verdict verdict) {
        String reason = reasons.get(file + " " + verdict.statement());
        boolean differs = verdict.kind() == Verdict.Kind.WRONG || verdict.kind() == Verdict.Kind.LABEL;
        return reason != null && differs ? new Verdict(verdict.statement(), Verdict.Kind.DOCUMENTED, reason) : verdict;
    }
}
