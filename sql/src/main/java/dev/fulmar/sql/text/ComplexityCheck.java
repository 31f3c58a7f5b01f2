package dev.fulmar.sql.text;

import dev.fulmar.engine.spi.PlanningTurn;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Holds a statement's tokens against the limits before anything recurses over it. It takes them one by one as they are
 * found, so the rest of a text that is refused is not read.
 */
public final class ComplexityCheck {
    private static final Set<String> BEFORE_STATEMENT = Set.of("EXPLAIN", "ANALYZE", "ANALYSE", "PLAN", "FOR");

    private static final int TOKENS_A_TURN = 64;

    private final StatementLimits limits;
    private final Deque<Level> levels = new ArrayDeque<>();
    private int depth;
    private int operators;
    private int conditions;
    private int tables;
    private int count;
    private Opening opening = Opening.AWAITED;

    /** Whether the lists that stand in parentheses by themselves are of a table's columns: until a query begins. */
    private boolean listsTableColumns;

    /** Whether they are the definition of a table, which has constraints besides. */
    private boolean definesTable;

    /** The progress of reading the words that say what the statement is. */
    private enum Opening {
        AWAITED,
        CREATE,
        READ
    }

    /** The kind of a list's items, which says how many there may be. */
    private enum Items {
        /** Of a VALUES by itself: they are rows of which only the words of the whole statement are counted. */
        ROWS,
        LISTED,
        RESULT_COLUMNS,
        TABLE_COLUMNS
    }

    /** The state of one open level of parentheses. */
    private static final class Level {
        Items of;
        int items = 1;

        Level(Items of) {
            this.of = of;
        }

        /** Another list at the same level. */
        void begin(Items next) {
            of = next;
            items = 1;
        }

        /** Operators in a row, which nest. */
        int chain;

        boolean inFrom;
    }

    private Token previous = new Token(Token.Kind.END, "", 0, 0, new Position(1, 1));

    private ComplexityCheck(StatementLimits limits) {
        this.limits = limits;
        levels.push(new Level(Items.ROWS));
    }

    /** The tokens of a statement; fails with STATEMENT_TOO_COMPLEX where its text exceeds a limit. */
    public static List<Token> tokens(String text, StatementLimits limits) {
        if (text.length() > limits.characters()) {
            throw SqlErrors.tooComplex("the statement has " + text.length() + " characters, the limit is "
                    + limits.characters() + "; send long values as parameters");
        }
        return Tokenizer.tokens(text, new ComplexityCheck(limits)::check);
    }

    private void check(Token token) {
        if (++count > limits.tokens()) {
            throw SqlErrors.tooComplex("the statement has more than " + limits.tokens()
                    + " words and symbols; split it, or send values as parameters of several calls");
        }
        if (count % TOKENS_A_TURN == 0) {
            PlanningTurn.goOn();
        }
        begin(token);
        accept(token);
        hold(token);
        previous = token;
    }

    /** The first words say what the statement is. */
    private void begin(Token token) {
        switch (opening) {
            case AWAITED -> {
                if (token.isWord("CREATE")) {
                    opening = Opening.CREATE;
                } else if (!BEFORE_STATEMENT.contains(token.name())) {
                    opening = Opening.READ;
                    listsTableColumns = token.isWord("INSERT") || token.isWord("UPSERT");
                }
            }
            case CREATE -> {
                opening = Opening.READ;
                definesTable = token.isWord("TABLE");
                listsTableColumns = definesTable;
            }
            case READ -> {}
        }
    }

    /** The message for a query of more columns than a result has. */
    public static String tooManyColumns(StatementLimits limits) {
        return "the statement selects more than " + limits.columns() + " columns; select them in several queries";
    }

    private void accept(Token token) {
        switch (token.kind()) {
            case WORD -> acceptWord(token.text().toUpperCase(Locale.ROOT));
            case SYMBOL -> acceptSymbol(token.text());
            case QUOTED_NAME, STRING, NUMBER, END -> {}
        }
    }

    private Level level() {
        return levels.getFirst();
    }

