package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Puts arguments with names, as those of {@code make_interval(days => 10)}, in the order of the parameters. */
final class NamedArguments {
    private static final List<String> PARTS = List.of("YEARS", "MONTHS", "WEEKS", "DAYS", "HOURS", "MINS", "SECS");

    private final String source;
    private final Words words;

    private NamedArguments(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    static void replace(String source, Words words) {
        NamedArguments arguments = new NamedArguments(source, words);
        for (int i = 0; i < words.count(); i++) {
            if (words.areAt(i, "MAKE_INTERVAL", "(")) {
                arguments.replace(i + 2, words.closing(i + 1));
            }
        }
    }

    private boolean isNamed(int place) {
        return words.at(place + 1).isSymbol("=>") || words.at(place + 1).isSymbol(":=");
    }

    private void replace(int from, int to) {
        List<List<Lexeme>> ordered = new ArrayList<>();
        Map<String, List<Lexeme>> named = new HashMap<>();
        int begin = from;
        for (int i = from; i <= to; i++) {
            if (i < to && (words.at(i).isSymbol("(") || words.at(i).isSymbol("["))) {
                i = words.closing(i);
            } else if (i == to || words.at(i).isSymbol(",")) {
                if (isNamed(begin)) {
                    named.put(words.at(begin).word(), words.between(begin + 2, i));
                } else if (i > begin) {
                    ordered.add(words.between(begin, i));
                }
                begin = i + 1;
            }
        }
        if (!named.isEmpty()) {
            words.replace(from, to, inOrder(ordered, named, words.at(from)));
        }
    }

    private List<Lexeme> inOrder(List<List<Lexeme>> ordered, Map<String, List<Lexeme>> named, Lexeme first) {
        List<Lexeme> all = new ArrayList<>();
        for (int i = 0; i < PARTS.size(); i++) {
            List<Lexeme> other = named.remove(PARTS.get(i));
            if (i < ordered.size() && other != null) {
                throw unknown(first, PARTS.get(i));
            }
            if (i > 0) {
                all.add(new Lexeme(Lexeme.Kind.SYMBOL, ",", first.start()));
            }
            if (i < ordered.size()) {
                all.addAll(ordered.get(i));
            } else {
                all.addAll(other == null ? List.of(new Lexeme(Lexeme.Kind.NUMBER, "0", first.start())) : other);
            }
        }
        if (!named.isEmpty()) {
            throw unknown(first, named.keySet().iterator().next());
        }
        return all;
    }

    private RuntimeException unknown(Lexeme place, String name) {
        return Place.error(
                ErrorCode.UNDEFINED_OPERATION,
                source,
                place.start(),
                "make_interval takes each of years, months, weeks, days, hours, mins and secs once, and no "
                        + name.toLowerCase(Locale.ROOT));
    }
}
