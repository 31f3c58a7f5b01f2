package dev.fulmar.sql.text;

import dev.fulmar.sql.text.MergeStatement.Clause;
import dev.fulmar.sql.text.MergeStatement.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * UPDATE ... FROM and DELETE ... USING, which the grammar does not know. The first is a MERGE whose source's rows
 * change those that they meet, the second a DELETE of the rows for which the others have one.
 */
public final class JoinedChange {
    private static final String EXISTS = " EXISTS (SELECT 1 FROM";
    private static final String ALWAYS = "\nTRUE";

    private JoinedChange() {}

    /** Whether the statement is an UPDATE ... FROM. */
    public static boolean isUpdate(List<Token> tokens) {
        return place(tokens, "UPDATE", "FROM") >= 0;
    }

    /**
     * The MERGE that an UPDATE ... FROM is.
     *
     * @param sql without RETURNING
     */
    public static MergeStatement update(String sql, List<Token> tokens) {
        PartReader parts = new PartReader(tokens, 0);
        parts.expect("UPDATE");
        PartReader.TableName table = parts.tableName();
        parts.accept("AS");
        Token alias = parts.peek().isWord("SET") ? table.local() : parts.name();
        parts.expect("SET");
        List<Token> columns = new ArrayList<>();
        List<Part> values = new ArrayList<>();
        for (ConflictClause.Assignment assignment : parts.assignments("FROM")) {
            columns.add(assignment.column());
            values.add(assignment.value());
        }
        parts.expect("FROM");
        Part source = parts.until("WHERE");
        boolean isConditional = parts.accept("WHERE");
        Part condition = isConditional
                ? parts.until()
                : new Part(sql.length() + 1, sql.length() + ALWAYS.length(), source.parameters());
        Clause clause = new Clause(true, Optional.empty(), new MergeStatement.Update(columns, values));
        return new MergeStatement(
                isConditional ? sql : sql + ALWAYS, table.name(), alias.name(), source, condition, List.of(clause));
    }

    /** The DELETE that a DELETE ... USING is; empty for any other statement. */
    public static Optional<AddedWords> delete(String sql, List<Token> tokens) {
        int using = place(tokens, "DELETE", "USING");
        if (using < 0) {
            return Optional.empty();
        }
        Token word = tokens.get(using);
        Token behind = tokens.get(using + 1);
        AddedWords words = new AddedWords(sql);
        words.replace(word, "WHERE");
        words.add(word.end(), behind.position(), EXISTS);
        Token end = ReturningClause.end(tokens);
        words.add(end.start(), end.position(), ") ");
        return Optional.of(words);
    }

    /** The place of the word in a statement that begins so; -1 if it is not there. */
    private static int place(List<Token> tokens, String first, String sought) {
        if (!tokens.getFirst().isWord(first)) {
            return -1;
        }
        int depth = 0;
        for (int i = 3; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            depth += token.nesting();
            if (depth == 0 && token.isWord(sought) && !tokens.get(i - 1).isWord("DISTINCT")) {
                return i;
            }
        }
        return -1;
    }
}
