package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;

/** CREATE TEMPORARY TABLE and SEQUENCE: the engine has the schema pg_temp before the name, and no ON COMMIT. */
final class TemporaryWords {
    static final String SCHEMA = "PG_TEMP";

    private final String source;
    private final Words words;

    private TemporaryWords(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    static void replace(String source, Words words) {
        if (words.areAt(0, "CREATE")) {
            new TemporaryWords(source, words).create();
        }
    }

    /** Whether the word makes an object temporary. */
    static boolean isTemporary(String word) {
        return word.equals("TEMP") || word.equals("TEMPORARY");
    }

    /** Whether the word may stand before that one. */
    static boolean isScope(String word) {
        return word.equals("LOCAL") || word.equals("GLOBAL");
    }

    private void create() {
        int first = words.areAt(1, "OR", "REPLACE") ? 3 : 1;
        int kind = isScope(words.at(first).word()) ? first + 1 : first;
        boolean isTemporary = isTemporary(words.at(kind).word());
        if (isTemporary) {
            boolean isKnown = words.areAt(kind + 1, "TABLE") || words.areAt(kind + 1, "SEQUENCE");
            if (!isKnown) {
                throw error(
                        ErrorCode.NOT_SUPPORTED,
                        words.at(kind + 1),
                        "temporary " + words.at(kind + 1).text()
                                + " is not supported; tables and sequences are temporary");
            }
            words.replace(first, kind + 1, "");
        }
        if (words.areAt(first, "TABLE") || isTemporary) {
            object(first + 1, isTemporary);
        }
    }

    private void object(int behindKind, boolean isTemporary) {
        int name = words.areAt(behindKind, "IF", "NOT", "EXISTS") ? behindKind + 3 : behindKind;
        boolean isQualified = words.areAt(name + 1, ".");
        boolean isInSchema = isQualified && words.areAt(name, SCHEMA);
        if (isTemporary && isQualified && !isInSchema) {
            throw error(
                    ErrorCode.NOT_SUPPORTED,
                    words.at(name),
                    "cannot create temporary relation in non-temporary schema; leave the schema out");
        }
        endOfTransaction(name, isTemporary || isInSchema);
        if (isTemporary && !isQualified) {
            words.insert(name, SCHEMA + ".");
        }
    }

    private void endOfTransaction(int name, boolean isTemporary) {
        int place = AtCommit.place(words, name);
        if (place == words.count()) {
            return;
        }
        if (!isTemporary) {
            throw error(ErrorCode.NOT_SUPPORTED, words.at(place), "ON COMMIT can only be used on temporary tables");
        }
        if (AtCommit.at(words, place) == null) {
            throw error(
                    ErrorCode.SYNTAX,
                    words.at(place + 2),
                    "syntax error at or near \"" + words.at(place + 2).text()
                            + "\"; ON COMMIT takes PRESERVE ROWS, DELETE ROWS or DROP");
        }
        words.replace(place, place + (words.areAt(place + 2, "DROP") ? 3 : 4), "");
    }

    private RuntimeException error(ErrorCode code, Lexeme place, String message) {
        return Place.error(code, source, place.start(), message);
    }
}
