package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.GlobalKeys;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.ConflictClause;
import dev.fulmar.sql.text.InsertedRows;
import dev.fulmar.sql.text.MergeStatement;
import dev.fulmar.sql.text.MergeStatement.Clause;
import dev.fulmar.sql.text.MergeStatement.Part;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * ON CONFLICT by keys over partitions, as a MERGE. Its query looks for the keys on all partitions, in the transaction of
 * the change, so that nobody else inserts one in between. As any MERGE it needs a primary key.
 */
public final class ConflictMerge {
    private static final String EXCLUDED = "EXCLUDED";

    /** What the rows are called before those are left out that have another key which is there. */
    private static final String GIVEN = "GIVEN";

    private final ConflictClause clause;
    private final String insertion;
    private final Table table;
    private final InsertedRows inserted;
    private final List<Token> columns;

    /** Values of these columns that are given: those without DEFAULT. */
    private final int[] given;

    private final StringBuilder text = new StringBuilder();

    private ConflictMerge(
            ConflictClause clause, String insertion, Table table, InsertedRows inserted, List<Token> columns) {
        this.clause = clause;
        this.insertion = insertion;
        this.table = table;
        this.inserted = inserted;
        this.columns = columns;
        this.given = IntStream.range(0, columns.size())
                .filter(place -> !isDefault(place))
                .toArray();
    }

    /** The MERGE; empty if one partition can look for the keys by itself, or there is no such clause. */
    public static Optional<MergeStatement> of(ConflictClause.Split split, Catalog catalog) {
        if (split.clause().isEmpty()) {
            return Optional.empty();
        }
        ConflictClause clause = split.clause().get();
        Table table = catalog.tables().get(clause.table().name());
        if (table == null || table.primaryKey().isEmpty() || table.isAggregation() || table.isSequence()) {
            return Optional.empty();
        }
        Optional<Index> named = ConflictPlanner.key(clause, table);
        boolean isGlobal = named.isPresent()
                ? GlobalKeys.isGlobal(named.get(), table)
                : !GlobalKeys.of(table).isEmpty();
        Optional<InsertedRows> inserted = isGlobal ? InsertedRows.of(split.tokens()) : Optional.empty();
        if (inserted.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new ConflictMerge(clause, split.text(), table, inserted.get(), columns(table, inserted.get(), clause))
                        .merge(named));
    }

    /** The columns that values are given for. */
    private static List<Token> columns(Table table, InsertedRows inserted, ConflictClause clause) {
        if (!inserted.columns().isEmpty()) {
            return inserted.columns();
        }
        List<Column> visible = table.visibleColumns();
        int count = inserted.rows().isEmpty()
                ? visible.size()
                : inserted.rows().getFirst().size();
        return visible.subList(0, Math.min(count, visible.size())).stream()
                .map(column -> name(column.name(), clause.table()))
                .toList();
    }

    private static Token name(String name, Token place) {
        return new Token(Token.Kind.QUOTED_NAME, quoted(name), place.start(), place.end(), place.position());
    }

