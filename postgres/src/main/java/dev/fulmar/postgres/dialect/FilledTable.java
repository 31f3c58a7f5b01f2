package dev.fulmar.postgres.dialect;

import dev.fulmar.engine.spi.TemporaryMark;
import java.util.Optional;

/**
 * CREATE TABLE AS in two statements of the engine.
 *
 * @param creation makes the table without rows
 * @param filling adds the rows of the query
 */
public record FilledTable(String creation, String filling) {
    /** The two statements; empty if it is another statement, makes no rows, or takes parameters. */
    public static Optional<FilledTable> of(Translation statement) {
        Words words = new Words(Lexer.lexemes(statement.sql()));
        if (!statement.firstWord().equals("CREATE") || !statement.parameters().isEmpty()) {
            return Optional.empty();
        }
        int query = words.outside(0, "AS") + 1;
        int end = words.count() - 1; // the last lexeme is the end
        if (query >= end || words.areAt(query, "EXECUTE") || words.areAt(end - 3, "WITH", "NO", "DATA")) {
            return Optional.empty();
        }
        int behind = words.areAt(end - 2, "WITH", "DATA") ? end - 2 : end;
        int name = words.outside(0, "TABLE") + 1;
        if (name >= query || words.areAt(name, "IF")) {
            return Optional.empty();
        }
        int behindName = name;
        while (words.at(behindName + 1).isSymbol(".")) {
            behindName += 2;
        }
        String sql = statement.sql();
        String table =
                sql.substring(words.at(name).start(), words.at(behindName).end());
        String rows =
                sql.substring(words.at(query).start(), words.at(behind - 1).end());
        String creation = sql.substring(0, words.at(behind - 1).end()) + " WITH NO DATA";
        return Optional.of(new FilledTable(
                TemporaryMark.copied(sql, creation), TemporaryMark.copied(sql, "INSERT INTO " + table + " " + rows)));
    }
}
