package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;

/**
 * TRUNCATE as PostgreSQL has it: TABLE may be missing, and words say what happens anyway. A table to which another one
 * refers is not emptied, so CASCADE empties no other.
 */
final class TruncateWords {
    private TruncateWords() {}

    static void replace(String source, Words words) {
        if (!words.areAt(0, "TRUNCATE")) {
            return;
        }
        if (!words.areAt(1, "TABLE")) {
            words.insert(1, "TABLE");
        }
        if (words.areAt(2, "ONLY") && words.at(3).isName()) {
            words.replace(2, 3, "");
        }
        int place = words.areAt(3, ".") ? 5 : 3;
        while (words.at(place).kind() != Lexeme.Kind.END && !words.areAt(place, ObjectLists.BESIDE)) {
            if (words.areAt(place, "RESTART", "IDENTITY")) {
                throw Place.error(
                        ErrorCode.NOT_SUPPORTED,
                        source,
                        words.at(place).start(),
                        "TRUNCATE ... RESTART IDENTITY is not supported; say ALTER SEQUENCE ... RESTART");
            }
            int behind = behindOption(words, place);
            if (behind > place) {
                words.replace(place, behind, "");
            } else {
                place++;
            }
        }
        beside(words);
    }

    /** The place behind words that change nothing; the same place for others. */
    private static int behindOption(Words words, int place) {
        if (words.areAt(place, "CONTINUE", "IDENTITY")) {
            return place + 2;
        }
        boolean isLast = words.at(place + 1).kind() == Lexeme.Kind.END || words.areAt(place + 1, ObjectLists.BESIDE);
        return isLast && (words.areAt(place, "RESTRICT") || words.areAt(place, "CASCADE")) ? place + 1 : place;
    }

    /** No other table may refer to one that is emptied: a list of tables says which ones are. */
    private static void beside(Words words) {
        int end = words.areAt(3, ".") ? 5 : 3;
        if (words.at(end).kind() == Lexeme.Kind.END) {
            words.insert(end, ObjectLists.BESIDE);
            words.replace(end + 1, end + 1, words.between(2, end));
        }
    }
}
