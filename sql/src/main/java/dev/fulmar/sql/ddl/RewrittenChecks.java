package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Rewrites a table's CHECK constraints when ALTER TABLE renames the table, or renames or retypes a column. Invariant: a
 * renaming changes texts and no meaning.
 */
final class RewrittenChecks {
    private RewrittenChecks() {}

    /** The table has another name, which a condition has before a column and a dot. */
    static List<Check> ofRenamedTable(Table table, String name, DdlExpressions expressions) {
        List<Check> checks = new ArrayList<>();
        for (Check check : table.checks()) {
            String text = renamedTable(check.text(), table.name(), name);
            checks.add(same(check, text, expressions.condition(name, table.columns(), text)));
        }
        return checks;
    }

    /** @param columns with the column renamed */
    static List<Check> ofRenamedColumn(Table table, int place, List<Column> columns, DdlExpressions expressions) {
        String from = table.columns().get(place).name();
        String to = columns.get(place).name();
        List<Check> checks = new ArrayList<>();
        for (Check check : table.checks()) {
            if (!check.reads(place)) {
                checks.add(check);
                continue;
            }
            String text = renamedColumn(check.text(), from, to);
            checks.add(same(check, text, expressions.condition(table.name(), columns, text)));
        }
        return checks;
    }

    /** @param columns with the column's new type */
    static List<Check> ofRetypedColumn(Table table, int place, List<Column> columns, DdlExpressions expressions) {
        List<Check> checks = new ArrayList<>();
        for (Check check : table.checks()) {
            checks.add(
                    check.reads(place)
                            ? new Check(
                                    check.name(),
                                    check.text(),
                                    expressions.condition(table.name(), columns, check.text()))
                            : check);
        }
        return checks;
    }

    /**
     * Conditions that were always true may be so no more: {@code c IS NOT NULL} was true while the column took no NULL.
     *
     * @param columns with the column that takes NULL
     */
    static List<Check> ofNullableColumn(Table table, List<Column> columns, DdlExpressions expressions) {
        List<Check> checks = new ArrayList<>();
        for (Check check : table.checks()) {
            checks.add(
                    new Check(check.name(), check.text(), expressions.condition(table.name(), columns, check.text())));
        }
        return checks;
    }

    /** Refuses a column to take NULL where an index has rows by a condition that would be another one then. */
    static void checkIndexes(Table table, List<Column> columns, DdlExpressions expressions) {
        for (Index index : table.indexes()) {
            index.condition().ifPresent(condition -> {
                Check planned = new Check(
                        index.name(), condition.text(), expressions.condition(table.name(), columns, condition.text()));
                for (int column = 0; column < columns.size(); column++) {
                    if (planned.reads(column) != condition.reads(column)) {
                        throw new FulmarException(
                                ErrorCode.DEPENDENT_OBJECTS,
                                "index " + index.name() + " has other rows where "
                                        + columns.get(column).name() + " is null; DROP INDEX " + index.name()
                                        + " first, and create it again");
                    }
                }
            });
        }
    }

    private static Check same(Check check, String text, Expression condition) {
        checkSame("the constraint " + check.name(), text, condition, check.condition());
        return new Check(check.name(), text, condition);
    }

    /** Refuses a renaming by which a text would mean something else. */
    static void checkSame(String what, String text, Expression meaning, Expression before) {
        if (!meaning.equals(before)) {
            throw new FulmarException(
                    ErrorCode.DEPENDENT_OBJECTS,
                    what + " would mean something else: " + text + "; drop it first, and add it again");
        }
    }

    /** The text of an expression over a table that gets another name. */
    static String renamedTable(String text, String from, String to) {
        return renamed(text, SchemaName.local(from), SchemaName.local(to), (token, next) -> next.isSymbol("."));
    }

    /** The text of an expression over a column that gets another name. */
    static String renamedColumn(String text, String from, String to) {
        return renamed(text, from, to, (token, next) -> !next.isSymbol("(") && !next.isSymbol("."));
    }

    /** @param names whether a token with the old name, before the next token, is one that changes */
    private static String renamed(String text, String from, String to, BiPredicate<Token, Token> names) {
        StringBuilder changed = new StringBuilder();
        List<Token> tokens = Tokenizer.tokens(text);
        int copied = 0;
        for (int i = 0; i < tokens.size() - 1; i++) {
            Token token = tokens.get(i);
            boolean isName = token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED_NAME;
            if (isName && token.name().equals(from) && names.test(token, tokens.get(i + 1))) {
                changed.append(text, copied, token.start())
                        .append('"')
                        .append(to.replace("\"", "\"\""))
                        .append('"');
                copied = token.end();
            }
        }
        return changed.append(text.substring(copied)).toString();
    }
}
