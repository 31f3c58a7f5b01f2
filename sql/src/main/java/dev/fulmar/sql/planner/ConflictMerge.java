package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.ConflictClause;
import dev.fulmar.sql.text.InsertSource;
import dev.fulmar.sql.text.MergeStatement;
import dev.fulmar.sql.text.MergeStatement.Clause;
import dev.fulmar.sql.text.MergeStatement.Part;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The planner makes a MERGE of an INSERT whose ON CONFLICT names a key over partitions. Its query looks for the key on
 * all partitions, in the transaction of the change, so that nobody else inserts one in between. As any MERGE it needs a
 * primary key.
 */
public final class ConflictMerge {
    private static final String EXCLUDED = "EXCLUDED";

    /** The name of a query's rows before they have values for the columns that it leaves out. */
    private static final String GIVEN = "GIVEN";

    /** Words of queries whose rows have an order. */
    private static final List<String> ORDERING_WORDS = List.of("ORDER", "VALUES", "UNION");

    private static final Set<String> CONSTANT_SYMBOLS = Set.of("?", "-", "+", "(", ")", ",");

    /** Words of values that are the same whenever they are computed. */
    private static final Set<String> CONSTANT_WORDS = Set.of(
            "CAST",
            "AS",
            "NULL",
            "TRUE",
            "FALSE",
            "DATE",
            "TIME",
            "TIMESTAMP",
            "WITH",
            "ZONE",
            "UUID",
            "SMALLINT",
            "INTEGER",
            "INT",
            "BIGINT",
            "DECIMAL",
            "NUMERIC",
            "CHAR",
            "VARCHAR",
            "TEXT");

    private final ConflictClause clause;
    private final String insertion;
    private final Table table;
    private final InsertSource inserted;
    private final List<Token> columns;

    /** Places of the columns whose values are given: those without DEFAULT. */
    private final int[] given;

    /** The other columns that have a value before the row is stored: the default, or null. */
    private final List<Column> filled;

    /** The column that numbers the rows, if their order says which of them are inserted. */
    private final String place;

    private final StringBuilder text = new StringBuilder();

    private ConflictMerge(ConflictClause clause, String insertion, Table table, InsertSource inserted) {
        this.clause = clause;
        this.insertion = insertion;
        this.table = table;
        this.inserted = inserted;
        this.columns = columns(table, inserted, clause);
        this.given = IntStream.range(0, columns.size())
                .filter(place -> !isDefault(place))
                .toArray();
        this.filled = table.visibleColumns().stream()
                .filter(column -> column.drawsFrom().isEmpty() && !column.isGenerated() && !isGiven(column))
                .toList();
        String free = "PLACE";
        while (table.columnIndex(free) >= 0) {
            free += "_";
        }
        this.place = free;
    }

    /** The MERGE; empty if one partition can look for the key by itself, or the clause names none. */
    public static Optional<MergeStatement> of(ConflictClause.Split split, Catalog catalog) {
        if (split.clause().isEmpty()) {
            return Optional.empty();
        }
        ConflictClause clause = split.clause().get();
        Table table = catalog.tables().get(clause.table().name());
        if (table == null || table.primaryKey().isEmpty() || table.isAggregation() || table.isSequence()) {
            return Optional.empty();
        }
        return ConflictPlanner.key(clause, table)
                .filter(key -> GlobalKeys.isGlobal(key, table))
                .flatMap(key -> InsertSource.of(split.tokens())
                        .map(inserted -> new ConflictMerge(clause, split.text(), table, inserted).merge(key)));
    }