    private void acceptWord(String word) {
        switch (word) {
            case "CASE" -> open();
            case "END" -> close();
            case "WHEN", "THEN", "ELSE" -> {
                level().items++;
                endChain();
            }
            case "AND", "OR" -> {
                conditions++;
                endChain();
            }
            case "NOT", "LIKE", "BETWEEN", "IS", "IN", "EXPLAIN" -> extendChain();
            case "FROM" -> {
                if (!previous.isWord("DISTINCT")) { // IS DISTINCT FROM compares
                    beginFrom();
                }
            }
            case "USING" -> beginFrom();
            case "JOIN", "UNION", "INTERSECT", "EXCEPT", "MINUS" -> {
                tables++;
                endChain();
            }
            case "SELECT", "RETURNING" -> {
                listsTableColumns = false;
                endList(Items.RESULT_COLUMNS);
            }
            case "BY" -> {
                if (previous.isWord("GROUP") || previous.isWord("ORDER")) {
                    endList(Items.LISTED);
                }
            }
            case "SET" -> endList(Items.TABLE_COLUMNS);
            case "WHERE", "HAVING", "LIMIT", "OFFSET", "FETCH" -> endList(level().of);
            case "VALUES" -> endList(levels.size() == 1 ? Items.ROWS : Items.LISTED);
            case "ON" -> endChain();
            default -> {}
        }
    }

    private void acceptSymbol(String symbol) {
        switch (symbol) {
            case "(", "[", "{" -> open();
            case ")", "]", "}" -> close();
            case "," -> {
                level().items++;
                endChain();
                tables += level().inFrom ? 1 : 0;
            }
            case "+", "-", "*", "/", "%", "||", "=", "<", ">", "<=", ">=", "<>", "!=", "==", ".", ":" -> extendChain();
            case ";" -> endChain();
            default -> {}
        }
    }

    private void beginFrom() {
        endList(Items.LISTED);
        level().inFrom = true;
    }

    /** Where the next list begins. */
    private void endList(Items next) {
        endChain();
        level().inFrom = false;
        level().begin(next);
    }

    private void open() {
        levels.push(new Level(listsTableColumns && levels.size() == 1 ? Items.TABLE_COLUMNS : Items.LISTED));
        depth++;
    }

    private void close() {
        if (levels.size() > 1) {
            endChain();
            levels.pop();
            depth--;
        }
    }

    private void extendChain() {
        level().chain++;
        operators++;
    }

    private void endChain() {
        operators -= level().chain;
        level().chain = 0;
    }

    private void hold(Token token) {
        if (token.kind() == Token.Kind.NUMBER && token.text().length() > limits.digits()) {
            throw refused(
                    token, "has a number of more than " + limits.digits() + " digits", "a DECIMAL has no more than 38");
        }
        if (depth > limits.depth()) {
            throw refused(token, "nests deeper than " + limits.depth() + " levels", "simplify it, or compute in steps");
        }
        if (operators > limits.operators()) {
            throw refused(
                    token,
                    "has more than " + limits.operators() + " operators in a row",
                    "simplify it, or compute in steps");
        }
        if (conditions > limits.conditions()) {
            throw refused(
                    token, "has more than " + limits.conditions() + " ANDs and ORs", "use IN, or several statements");
        }
        holdList(token);
        if (tables > limits.tables()) {
            throw refused(
                    token,
                    "joins or unites more than " + limits.tables() + " tables",
                    "keep intermediate results in a table");
        }
    }

    private void holdList(Token token) {
        int items = level().items;
        switch (level().of) {
            case ROWS -> {}
            case LISTED -> {
                if (items > limits.listItems()) {
                    throw refused(
                            token,
                            "has a list of more than " + limits.listItems() + " items",
                            "use several statements");
                }
            }
            case RESULT_COLUMNS -> {
                if (items > limits.columns()) {
                    throw SqlErrors.tooComplex(token.position() + ": " + tooManyColumns(limits));
                }
            }
            case TABLE_COLUMNS -> {
                if (items > limits.tableColumns() + (definesTable ? limits.listItems() : 0)) {
                    throw refused(
                            token,
                            "lists more than " + limits.tableColumns() + " columns, which is the most that a table has",
                            "use several tables");
                }
            }
        }
    }

    private static RuntimeException refused(Token token, String what, String remedy) {
        return SqlErrors.tooComplex(token.position() + ": the statement " + what + "; " + remedy);
    }
}
