package dev.fulmar.sql.ddl;

import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementLimits;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parses CREATE TABLE ... AS up to its query. */
public final class TableAsParser {
    private static final int MAX_COLUMNS = StatementLimits.DEFAULT.tableColumns();

    private final String sql;
    private final TokenReader reader;
    private final List<Token> tokens;
    private final List<String> columns = new ArrayList<>();
    private List<String> primaryKey = List.of();

    /**
     * The table that the statement is to make.
     *
     * @param position of its name
     * @param columns their names; empty for those of the query
     * @param placement the clause that says where rows are, with names in quotes; empty if nothing is said
     * @param lenient whether a table that exists already is left as it is
     * @param keepsNotNull whether its columns are NOT NULL where those of the query are
     * @param query the tokens of the query, with an end
     * @param sql the statement that the tokens are of
     */
    public record TableAs(
            Position position,
            String name,
            List<String> columns,
            List<String> primaryKey,
            Optional<String> placement,
            boolean lenient,
            boolean withRows,
            boolean keepsNotNull,
            List<Token> query,
            String sql) {
        public TableAs {
            columns = List.copyOf(columns);
            primaryKey = List.copyOf(primaryKey);
            query = List.copyOf(query);
        }

        /** The same with columns that are NOT NULL where those of the query are. */
        TableAs alike() {
            return new TableAs(position, name, columns, primaryKey, placement, lenient, withRows, true, query, sql);
        }
    }

    private TableAsParser(String sql, TokenReader reader, List<Token> tokens) {
        this.sql = sql;
        this.reader = reader;
        this.tokens = tokens;
    }

    /** Empty for any other statement. */
    public static Optional<TableAs> parse(String sql, List<Token> tokens, Set<String> schemas) {
        return isOne(tokens)
                ? Optional.of(new TableAsParser(sql, new TokenReader(sql, tokens, schemas), tokens).parse())
                : Optional.empty();
    }

    /** Whether AS follows the name of the table, or what stands in parentheses behind it. */
    private static boolean isOne(List<Token> tokens) {
        if (tokens.size() < 4
                || !tokens.get(0).isWord("CREATE")
                || !tokens.get(1).isWord("TABLE")) {
            return false;
        }
        int depth = 0;
        for (int i = 2; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.isSymbol("(")) {
                depth++;
            } else if (token.isSymbol(")")) {
                depth--;
            } else if (depth == 0 && i > 2 && token.isWord("AS")) {
                return true;
            }
        }
        return false;
    }

    private TableAs parse() {
        reader.expect("CREATE", "TABLE");
        boolean lenient = reader.accept("IF", "NOT", "EXISTS");
        Position position = reader.peek().position();
        String name = reader.createdName("a table name");
        if (reader.acceptSymbol("(")) {
            elements();
        }
        Optional<String> placement = placement();
        reader.expect("AS");
        Token first = reader.peek();
        if (!first.isSymbol("(") && !first.isWord("SELECT") && !first.isWord("WITH") && !first.isWord("VALUES")) {
            throw reader.unexpected("a query");
        }
        int begin = tokens.indexOf(first);
        int end = tokens.size() - 1;
        boolean withoutRows = endsWith(end, "WITH", "NO", "DATA");
        end -= withoutRows ? 3 : endsWith(end, "WITH", "DATA") ? 2 : 0;
        Token last = tokens.get(end);
        List<Token> query = new ArrayList<>(tokens.subList(begin, end));
        query.add(new Token(Token.Kind.END, "", last.start(), last.start(), last.position()));
        return new TableAs(position, name, columns, primaryKey, placement, lenient, !withoutRows, false, query, sql);
    }

    private Optional<String> placement() {
        if (reader.accept("PARTITION", "ON", "COLUMN")) {
            String column = reader.name("a column name");
            return Optional.of("PARTITION ON COLUMN \"" + column.replace("\"", "\"\"") + "\"");
        }
        if (reader.accept("PARTITION", "ON", "ROW")) {
            return Optional.of("PARTITION ON ROW");
        }
        if (reader.accept("PARTITIONED")) {
            return Optional.of("PARTITIONED");
        }
        return reader.accept("REPLICATED") ? Optional.of("REPLICATED") : Optional.empty();
    }

    private boolean endsWith(int end, String... words) {
        for (int i = 0; i < words.length; i++) {
            if (!tokens.get(end - words.length + i).isWord(words[i])) {
                return false;
            }
        }
        return true;
    }

    /** Names of columns, and at most one PRIMARY KEY. */
    private void elements() {
        do {
            Token token = reader.peek();
            if (token.isWord("PRIMARY") && reader.peek(1).isWord("KEY")) {
                reader.expect("PRIMARY", "KEY");
                if (!primaryKey.isEmpty()) {
                    throw SqlErrors.syntax(token.position(), "a table has one primary key; list all columns in it");
                }
                primaryKey = ColumnList.parse(reader);
                continue;
            }
            String column = reader.name("a column name");
            if (columns.contains(column)) {
                throw SqlErrors.syntax(token.position(), "column " + column + " is named twice");
            }
            columns.add(column);
        } while (reader.acceptSymbol(","));
        if (!reader.peek().isSymbol(")")) {
            throw reader.unexpected("',' or ')', for the query gives the columns their types");
        }
        reader.expectSymbol(")");
        if (columns.size() > MAX_COLUMNS) {
            throw SqlErrors.tooComplex("a table has at most " + MAX_COLUMNS + " columns; use several tables");
        }
    }
}
