package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.text.MergeStatement;
import dev.fulmar.sql.text.MergeStatement.Clause;
import dev.fulmar.sql.text.MergeStatement.Part;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * The query that a MERGE begins with. It yields the source's rows, each with the number of the clause that it meets,
 * and with the values of every clause. The number is null for none, and -1 where another of the source's rows would
 * change the same row. The values are null for the rows of other clauses.
 */
final class MergeQuery {
    private static final SqlParserPos NOWHERE = SqlParserPos.ZERO;
    private static final String QUERY = "SELECT * FROM";

    private final MergeStatement merge;
    private final Table table;
    private final SqlParser.Config parser;

    MergeQuery(MergeStatement merge, Table table, SqlParser.Config parser) {
        this.merge = merge;
        this.table = table;
        this.parser = parser;
    }

    SqlNode tree() throws SqlParseException {
        List<SqlNode> items = new ArrayList<>();
        items.add(choice());
        for (int number = 0; number < merge.clauses().size(); number++) {
            addValues(number, items);
        }
        merge.constants().ifPresent(each -> items.add(new SqlIdentifier(List.of(each.name(), each.place()), NOWHERE)));
        return new SqlSelect(
                NOWHERE,
                null,
                new SqlNodeList(items, NOWHERE),
                from(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private SqlNode from() throws SqlParseException {
        return new SqlJoin(
                NOWHERE,
                typed(source()),
                SqlLiteral.createBoolean(false, NOWHERE),
                JoinType.LEFT.symbol(NOWHERE),
                isSought() ? soughtTarget() : target(),
                JoinConditionType.ON.symbol(NOWHERE),
                expression(merge.condition()));
    }

    private boolean isSought() {
        return merge.constants().filter(each -> !each.sought().isEmpty()).isPresent();
    }

    /** The source; parsed anew each time, as all that the query has twice. */
    private SqlNode source() throws SqlParseException {
        Part source = merge.source();
        String text = QUERY
                + blank(source.start()).substring(QUERY.length())
                + merge.sql().substring(source.start(), source.end());
        SqlSelect query =
                (SqlSelect) SqlParser.create(new StatementReader(text), parser).parseQuery();
        return shifted(Objects.requireNonNull(query.getFrom()), source.parameters());
    }

    private SqlNode target() {
        return SqlStdOperatorTable.AS.createCall(
                NOWHERE, new SqlIdentifier(table.name(), position()), new SqlIdentifier(merge.alias(), position()));
    }

    /** The rows of the table that have a key of the source's rows, which an index finds. */
    private SqlNode soughtTarget() throws SqlParseException {
        List<String> columns = merge.constants().orElseThrow().sought();
        List<SqlNode> source = ((SqlCall) source()).getOperandList(); // VALUES, its name, and those of its columns
        List<String> names = source.subList(2, source.size()).stream()
                .map(name -> ((SqlIdentifier) name).getSimple())
                .toList();
        List<SqlNode> sought = new ArrayList<>();
        List<SqlNode> keys = new ArrayList<>();
        for (String column : columns) {
            sought.add(new SqlIdentifier(List.of(merge.alias(), column), NOWHERE));
        }
        for (SqlNode row : ((SqlCall) source.getFirst()).getOperandList()) {
            List<SqlNode> key = new ArrayList<>();
            for (String column : columns) {
                key.add(((SqlCall) row).operand(names.indexOf(column)));
            }
            keys.add(row(key));
        }
        SqlNode list = sought.size() == 1
                ? new SqlNodeList(keys, NOWHERE)
                : SqlStdOperatorTable.VALUES.createCall(NOWHERE, keys);
        SqlSelect query = (SqlSelect) SqlParser.create(QUERY + " t", parser).parseQuery();
        query.setFrom(target());
        query.setWhere(SqlStdOperatorTable.IN.createCall(NOWHERE, row(sought), list));
        return SqlStdOperatorTable.AS.createCall(NOWHERE, query, new SqlIdentifier(merge.alias(), position()));
    }

    private static SqlNode row(List<SqlNode> columns) {
        return columns.size() == 1 ? columns.getFirst() : SqlStdOperatorTable.ROW.createCall(NOWHERE, columns);
    }

    /** The source, whose parameters are of the types of the columns that they belong to. */
    private SqlNode typed(SqlNode source) throws SqlParseException {
        if (!ParameterInference.hasParameter(source)) {
            return source;
        }
        MergeSource columns = new MergeSource(table, merge.alias(), parser);
        columns.compare(expression(merge.condition()));
        for (Clause clause : merge.clauses()) {
            switch (clause.action()) {
                case MergeStatement.Update update -> {
                    for (int i = 0; i < update.values().size(); i++) {
                        store(
                                columns,
                                update.values().get(i),
                                column(update.columns().get(i)));
                    }
                }
                case MergeStatement.Insert insert -> {
                    for (int i = 0; i < insert.values().size(); i++) {
                        store(columns, insert.values().get(i), column(insert, i));
                    }
                }
                case MergeStatement.Delete delete -> {
                    // Stores nothing.
                }
                case MergeStatement.Nothing nothing -> {
                    // Stores nothing.
                }
            }
        }
        columns.settle(source);
        return source;
    }

    private void store(MergeSource columns, Part value, Column column) throws SqlParseException {
        if (!merge.isDefault(value)) {
            columns.store(expression(value), column);
        }
    }

    private Column column(Token name) {
        return table.columns().get(table.columnIndex(name.name()));
    }

    private Column column(MergeStatement.Insert insert, int place) {
        return insert.columns().isEmpty()
                ? table.columns().get(place)
                : column(insert.columns().get(place));
    }

    private SqlParserPos position() {
        return new SqlParserPos(
                merge.table().position().line(), merge.table().position().column());
    }

    private String blank(int end) {
        return merge.sql().substring(0, end).replaceAll("[^\n]", " ");
    }

    private SqlNode expression(Part part) throws SqlParseException {
        String text = blank(part.start()) + merge.sql().substring(part.start(), part.end());
        return shifted(SqlParser.create(new StatementReader(text), parser).parseExpression(), part.parameters());
    }

    private static SqlNode shifted(SqlNode node, int parameters) {
        SqlNode shifted = node.accept(new SqlShuttle() {
            @Override
            public @Nullable SqlNode visit(SqlDynamicParam parameter) {
                return new SqlDynamicParam(parameter.getIndex() + parameters, parameter.getParserPosition());
            }
        });
        return Objects.requireNonNull(shifted);
    }

    private SqlNode column(int place) {
        return new SqlIdentifier(
                List.of(merge.alias(), table.columns().get(place).name()), NOWHERE);
    }

    private SqlNode isMatched() {
        return SqlStdOperatorTable.IS_NOT_NULL.createCall(
                NOWHERE, column(table.primaryKey().getFirst()));
    }

    /** The number of the clause; parsed anew each time, for the validator changes the trees that it is given. */
    private SqlNode clauseNumber() throws SqlParseException {
        List<SqlNode> conditions = new ArrayList<>();
        List<SqlNode> numbers = new ArrayList<>();
        for (int i = 0; i < merge.clauses().size(); i++) {
            Clause clause = merge.clauses().get(i);
            SqlNode condition = clause.matched()
                    ? isMatched()
                    : SqlStdOperatorTable.IS_NULL.createCall(
                            NOWHERE, column(table.primaryKey().getFirst()));
            if (clause.condition().isPresent()) {
                condition = SqlStdOperatorTable.AND.createCall(
                        NOWHERE, condition, expression(clause.condition().get()));
            }
            conditions.add(condition);
            numbers.add(
                    clause.action() instanceof MergeStatement.Nothing
                            ? SqlStdOperatorTable.CAST.createCall(NOWHERE, SqlLiteral.createNull(NOWHERE), integer())
                            : number(i));
        }
        return new SqlCase(
                NOWHERE,
                null,
                new SqlNodeList(conditions, NOWHERE),
                new SqlNodeList(numbers, NOWHERE),
                SqlLiteral.createNull(NOWHERE));
    }

    private static SqlNode integer() {
        return new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.INTEGER, NOWHERE), NOWHERE);
    }

    private static SqlNode number(int value) {
        return SqlLiteral.createExactNumeric(Integer.toString(value), NOWHERE);
    }

    private SqlNode choice() throws SqlParseException {
        if (merge.clauses().stream().noneMatch(Clause::matched)) {
            return clauseNumber();
        }
        List<SqlNode> key = table.primaryKey().stream().map(this::column).toList();
        SqlNode window = SqlWindow.create(
                null,
                null,
                new SqlNodeList(key, NOWHERE),
                SqlNodeList.EMPTY,
                SqlLiteral.createBoolean(false, NOWHERE),
                null,
                null,
                null,
                NOWHERE);
        SqlNode count = SqlStdOperatorTable.OVER.createCall(
                NOWHERE, SqlStdOperatorTable.COUNT.createCall(NOWHERE, clauseNumber()), window);
        SqlNode isTwice = SqlStdOperatorTable.AND.createCall(
                NOWHERE,
                SqlStdOperatorTable.AND.createCall(
                        NOWHERE, SqlStdOperatorTable.GREATER_THAN.createCall(NOWHERE, count, number(1)), isMatched()),
                SqlStdOperatorTable.IS_NOT_NULL.createCall(NOWHERE, clauseNumber()));
        return new SqlCase(
                NOWHERE,
                null,
                SqlNodeList.of(isTwice),
                SqlNodeList.of(SqlLiteral.createExactNumeric("-1", NOWHERE)),
                clauseNumber());
    }

    private void addValues(int number, List<SqlNode> items) throws SqlParseException {
        switch (merge.clauses().get(number).action()) {
            case MergeStatement.Update update -> {
                for (int i = 0; i < update.values().size(); i++) {
                    Token name = update.columns().get(i);
                    Column column = column(name);
                    if (!column.isGenerated()) {
                        SqlNode value = merge.isDefault(update.values().get(i))
                                ? ColumnDefault.of(column, name.position(), parser)
                                : expression(update.values().get(i));
                        items.add(ofClause(number, value, column.type()));
                    }
                }
                table.primaryKey().forEach(column -> items.add(column(column)));
            }
            case MergeStatement.Delete delete -> table.primaryKey().forEach(column -> items.add(column(column)));
            case MergeStatement.Insert insert -> {
                for (int i = 0; i < insert.values().size(); i++) {
                    if (!merge.isDefault(insert.values().get(i))) {
                        items.add(ofClause(
                                number,
                                expression(insert.values().get(i)),
                                column(insert, i).type()));
                    }
                }
            }
            case MergeStatement.Nothing nothing -> {
                // Has no values.
            }
        }
    }

    private SqlNode ofClause(int number, SqlNode value, ColumnType type) throws SqlParseException {
        SqlNode computed = value;
        boolean isOpen = computed instanceof SqlLiteral
                && (type.isArray()
                        || type.kind().isJson()
                        || type.kind() == TypeKind.INTERVAL
                        || type.kind() == TypeKind.ENUM);
        if (isOpen || ParameterInference.hasParameter(computed)) {
            SqlCall cast = (SqlCall)
                    SqlParser.create("CAST(NULL AS " + type + ")", parser).parseExpression();
            computed = cast.getOperator().createCall(computed.getParserPosition(), computed, cast.operand(1));
        }
        return ofClause(number, computed);
    }

    /** The value of a clause, which is null for the rows of others. */
    private SqlNode ofClause(int number, SqlNode computed) throws SqlParseException {
        SqlNode isOfClause = SqlStdOperatorTable.EQUALS.createCall(NOWHERE, clauseNumber(), number(number));
        return new SqlCase(
                NOWHERE, null, SqlNodeList.of(isOfClause), SqlNodeList.of(computed), SqlLiteral.createNull(NOWHERE));
    }
}
