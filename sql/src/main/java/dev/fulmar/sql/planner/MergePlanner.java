package dev.fulmar.sql.planner;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.calcite.QueryParser;
import dev.fulmar.sql.expression.ExpressionConverter;
import dev.fulmar.sql.text.MergeStatement;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.List;

/** Plans MERGE: a query that says what is to be done with which row, and then the changes row by row. */
public final class MergePlanner {
    private MergePlanner() {}

    /** The table that is changed, if its columns are what the statement takes them for. */
    public static Table target(MergeStatement merge, Catalog catalog) {
        String name = merge.table().name();
        Table table = catalog.tables().get(name);
        if (table == null) {
            boolean isView = catalog.views().containsKey(name);
            throw SqlErrors.at(
                    isView ? ErrorCode.NOT_SUPPORTED : ErrorCode.UNKNOWN_OBJECT,
                    merge.table().position(),
                    isView ? name + " is a view and cannot be changed" : catalog.noTable(name));
        }
        if (table.isSequence()) {
            throw SqlErrors.at(ErrorCode.NOT_SUPPORTED, merge.table().position(), name + " is a sequence");
        }
        if (table.isAggregation()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    merge.table().position(),
                    name + " is a materialized view, which changes with its table; change that");
        }
        for (MergeStatement.Clause clause : merge.clauses()) {
            switch (clause.action()) {
                case MergeStatement.Update update -> {
                    checkColumns(table, update.columns());
                    checkGiven(table, update.columns(), update.values(), merge, false);
                }
                case MergeStatement.Insert insert -> checkInsert(merge, table, insert);
                case MergeStatement.Delete delete -> {
                    // Names no column.
                }
                case MergeStatement.Nothing nothing -> {
                    // Names no column.
                }
            }
        }
        return StepPlanner.keyed(table);
    }

    private static void checkColumns(Table table, List<Token> columns) {
        for (Token column : columns) {
            if (table.columnIndex(column.name()) < 0) {
                throw SqlErrors.at(ErrorCode.UNKNOWN_OBJECT, column.position(), table.noColumn(column.name()));
            }
        }
    }

    /** Columns that are always drawn are given nothing but DEFAULT, and are not changed; generated ones likewise. */
    private static void checkGiven(
            Table table, List<Token> columns, List<MergeStatement.Part> values, MergeStatement merge, boolean inserts) {
        int count = columns.isEmpty() ? values.size() : columns.size();
        for (int i = 0; i < count; i++) {
            int place = columns.isEmpty() ? i : table.columnIndex(columns.get(i).name());
            boolean isDefault = i < values.size() && merge.isDefault(values.get(i));
            Column column = place < table.columns().size() ? table.columns().get(place) : null;
            boolean isLeft = isDefault && (inserts || (column != null && column.isGenerated()));
            if (column != null && (column.isAlwaysDrawn() || column.isGenerated()) && !isLeft) {
                throw SqlErrors.at(
                        ErrorCode.GENERATED_ALWAYS,
                        columns.isEmpty()
                                ? merge.table().position()
                                : columns.get(i).position(),
                        "column " + column.name() + " is GENERATED ALWAYS; leave it out");
            }
        }
    }

    private static void checkInsert(MergeStatement merge, Table table, MergeStatement.Insert insert) {
        checkColumns(table, insert.columns());
        checkGiven(table, insert.columns(), insert.values(), merge, true);
        int wanted = insert.columns().isEmpty()
                ? table.visibleColumns().size()
                : insert.columns().size();
        if (insert.values().size() != wanted) {
            throw SqlErrors.syntax(
                    merge.table().position(),
                    "the INSERT of this MERGE has " + insert.values().size()
                            + (insert.values().size() == 1 ? " value for " : " values for ") + wanted
                            + (wanted == 1 ? " column" : " columns"));
        }
    }

    /** The plan. */
    public static StatementPlan plan(
            String sql,
            MergeStatement merge,
            Table table,
            QueryParser.Parsed query,
            StatementPlanner.Nested nested,
            Catalog catalog) {
        ExpressionConverter converter =
                new ExpressionConverter(query.root().rel.getCluster().getRexBuilder(), query.parameters());
        StatementPlan.Steps steps = new StepPlanner(sql, query.parameters(), converter, nested, catalog)
                .merge(table, merge, query.root().rel);
        return StatementPlan.inSteps(sql, query.parameters(), steps);
    }
}
