package dev.fulmar.sql.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Adds a FROM of one row to a SELECT with WHERE but without FROM, because Calcite's grammar does not know that form.
 */
public final class MissingFrom {
    private static final String ONE_ROW = "FROM (VALUES (0)) AS \"#F\" ";

    private MissingFrom() {}

    /** The state of a SELECT that has begun: the parts that it has. */
    private static final class Open {
        private boolean isSelect;
        private boolean hasFrom;
    }

    /** The statement as the grammar knows it. */
    public static AddedWords of(String sql, List<Token> tokens) {
        Deque<Open> levels = new ArrayDeque<>();
        levels.push(new Open());
        AddedWords complete = new AddedWords(sql);
        for (Token token : tokens) {
            if (token.isSymbol("(")) {
                levels.push(new Open());
            } else if (token.isSymbol(")") && levels.size() > 1) {
                levels.pop();
            } else if (token.isWord("SELECT")) {
                levels.getFirst().isSelect = true;
                levels.getFirst().hasFrom = false;
            } else if (token.isWord("FROM")) {
                levels.getFirst().hasFrom = true;
            } else if (token.isWord("WHERE") && levels.getFirst().isSelect && !levels.getFirst().hasFrom) {
                complete.add(token.start(), token.position(), ONE_ROW);
                levels.getFirst().hasFrom = true;
            }
        }
        return complete;
    }
}