    /** Whether all rows say DEFAULT for that column, so that it need not be given. */
    private boolean isDefault(int place) {
        List<List<Part>> rows = inserted.rows();
        long defaults = rows.stream()
                .filter(row -> place < row.size() && text(row.get(place)).equalsIgnoreCase("DEFAULT"))
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

    private MergeStatement merge(Optional<Index> named) {
        text.append(
                insertion.substring(0, inserted.query().start()).replaceAll("[^\n]", " ")); // places stay what they are
        List<Index> keys = named.map(List::of).orElseGet(this::givenKeys);
        Part source = source(keys.subList(Math.min(1, keys.size()), keys.size()));
        Part condition = keys.isEmpty() ? add("FALSE", source) : isThere(keys.getFirst(), source);
        List<Clause> clauses = new ArrayList<>();
        clause.update().ifPresent(update -> clauses.add(changing(update)));
        List<Token> names = new ArrayList<>();
        List<Part> values = new ArrayList<>();
        for (int place : given) {
            names.add(columns.get(place));
            values.add(add(quoted(EXCLUDED) + "." + quoted(columns.get(place).name()), condition));
        }
        clauses.add(new Clause(false, Optional.empty(), new MergeStatement.Insert(names, values)));
        return new MergeStatement(
                text.toString(), clause.table(), clause.alias().name(), source, condition, clauses);
    }

    /** The row that is there has the key of the new one, of which one row's value is said itself: an index finds it. */
    private Part isThere(Index key, Part source) {
        Part first =
                inserted.rows().size() == 1 ? value(key.columns().getFirst().column()) : null;
        if (first == null) {
            return add(equal(key, clause.alias().name(), EXCLUDED), source);
        }
        Column column = table.columns().get(key.columns().getFirst().column());
        String value = "CAST(" + text(first) + " AS " + ConflictPlanner.whole(column.type()) + ")";
        String rest = key.columns().size() == 1
                ? ""
                : " AND " + equal(key, clause.alias().name(), EXCLUDED);
        return add(quoted(clause.alias().name()) + "." + quoted(column.name()) + " = " + value + rest, first);
    }

    /** The only row's value of the column if it is one word or a parameter, which may be said twice. */
    private @Nullable Part value(int column) {
        for (int place : given) {
            if (columns.get(place).name().equals(table.columns().get(column).name())) {
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

    /** The unique keys of plain columns of which each row gives values: others cannot be there, or are refused. */
    private List<Index> givenKeys() {
        return table.indexes().stream()
                .filter(Index::isConstraint)
                .filter(index -> index.columns().stream()
                        .allMatch(column -> IntStream.of(given)
                                .anyMatch(place -> columns.get(place)
                                        .name()
                                        .equals(table.columns()
                                                .get(column.column())
                                                .name()))))
                .toList();
    }

    private Clause changing(ConflictClause.Update update) {
        ConflictPlanner.checkColumns(clause, table, update);
        List<Token> names = new ArrayList<>();
        List<Part> values = new ArrayList<>();
        for (ConflictClause.Assignment assignment : update.assignments()) {
            Column column =
                    table.columns().get(table.columnIndex(assignment.column().name()));
            names.add(assignment.column());
            values.add(copied(assignment.value(), column));
        }
        Optional<Part> condition = update.condition().map(part -> add(clauseText(part), part));
        return new Clause(true, condition, new MergeStatement.Update(names, values));
    }

    private Part copied(Part value, Column column) {
        String written = clauseText(value);
        return add(written.equals("?") ? ConflictPlanner.parameter(column) : written, value);
    }

    /** The rows that are inserted, without those that have one of the other keys. */
    private Part source(List<Index> others) {
        int start = text.length();
        StringBuilder rows = new StringBuilder("(");
        if (inserted.rows().isEmpty()) {
            rows.append(text(inserted.query()));
        } else {
            for (List<Part> row : inserted.rows()) {
                rows.append(rows.length() == 1 ? "VALUES (" : ", (");
                for (int i = 0; i < given.length; i++) {
                    rows.append(i == 0 ? "" : ", ").append(cell(row, given[i]));
                }
                rows.append(')');
            }
        }
        StringBuilder names = new StringBuilder(" (");
        for (int i = 0; i < given.length; i++) {
            names.append(i == 0 ? "" : ", ").append(quoted(columns.get(given[i]).name()));
        }
        names.append(')');
        rows.append(')');
        if (others.isEmpty()) {
            text.append(rows).append(" AS ").append(quoted(EXCLUDED)).append(names);
        } else {
            text.append("(SELECT * FROM ")
                    .append(rows)
                    .append(" AS ")
                    .append(quoted(GIVEN))
                    .append(names);
            for (int i = 0; i < others.size(); i++) {
                text.append(i == 0 ? " WHERE" : " AND")
                        .append(" NOT EXISTS (SELECT 1 FROM ")
                        .append(quoted(table.name()))
                        .append(" AS ")
                        .append(quoted(EXCLUDED))
                        .append(" WHERE ")
                        .append(equal(others.get(i), EXCLUDED, GIVEN))
                        .append(')');
            }
            text.append(") AS ").append(quoted(EXCLUDED)).append(names);
        }
        return new Part(start, text.length(), inserted.query().parameters());
    }

    private String cell(List<Part> row, int place) {
        if (place >= row.size()) {
            throw SqlErrors.syntax(clause.table().position(), "the rows of VALUES have different numbers of values");
        }
        String written = text(row.get(place));
        int column = table.columnIndex(columns.get(place).name());
        return column < 0
                ? written
                : "CAST(" + written + " AS "
                        + ConflictPlanner.whole(table.columns().get(column).type()) + ")";
    }

    private String equal(Index key, String one, String other) {
        StringBuilder equal = new StringBuilder();
        key.columns().forEach(each -> {
            String name = quoted(table.columns().get(each.column()).name());
            equal.append(equal.isEmpty() ? "" : " AND ")
                    .append(quoted(one))
                    .append('.')
                    .append(name)
                    .append(" = ")
                    .append(quoted(other))
                    .append('.')
                    .append(name);
        });
        return equal.toString();
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

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
