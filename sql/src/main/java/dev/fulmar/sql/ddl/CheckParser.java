package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.sql.text.Token;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Reads the condition of a CHECK, whose meaning needs all columns of the table and so is found later. */
final class CheckParser {
    private CheckParser() {}

    /** A condition as it stands in the statement, with its parentheses. */
    record Written(String name, String text, int start, int end) {
        Check over(String table, List<Column> columns, DdlExpressions expressions) {
            return new Check(name, text, expressions.condition(table, columns, start, end));
        }
    }

    /** Names of the table's constraints. */
    static Set<String> names(Table table) {
        Set<String> names = new TreeSet<>();
        table.checks().forEach(check -> names.add(check.name()));
        table.indexes().forEach(index -> names.add(index.name()));
        return names;
    }

    /** A name for a condition that was given none. */
    static String freeName(String table, Set<String> taken) {
        int number = 1;
        while (taken.contains(table + "_CHECK_" + number)) {
            number++;
        }
        return table + "_CHECK_" + number;
    }

    /** Reads the condition behind CHECK. */
    static Written parse(TokenReader reader, String name) {
        Token first = reader.peek();
        reader.expectSymbol("(");
        Token last = first;
        for (int depth = 1; depth > 0; ) {
            if (reader.isAtEnd()) {
                throw reader.unexpected("')'");
            }
            last = reader.take();
            depth += last.nesting();
        }
        return new Written(name, reader.textSince(first), first.start(), last.end());
    }
}
