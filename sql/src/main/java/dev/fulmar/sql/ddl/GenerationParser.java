package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Generation;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads {@code GENERATED ALWAYS AS (expression) STORED}. The meaning of the expression needs all columns of the table,
 * and so is found behind them.
 */
final class GenerationParser {
    private final TokenReader reader;
    private final DdlExpressions expressions;
    private final Map<String, CheckParser.Written> written = new TreeMap<>();

    GenerationParser(TokenReader reader, DdlExpressions expressions) {
        this.reader = reader;
        this.expressions = expressions;
    }

    /**
     * Reads the clause if it comes next.
     *
     * @param hasOther whether the column has a default or draws numbers
     * @return what stands for it until the columns are known
     */
    Optional<Generation> parse(String column, boolean hasOther) {
        Token first = reader.peek();
        boolean comes = first.isWord("GENERATED")
                && reader.peek(1).isWord("ALWAYS")
                && reader.peek(2).isWord("AS")
                && reader.peek(3).isSymbol("(");
        if (!comes) {
            return Optional.empty();
        }
        reader.expect("GENERATED", "ALWAYS", "AS");
        CheckParser.Written expression = CheckParser.parse(reader, column);
        if (!reader.accept("STORED")) {
            throw reader.unexpected("STORED: a generated column is computed when its row is written");
        }
        List<Token> words = Tokenizer.tokens(expression.text());
        if (words.stream().anyMatch(word -> word.isWord("SELECT"))) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    "column " + column + " is computed from its row alone, without subqueries");
        }
        for (int i = 0; i + 1 < words.size(); i++) {
            boolean isDrawn =
                    (words.get(i).isWord("NEXTVAL") && words.get(i + 1).isSymbol("("))
                            || (words.get(i).isWord("NEXT") && words.get(i + 1).isWord("VALUE"));
            if (isDrawn) {
                throw SqlErrors.at(
                        ErrorCode.INVALID_DEFINITION,
                        first.position(),
                        "column " + column + " is computed from its row alone; IDENTITY draws numbers");
            }
        }
        if (hasOther || written.put(column, expression) != null) {
            throw SqlErrors.syntax(
                    first.position(), "column " + column + " has one of DEFAULT, IDENTITY and an expression");
        }
        return Optional.of(new Generation(
                expression.text(), new Expression.Literal(Column.rowId().type(), null)));
    }

    /** The columns with the meaning of the expressions that were read. */
    List<Column> over(String table, List<Column> columns) {
        List<Column> complete = new ArrayList<>();
        for (int place = 0; place < columns.size(); place++) {
            Column column = columns.get(place);
            CheckParser.Written expression = written.get(column.name());
            complete.add(
                    expression == null
                            ? column
                            : column.withGeneration(new Generation(
                                    expression.text(),
                                    expressions.generated(
                                            table, columns, place, expression.start(), expression.end()))));
        }
        return complete;
    }

    /**
     * The generated columns that are computed from a column which changes, by name, over its table's columns as they
     * will be.
     *
     * @param rename whether only the name changes; the meaning must then stay
     */
    static Map<String, Generation> changed(
            Table table, int place, List<Column> columns, boolean rename, DdlExpressions expressions) {
        Map<String, Generation> changed = new TreeMap<>();
        for (int other = 0; other < table.columns().size(); other++) {
            Column column = table.columns().get(other);
            Generation generation = column.generation();
            if (generation != null && generation.reads(place)) {
                if (!rename) {
                    checkMeaning(table, other, expressions);
                }
                String text = rename
                        ? RewrittenChecks.renamedColumn(
                                generation.text(),
                                table.columns().get(place).name(),
                                columns.get(place).name())
                        : generation.text();
                Expression value = expressions.generated(table.name(), columns, other, text);
                if (rename) {
                    RewrittenChecks.checkSame("column " + column.name(), text, value, generation.value());
                }
                changed.put(column.name(), new Generation(text, value));
            }
        }
        return changed;
    }

    /** Refuses to plan a column's expression anew where it would mean something else, as in another time zone. */
    static void checkMeaning(Table table, int place, DdlExpressions expressions) {
        Column column = table.columns().get(place);
        Generation generation = column.generation();
        if (generation != null) {
            RewrittenChecks.checkSame(
                    "column " + column.name(),
                    generation.text(),
                    expressions.generated(table.name(), table.columns(), place, generation.text()),
                    generation.value());
        }
    }

    /** All generated columns of a table that gets another name. */
    static Map<String, Generation> ofRenamedTable(Table table, String name, DdlExpressions expressions) {
        Map<String, Generation> changed = new TreeMap<>();
        for (int place = 0; place < table.columns().size(); place++) {
            Column column = table.columns().get(place);
            Generation generation = column.generation();
            if (generation != null) {
                String text = RewrittenChecks.renamedTable(generation.text(), table.name(), name);
                Expression value = expressions.generated(name, table.columns(), place, text);
                RewrittenChecks.checkSame("column " + column.name(), text, value, generation.value());
                changed.put(column.name(), new Generation(text, value));
            }
        }
        return changed;
    }
}
