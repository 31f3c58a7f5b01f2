package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.execution.value.ExpressionSearch;
import dev.fulmar.engine.execution.value.ExpressionSearch.Match;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** A text in which matches are replaced. A backslash before a digit is that group, before {@code &} the whole match. */
final class Replacement {
    /** Characters of a result; a replacement may hold the match many times. */
    private static final int MOST_CHARACTERS = 1 << 24;

    private final String by;
    private final boolean hasGroups;
    private final int[] characters;
    private final ExpressionSearch search;
    private final StringBuilder text = new StringBuilder();
    private int copied;

    Replacement(String by, int[] characters, ExpressionSearch search) {
        this.by = by;
        this.characters = characters;
        this.search = search;
        boolean found = false;
        for (int i = 0; i + 1 < by.length(); i++) {
            if (by.charAt(i) == '\\') {
                found |= Character.isDigit(by.charAt(++i));
            }
        }
        hasGroups = found;
    }

    void append(Match match) {
        copy(copied, match.start());
        copied = match.end();
        int[] groups = hasGroups ? search.groups(match) : new int[] {match.start(), match.end()};
        for (int i = 0; i < by.length(); i++) {
            char character = by.charAt(i);
            char next = character == '\\' && i + 1 < by.length() ? by.charAt(i + 1) : 'x';
            if (next >= '1' && next <= '9') {
                group(groups, next - '0');
                i++;
            } else if (next == '&') {
                group(groups, 0);
                i++;
            } else {
                text.append(character);
                i += next == '\\' ? 1 : 0;
            }
        }
    }

    private void group(int[] groups, int number) {
        if (2 * number < groups.length && groups[2 * number] >= 0) {
            copy(groups[2 * number], groups[2 * number + 1]);
        }
    }

    private void copy(int start, int end) {
        if (text.length() + (end - start) > MOST_CHARACTERS) {
            throw new FulmarException(
                    ErrorCode.STRING_TOO_LONG,
                    "the text with its replacements has more than " + MOST_CHARACTERS + " characters");
        }
        for (int i = start; i < end; i++) {
            text.appendCodePoint(characters[i]);
        }
    }

    String text() {
        copy(copied, characters.length);
        return text.toString();
    }
}
