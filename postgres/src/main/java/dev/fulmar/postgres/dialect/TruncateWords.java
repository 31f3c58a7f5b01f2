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
        for (int i = 3; i < words.count(); i++) {
            if (words.areAt(i, "CONTINUE", "IDENTITY")) {
                words.replace(i, i + 2, "");
                i--;
            } else if ((words.areAt(i, "RESTRICT") || words.areAt(i, "CASCADE"))
                    && (words.at(i + 1).kind() == Lexeme.Kind.END || words.areAt(i + 1, ObjectLists.BESIDE))) {
                words.replace(i, i + 1, "");
            } else if (words.areAt(i, "RESTART", "IDENTITY")) {
                throw Place.error(
                        ErrorCode.NOT_SUPPORTED,
                        source,
                        words.at(i).start(),
                        "TRUNCATE ... RESTART IDENTITY is not supported; say ALTER SEQUENCE ... RESTART");
            }
        }
        beside(words);
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
