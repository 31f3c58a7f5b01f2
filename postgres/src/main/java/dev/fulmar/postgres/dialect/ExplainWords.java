package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.Locale;
import java.util.Set;

/** Writes EXPLAIN as the engine does. A plan is shown in one form, so options of its form are left out. */
final class ExplainWords {
    private static final Set<String> OF_FORM =
            Set.of("COSTS", "VERBOSE", "BUFFERS", "TIMING", "SUMMARY", "WAL", "SETTINGS");

    private static final Set<String> OFF = Set.of("OFF", "FALSE", "0", "NO");

    private final String source;
    private final Words words;
    private boolean analyzes;

    private ExplainWords(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    static void replace(String source, Words words) {
        if (words.at(0).isWord("EXPLAIN")) {
            new ExplainWords(source, words).replace();
        }
    }

    private void replace() {
        boolean isQuery = words.at(2).isWord("SELECT")
                || words.at(2).isWord("VALUES")
                || words.at(2).isWord("WITH");
        if (words.at(1).isSymbol("(") && !isQuery && !words.at(2).isSymbol("(")) {
            int end = words.closing(1);
            int start = 2;
            for (int i = 2; i <= end; i++) {
                if (i == end || words.at(i).isSymbol(",")) {
                    option(start, i);
                    start = i + 1;
                }
            }
            words.replace(1, end + 1, analyzes ? "ANALYZE" : "");
        }
        int verbose = words.at(1).isWord("ANALYZE") || words.at(1).isWord("ANALYSE") ? 2 : 1;
        if (words.at(verbose).isWord("VERBOSE")) {
            words.replace(verbose, verbose + 1, "");
        }
        if (words.at(verbose).isWord("DECLARE")) {
            int query = words.outside(verbose, "FOR");
            words.replace(verbose, Math.min(query + 1, words.count() - 1), ""); // the plan is that of the query
        }
    }

    private void option(int from, int to) {
        String name = words.at(from).text().toUpperCase(Locale.ROOT);
        String value = to - from > 1 ? words.at(from + 1).text().toUpperCase(Locale.ROOT) : "ON";
        if (name.equals("ANALYZE")) {
            analyzes = !OFF.contains(value);
        } else if (!OF_FORM.contains(name) && !(name.equals("FORMAT") && value.equals("TEXT"))) {
            throw Place.error(
                    ErrorCode.NOT_SUPPORTED,
                    source,
                    words.at(from).start(),
                    "EXPLAIN shows plans as text alone, and has no option " + name + "; leave it out");
        }
    }
}
