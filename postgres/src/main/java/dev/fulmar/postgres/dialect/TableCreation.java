package dev.fulmar.postgres.dialect;

import dev.fulmar.engine.spi.TemporaryMark;
import java.util.Optional;

/**
 * Statements of the engine that make a table, a sequence or an index outside of the transaction of its session.
 *
 * @param creation makes it without rows, and fails if it is there
 * @param filling adds the rows of the query of CREATE TABLE AS, in the transaction; empty for none
 * @param isLenient whether one that is there already stays as it is
 */
public record TableCreation(String creation, String filling, boolean isLenient) {
    /** The statements; empty if the rows of a query depend on parameters, or on whether the table is there. */
    public static Optional<TableCreation> of(Translation statement) {
        Words words = new Words(Lexer.lexemes(statement.sql()));
        String sql = statement.sql();
        int name = words.areAt(0, "CREATE") && (words.areAt(1, "TABLE") || words.areAt(1, "SEQUENCE")) ? 2 : 0;
        boolean isLenient = name > 0 && words.areAt(name, "IF", "NOT", "EXISTS");
        String head = isLenient
                ? sql.substring(0, words.at(name).start())
                        + sql.substring(words.at(name + 3).start())
                : sql;
        int query = words.outside(0, "AS") + 1;
        int end = words.count() - 1; // the last lexeme is the end
        if (name == 0 || !words.areAt(1, "TABLE") || query >= end) {
            return Optional.of(new TableCreation(head, "", isLenient));
        }
        if (isLenient || !statement.parameters().isEmpty() || words.areAt(query, "EXECUTE")) {
            return Optional.empty();
        }
        if (words.areAt(end - 3, "WITH", "NO", "DATA")) {
            return Optional.of(new TableCreation(sql, "", false));
        }
        int behind = words.areAt(end - 2, "WITH", "DATA") ? end - 2 : end;
        int behindName = words.at(name + 1).isSymbol(".") ? name + 2 : name;
        String table =
                sql.substring(words.at(name).start(), words.at(behindName).end());
        String rows =
                sql.substring(words.at(query).start(), words.at(behind - 1).end());
        String creation = sql.substring(0, words.at(behind - 1).end()) + " WITH NO DATA";
        return Optional.of(new TableCreation(
                TemporaryMark.copied(sql, creation),
                TemporaryMark.copied(sql, "INSERT INTO " + table + " " + rows),
                false));
    }

    /** Whether the query may read what has the name. */
    public boolean reads(String name) {
        if (filling.isEmpty()) {
            return false;
        }
        Words words = new Words(Lexer.lexemes(filling));
        int behindName = words.at(3).isSymbol(".") ? 5 : 3; // INSERT INTO schema.name
        return isNamed(filling.substring(words.at(behindName).start()), name);
    }

    /**
     * Whether the text may name what has the name in the catalog: the word is there, of any case and also in a text.
     * Words with numbers of characters may be any name.
     */
    public static boolean isNamed(String text, String name) {
        for (int i = 0; i + name.length() <= text.length(); i++) {
            boolean isWord = text.regionMatches(true, i, name, 0, name.length())
                    && !isOfWord(text, i - 1)
                    && !isOfWord(text, i + name.length());
            if (isWord || text.regionMatches(true, i, "U&\"", 0, 3)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfWord(String text, int place) {
        return place >= 0 && place < text.length() && Character.isJavaIdentifierPart(text.charAt(place));
    }
}
