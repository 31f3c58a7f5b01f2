package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;

/** Words of a statement while some of them are replaced. */
class Words {
    private static final int LEAST_LIMIT = 1_000;
    private static final int MOST_WORDS_PER_CHARACTER = 8;

    /** Characters of the engine's words: those that repeat words of the client could be any number. */
    private static final int MOST_MADE_CHARACTERS = 32 << 20;

    private final List<Lexeme> lexemes;
    private int limit;
    private long madeCharacters;

    Words(List<Lexeme> lexemes) {
        this.lexemes = new ArrayList<>(lexemes);
        this.limit = LEAST_LIMIT + MOST_WORDS_PER_CHARACTER * lexemes.getLast().end();
    }

    List<Lexeme> all() {
        return List.copyOf(lexemes);
    }

    int count() {
        return lexemes.size();
    }

    /** The word at the place; before the first and behind the last one the end. */
    Lexeme at(int place) {
        return place < 0 || place >= lexemes.size() ? lexemes.getLast() : lexemes.get(place);
    }

    /** Whether the words from the place on are these: names in upper case, or symbols. */
    boolean areAt(int place, String... words) {
        for (int i = 0; i < words.length; i++) {
            Lexeme lexeme = at(place + i);
            char first = words[i].charAt(0);
            boolean isName = Character.isLetter(first) || first == '_';
            boolean isSame = isName ? lexeme.isWord(words[i]) : lexeme.isSymbol(words[i]);
            if (!isSame) {
                return false;
            }
        }
        return true;
    }

    /** The place of the parenthesis that closes the one at the place. */
    int closing(int place) {
        int depth = 0;
        for (int i = place; i < lexemes.size(); i++) {
            if (at(i).isSymbol("(") || at(i).isSymbol("[")) {
                depth++;
            } else if (at(i).isSymbol(")") || at(i).isSymbol("]")) {
                depth--;
                if (depth == 0) {
                    return i;
                }
            }
        }
        return lexemes.size() - 1;
    }

    /** The first place of the word, from the given one on, that is in no parentheses; the number of words for none. */
    int outside(int from, String word) {
        return outside(from, lexemes.size(), word);
    }

    /** The first such place before the end of a part; that end for none. */
    int outside(int from, int end, String word) {
        int place = from;
        while (place < end && !at(place).isWord(word)) {
            place = at(place).isSymbol("(") ? closing(place) + 1 : place + 1;
        }
        return Math.min(place, end);
    }

    /** The place of the parenthesis that the one at the place closes. */
    int opening(int place) {
        int depth = 0;
        for (int i = place; i >= 0; i--) {
            if (at(i).isSymbol(")") || at(i).isSymbol("]")) {
                depth++;
            } else if ((at(i).isSymbol("(") || at(i).isSymbol("[")) && --depth == 0) {
                return i;
            }
        }
        return 0;
    }

    /** Replaces words by a text of the engine's; an empty one leaves nothing. */
    void replace(int from, int to, String made) {
        int start = at(from).start();
        checkMade(made.length());
        lexemes.subList(from, to).clear();
        if (!made.isEmpty()) {
            lexemes.add(from, new Lexeme(Lexeme.Kind.MADE, made, start));
        }
    }

    /** Puts a text of the engine's before the word at the place. */
    void insert(int place, String made) {
        checkSize(lexemes.size() + 1);
        checkMade(made.length());
        lexemes.add(place, new Lexeme(Lexeme.Kind.MADE, made, at(place).start()));
    }

    /** Replaces words by others that are still to be looked at. */
    void replace(int from, int to, List<Lexeme> others) {
        checkSize(lexemes.size() + others.size());
        List<Lexeme> copy = List.copyOf(others);
        lexemes.subList(from, to).clear();
        lexemes.addAll(from, copy);
    }

    /** Replaces words by others that stand for rows. They grow with the columns, so their characters are bounded. */
    void replaceByRows(int from, int to, List<Lexeme> rows) {
        rows.forEach(each -> checkMade(each.text().length()));
        limit += rows.size();
        replace(from, to, rows);
    }

    /** No statement needs so many: words that stand for others grow with the statement, and not faster. */
    private void checkSize(int count) {
        if (count > limit) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "the statement becomes more than " + limit + " words in the engine's SQL; split it");
        }
    }

    /** Counts the characters of a text of the engine's; fails if all of them are too many. */
    void checkMade(long characters) {
        madeCharacters += characters;
        if (madeCharacters > MOST_MADE_CHARACTERS) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "the statement becomes too long in the engine's SQL, which has more than " + MOST_MADE_CHARACTERS
                            + " characters; split it");
        }
    }

    List<Lexeme> between(int from, int to) {
        return List.copyOf(lexemes.subList(from, to));
    }
}
