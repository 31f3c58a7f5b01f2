package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.execution.value.RegularExpression;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of SIMILAR TO (ISO 9075-2, 8.6) as regular expressions. It has three parts where two marks, an escape
 * character and a double quote each, are in it; else it has one. In a pattern behind {@code ***:} an escaped letter is
 * what it is in regular expressions of PostgreSQL; in others, which earlier builds have stored, it is the letter.
 */
record SimilarPattern(String written, String escape, List<RegularExpression> parts) {
    private static final int MARKED_PARTS = 3;
    private static final String ADVANCED = "***:";

    /** Finding a part tries all places of its begin and its end. */
    private static final int MOST_CHARACTERS = 2_000;

    /** Characters that the trials for one text read together, which takes about a second. */
    private static final int MOST_READ = 10_000_000;

    /** @param escape one character, or none */
    static SimilarPattern of(String pattern, String escape) {
        if (escape.codePointCount(0, escape.length()) > 1) {
            throw new FulmarException(
                    ErrorCode.INVALID_ESCAPE, "invalid escape string: it is empty or one character, not " + escape);
        }
        boolean isAdvanced = pattern.startsWith(ADVANCED);
        String written = isAdvanced ? pattern.substring(ADVANCED.length()) : pattern;
        List<String> parts = new Reader(written, escape, isAdvanced).read();
        if (parts.size() > MARKED_PARTS) {
            throw new FulmarException(
                    ErrorCode.INVALID_ESCAPE_USE,
                    "SQL regular expression may not contain more than two escape-double-quote separators");
        }
        return new SimilarPattern(
                pattern,
                escape,
                parts.stream()
                        .map(part -> RegularExpression.of((isAdvanced ? ADVANCED : "") + "^(?:" + part + ")$", false))
                        .toList());
    }

    /** Whether the whole text matches the pattern. */
    boolean matches(String text) {
        if (parts.size() > 1) {
            return part(text) != null;
        }
        return parts.getFirst().matches(text);
    }

    /** The marked part of a text: what is before it is as short as can be, and then the part as long. */
    @Nullable String part(String text) {
        if (parts.size() == 1) {
            return matches(text) ? text : null;
        }
        if (text.length() > MOST_CHARACTERS) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a part of a text of more than " + MOST_CHARACTERS + " characters is not found; use REGEXP_SUBSTR");
        }
        Trials trials = new Trials();
        boolean[] ends = new boolean[text.length() + 1];
        for (int i = 0; i <= text.length(); i++) {
            ends[i] =
                    parts.size() < MARKED_PARTS ? i == text.length() : trials.matches(parts.get(2), text.substring(i));
        }
        for (int begin = 0; begin <= text.length(); begin++) {
            if (trials.matches(parts.getFirst(), text.substring(0, begin))) {
                for (int end = text.length(); end >= begin; end--) {
                    if (ends[end] && trials.matches(parts.get(1), text.substring(begin, end))) {
                        return text.substring(begin, end);
                    }
                }
            }
        }
        return null;
    }

    /** Trials of one text: what they read together is bounded, as the partition serves nothing else meanwhile. */
    private static final class Trials {
        private int left = MOST_READ;

        boolean matches(RegularExpression part, String text) {
            left -= text.length() + 1;
            if (left < 0) {
                throw new FulmarException(
                        ErrorCode.STATEMENT_TOO_COMPLEX,
                        "the marked part of a text takes too many trials to find; use REGEXP_SUBSTR");
            }
            return part.matches(text);
        }
    }

    /** Reads a pattern. */
    private static final class Reader {
        private final String pattern;
        private final String escape;
        private final boolean isAdvanced;
        private final List<String> parts = new ArrayList<>();
        private StringBuilder part = new StringBuilder();
        private boolean isInBrackets;

        Reader(String pattern, String escape, boolean isAdvanced) {
            this.pattern = pattern;
            this.escape = escape;
            this.isAdvanced = isAdvanced;
        }

        List<String> read() {
            int place = 0;
            while (place < pattern.length()) {
                boolean isEscaped = !escape.isEmpty() && pattern.startsWith(escape, place);
                place += isEscaped ? escape.length() : 0;
                if (place < pattern.length()) {
                    int character = pattern.codePointAt(place);
                    place += Character.charCount(character);
                    if (isEscaped) {
                        escaped(character);
                    } else {
                        plain(character);
                    }
                }
            }
            parts.add(part.toString());
            return parts;
        }

        private void escaped(int character) {
            if (character == '"' && !isInBrackets) {
                parts.add(part.toString());
                part = new StringBuilder();
            } else {
                literal(character);
            }
        }

        private void literal(int character) {
            if (isAdvanced || !Character.isLetterOrDigit(character)) {
                part.append('\\');
            }
            part.appendCodePoint(character);
        }

        private void plain(int character) {
            if (isInBrackets) {
                if (character == '\\') {
                    part.append('\\');
                }
                part.appendCodePoint(character);
                isInBrackets = character != ']';
                return;
            }
            switch (character) {
                case '[' -> {
                    part.append('[');
                    isInBrackets = true;
                }
                case '%' -> part.append(".*");
                case '_' -> part.append('.');
                case '(' -> part.append("(?:");
                case '\\', '.', '^', '$' -> literal(character);
                default -> part.appendCodePoint(character);
            }
        }
    }
}