    /** The columns that values are given for, of which each row has one. */
    private static List<Token> columns(Table table, InsertSource inserted, ConflictClause clause) {
        List<Column> visible = table.visibleColumns();
        List<Token> named = inserted.columns();
        if (named.isEmpty() && inserted.rows().isEmpty()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    clause.position(),
                    "with ON CONFLICT by a key over partitions a query's columns are named; write INSERT INTO "
                            + table.name() + " (columns)");
        }
        int count = named.isEmpty() ? inserted.rows().getFirst().size() : named.size();
        for (List<Part> row : inserted.rows()) {
            if (row.size() != count || count > visible.size()) {
                throw SqlErrors.syntax(
                        clause.table().position(),
                        "a row of VALUES has " + row.size() + " values for "
                                + (named.isEmpty() ? visible.size() : count) + " columns; give one for each");
            }
        }
        return named.isEmpty()
                ? visible.subList(0, count).stream()
                        .map(column -> name(column.name(), clause.table()))
                        .toList()
                : named;
    }

    private static Token name(String name, Token place) {
        return new Token(
                Token.Kind.QUOTED_NAME, ConflictPlanner.quoted(name), place.start(), place.end(), place.position());
    }

    /** Whether all rows say DEFAULT for that column, so that it need not be given. */
    private boolean isDefault(int place) {
        List<List<Part>> rows = inserted.rows();
        long defaults = rows.stream()
                .filter(row -> text(row.get(place)).equalsIgnoreCase("DEFAULT"))
                .count();
        if (defaults > 0 && defaults < rows.size()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    clause.position(),
                    "with ON CONFLICT by a key over partitions all rows say DEFAULT for a column, or none; insert them"
                            + " by statements of their own");
        }
        return defaults > 0;
    }

    private boolean isGiven(Column column) {
        return IntStream.of(given).anyMatch(place -> columns.get(place).name().equals(column.name()));
    }

    private MergeStatement merge(Index key) {
        text.append(
                insertion.substring(0, inserted.query().start()).replaceAll("[^\n]", " ")); // places stay what they are
        Part source = source();
        Part condition = isThere(key, source);
        List<Clause> clauses = new ArrayList<>();
        clause.update().ifPresent(update -> clauses.add(changing(update)));
        List<Token> names = new ArrayList<>();
        for (int place : given) {
            names.add(columns.get(place));
        }
        filled.forEach(column -> names.add(name(column.name(), clause.table())));
        List<Part> values = names.stream()
                .map(name ->
                        add(ConflictPlanner.quoted(EXCLUDED) + "." + ConflictPlanner.quoted(name.name()), condition))
                .toList();
        clauses.add(new Clause(false, Optional.empty(), new MergeStatement.Insert(names, values)));
        return new MergeStatement(
                text.toString(),
                clause.table(),
                clause.alias().name(),
                source,
                condition,
                clauses,
                hasPlaces()
                        ? Optional.of(new MergeStatement.Constants(EXCLUDED, place, sought(key), !isOfRows()))
                        : Optional.empty(),
                clause.update().isEmpty() ? OptionalInt.of(key.id()) : OptionalInt.empty());
    }

    private boolean isOfRows() {
        return inserted.rows().size() > 1;
    }

    /** Whether the order of the rows says which of them are inserted. */
    private boolean hasPlaces() {
        return isOfRows() || isOfOrderedQuery();
    }

    private boolean isOfOrderedQuery() {
        return inserted.rows().isEmpty()
                && clause.update().isEmpty()
                && Tokenizer.tokens(text(inserted.query())).stream()
                        .anyMatch(token -> ORDERING_WORDS.stream().anyMatch(token::isWord));
    }

    /** The key's columns, if the rows give values for them that may be said twice. */
    private List<String> sought(Index key) {
        if (!isOfRows()) {
            return List.of();
        }
        List<String> names = key.columns().stream()
                .map(each -> table.columns().get(each.column()).name())
                .toList();
        return names.stream().allMatch(this::isConstant) ? names : List.of();
    }

    /** Whether all values of the column are words, parameters and types of these. */
    private boolean isConstant(String column) {
        return IntStream.of(given)
                .filter(place -> columns.get(place).name().equals(column))
                .anyMatch(place -> inserted.rows().stream()
                        .flatMap(row -> Tokenizer.tokens(text(row.get(place))).stream())
                        .allMatch(ConflictMerge::isConstant));
    }

    private static boolean isConstant(Token token) {
        return switch (token.kind()) {
            case STRING, NUMBER, END -> true;
            case SYMBOL -> CONSTANT_SYMBOLS.contains(token.text());
            case WORD -> CONSTANT_WORDS.contains(token.name());
            case QUOTED_NAME -> false;
        };
    }

    /** The row that is there has the key of the new one, of which one row's value is said itself: an index finds it. */
    private Part isThere(Index key, Part source) {
        Column column = table.columns().get(key.columns().getFirst().column());
        Part value = inserted.rows().size() == 1 ? plainValue(column) : null;
        if (value == null) {
            return add(equal(key), source);
        }
        String isFirst = ConflictPlanner.quoted(clause.alias().name()) + "." + ConflictPlanner.quoted(column.name())
                + " = " + cast(text(value), column);
        return add(key.columns().size() == 1 ? isFirst : isFirst + " AND " + equal(key), value);
    }

    /** The only row's value of the column if it is one word or a parameter, which may be said twice. */
    private @Nullable Part plainValue(Column column) {
        for (int place : given) {
            if (columns.get(place).name().equals(column.name())) {
                Part value = inserted.rows().getFirst().get(place);
                List<Token> tokens = Tokenizer.tokens(text(value));
                Token word = tokens.getFirst();
                boolean isPlain =
                        word.kind() == Token.Kind.STRING || word.kind() == Token.Kind.NUMBER || word.isSymbol("?");
                return tokens.size() == 2 && isPlain ? value : null;
            }
        }
        return null;
    }

    private Clause changing(ConflictClause.Update update) {
        ConflictPlanner.checkColumns(clause, table, update);
        List<Token> names = new ArrayList<>();
        List<Part> values = new ArrayList<>();
        for (ConflictClause.Assignment assignment : update.assignments()) {
            Column column =
                    table.columns().get(table.columnIndex(assignment.column().name()));
            String written = clauseText(assignment.value());
            names.add(assignment.column());
            values.add(add(written.equals("?") ? ConflictPlanner.parameter(column) : written, assignment.value()));
        }
        Optional<Part> condition = update.condition().map(part -> add(clauseText(part), part));
        return new Clause(true, condition, new MergeStatement.Update(names, values));
    }

    /** The new rows, with all values that they have before they are stored. */
    private Part source() {
        int start = text.length();
        if (inserted.rows().isEmpty()) {
            addQuery();
        } else {
            addRows();
        }
        return new Part(start, text.length(), inserted.query().parameters());
    }

    private void addRows() {
        int number = 0;
        String gap = "(VALUES (";
        for (List<Part> row : inserted.rows()) {
            List<String> cells = new ArrayList<>();
            for (int place : given) {
                int column = table.columnIndex(columns.get(place).name());
                String written = text(row.get(place));
                cells.add(column < 0 ? written : cast(written, table.columns().get(column)));
            }
            filled.forEach(
                    column -> cells.add(ConflictPlanner.defaultOf(column, ConflictPlanner.whole(column.type()))));
            if (isOfRows()) {
                cells.add(String.valueOf(++number));
            }
            text.append(gap).append(String.join(", ", cells)).append(')');
            gap = ", (";
        }
        text.append(") AS ").append(ConflictPlanner.quoted(EXCLUDED)).append(allNames());
    }

    private void addQuery() {
        List<String> items = new ArrayList<>();
        for (int place : given) {
            items.add(ConflictPlanner.quoted(GIVEN) + "."
                    + ConflictPlanner.quoted(columns.get(place).name()));
        }
        filled.forEach(column -> items.add(ConflictPlanner.defaultOf(column, ConflictPlanner.whole(column.type()))));
        String query = "(" + text(inserted.query()) + ") AS ";
        if (hasPlaces()) {
            items.add("ROW_NUMBER() OVER ()");
        }
        if (filled.isEmpty() && !hasPlaces()) {
            text.append(query).append(ConflictPlanner.quoted(EXCLUDED)).append(givenNames());
        } else {
            text.append("(SELECT ")
                    .append(String.join(", ", items))
                    .append(" FROM ")
                    .append(query)
                    .append(ConflictPlanner.quoted(GIVEN))
                    .append(givenNames())
                    .append(") AS ")
                    .append(ConflictPlanner.quoted(EXCLUDED))
                    .append(allNames());
        }
    }

    private List<String> namesOfGiven() {
        List<String> names = new ArrayList<>();
        for (int place : given) {
            names.add(ConflictPlanner.quoted(columns.get(place).name()));
        }
        return names;
    }

    private String givenNames() {
        return " (" + String.join(", ", namesOfGiven()) + ")";
    }

    private String allNames() {
        List<String> names = namesOfGiven();
        filled.forEach(column -> names.add(ConflictPlanner.quoted(column.name())));
        if (hasPlaces()) {
            names.add(ConflictPlanner.quoted(place));
        }
        return " (" + String.join(", ", names) + ")";
    }

    /** The value with the column's type, of whatever length, which is looked at when it is stored. */
    private static String cast(String value, Column column) {
        return "CAST(" + value + " AS " + ConflictPlanner.whole(column.type()) + ")";
    }

    private String equal(Index key) {
        return key.columns().stream()
                .map(each -> ConflictPlanner.quoted(
                        table.columns().get(each.column()).name()))
                .map(name -> ConflictPlanner.quoted(clause.alias().name()) + "." + name + " = "
                        + ConflictPlanner.quoted(EXCLUDED) + "." + name)
                .collect(Collectors.joining(" AND "));
    }

    /** Adds a stretch of the text, before which are as many parameters as before the other one. */
    private Part add(String stretch, Part other) {
        text.append('\n');
        int start = text.length();
        text.append(stretch);
        return new Part(start, text.length(), other.parameters());
    }

    private String text(Part part) {
        return insertion.substring(part.start(), part.end());
    }

    private String clauseText(Part part) {
        return clause.text().substring(part.start(), part.end());
    }
}
