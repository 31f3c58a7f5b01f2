package dev.fulmar.sql.text;

import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Adds a FROM of one row to a SELECT with WHERE but without FROM, because Calcite's grammar does not know that form.
 * The added words change the places of those behind them, so errors get back the places of the statement as it was
 * written.
 */
public final class MissingFrom {
    private static final String ONE_ROW = "FROM (VALUES (0)) AS \"#F\" ";
    private static final Pattern PLACE = Pattern.compile("^(\\d+):(\\d+)(: .*)", Pattern.DOTALL);

    private final String text;
    private final List<Position> insertions;

    private MissingFrom(String text, List<Position> insertions) {
        this.text = text;
        this.insertions = insertions;
    }

    /** The state of a SELECT that has begun: the parts that it has. */
    private static final class Open {
        private boolean isSelect;
        private boolean hasFrom;
    }

    /** The statement as the grammar knows it. */
    public static MissingFrom of(String sql, List<Token> tokens) {
        Deque<Open> levels = new ArrayDeque<>();
        levels.push(new Open());
        StringBuilder text = new StringBuilder(sql);
        List<Position> insertions = new ArrayList<>();
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
                text.insert(token.start() + insertions.size() * ONE_ROW.length(), ONE_ROW);
                insertions.add(token.position());
                levels.getFirst().hasFrom = true;
            }
        }
        return new MissingFrom(text.toString(), insertions);
    }

    /** The statement with every FROM. */
    public String text() {
        return text;
    }

    /** The error with its place in the statement as it was written. */
    public FulmarException placed(FulmarException error) {
        Matcher place = PLACE.matcher(String.valueOf(error.getMessage()));
        if (insertions.isEmpty() || !place.matches()) {
            return error;
        }
        int line = Integer.parseInt(place.group(1));
        int column = Integer.parseInt(place.group(2));
        int shift = 0;
        for (Position insertion : insertions) {
            if (insertion.line() == line && insertion.column() + shift + ONE_ROW.length() <= column) {
                shift += ONE_ROW.length();
            }
        }
        return new FulmarException(error.code(), line + ":" + (column - shift) + place.group(3), error);
    }
}
