package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.List;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * The rules for recursive queries (ISO 9075-2, 7.17). They are a query, UNION, and one that reads the rows of the round
 * before once. More rows there never mean fewer rows of the result. A round reads the last round's rows alone, so a
 * query that read them twice, or looked for what is not among them, would have wrong results.
 */
final class RecursionRules {
    private final String name;
    private int references;

    /** Where in the recursive term a name stands. */
    private enum Place {
        PLAIN("must not appear more than once"),
        NON_RECURSIVE_TERM("must not appear within its non-recursive term"),
        SUBQUERY("must not appear within a subquery"),
        OUTER_JOIN("must not appear within an outer join, on the side that may have no rows"),
        EXCEPT("must not appear within EXCEPT"),
        INTERSECT_ALL("must not appear within INTERSECT ALL");

        private final String rule;

        Place(String rule) {
            this.rule = rule;
        }
    }

    private RecursionRules(String name) {
        this.name = name;
    }

    /** Refuses a statement with a recursive query that breaks a rule. */
    static void check(@Nullable SqlNode node) {
        switch (node) {
            case SqlWith with -> {
                with.withList.forEach(item -> checkItem((SqlWithItem) item));
                check(with.body);
            }
            case SqlCall call -> call.getOperandList().forEach(RecursionRules::check);
            case SqlNodeList list -> list.forEach(RecursionRules::check);
            case null, default -> {}
        }
    }

    private static void checkItem(SqlWithItem item) {
        check(item.query);
        RecursionRules rules = new RecursionRules(item.name.getSimple());
        if (item.recursive.booleanValue() && rules.reads(item.query)) {
            rules.checkForm(item);
        }
    }

    private void checkForm(SqlWithItem item) {
        if (item.query instanceof SqlOrderBy order) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    at(order.getParserPosition())
                            + ": a recursive query has no ORDER BY, LIMIT or OFFSET; put them into the query that reads it");
        }
        if (item.query.getKind() != SqlKind.UNION) {
            throw refusal(
                    item.getParserPosition(),
                    "the recursive query " + name
                            + " must have the form non-recursive query UNION [ALL] recursive query");
        }
        SqlCall union = (SqlCall) item.query;
        visit(union.operand(0), Place.NON_RECURSIVE_TERM);
        visit(union.operand(1), Place.PLAIN);
    }

    /** Counts the references in a relation or a query, and refuses those at a wrong place. */
    private void visit(@Nullable SqlNode relation, Place place) {
        switch (relation) {
            case SqlIdentifier table
            when isName(table) -> {
                if (place != Place.PLAIN || ++references > 1) {
                    throw refusal(
                            table.getParserPosition(), "a reference to the recursive query " + name + " " + place.rule);
                }
            }
            case SqlSelect select -> {
                checkAggregates(select);
                visit(select.getFrom(), place);
                subqueries(select.getSelectList(), place);
                subqueries(select.getWhere(), place);
                subqueries(select.getGroup(), place);
                subqueries(select.getHaving(), place);
            }
            case SqlJoin join -> {
                JoinType type = join.getJoinType();
                visit(join.getLeft(), type.generatesNullsOnLeft() ? Place.OUTER_JOIN : place);
                visit(join.getRight(), type.generatesNullsOnRight() ? Place.OUTER_JOIN : place);
                subqueries(join.getCondition(), place);
            }
            case SqlWith with -> visitWith(with, place);
            case SqlOrderBy order -> {
                visit(order.query, place);
                subqueries(order.orderList, place);
            }
            case SqlCall call -> visitCall(call, place);
            case null, default -> {}
        }
    }

    private void visitCall(SqlCall call, Place place) {
        switch (call.getKind()) {
            case UNION -> call.getOperandList().forEach(branch -> visit(branch, place));
            case INTERSECT -> {
                Place within = isAll(call) ? Place.INTERSECT_ALL : place;
                call.getOperandList().forEach(branch -> visit(branch, within));
            }
            case EXCEPT -> {
                visit(call.operand(0), isAll(call) ? Place.EXCEPT : place);
                visit(call.operand(1), Place.EXCEPT);
            }
            case AS, LATERAL, EXPLICIT_TABLE, TABLESAMPLE -> visit(call.operand(0), place);
            default -> call.getOperandList().forEach(operand -> subqueries(operand, place));
        }
    }

    /** A query within may give its own meaning to the name. */
    private void visitWith(SqlWith with, Place place) {
        for (SqlNode each : with.withList) {
            SqlWithItem item = (SqlWithItem) each;
            if (isNamed(item) && item.recursive.booleanValue()) {
                return;
            }
            visit(item.query, place);
            if (isNamed(item)) {
                return;
            }
        }
        visit(with.body, place);
    }

    /** Looks for queries in an expression. */
    private void subqueries(@Nullable SqlNode expression, Place place) {
        switch (expression) {
            case SqlCall call
            when call.getKind().belongsTo(SqlKind.QUERY) -> visit(call, place == Place.PLAIN ? Place.SUBQUERY : place);
            case SqlCall call -> call.getOperandList().forEach(operand -> subqueries(operand, place));
            case SqlNodeList list -> list.forEach(each -> subqueries(each, place));
            case null, default -> {}
        }
    }

    private boolean reads(@Nullable SqlNode query) {
        return switch (query) {
            case SqlSelect select -> readsFrom(select.getFrom()) || readsAny(select.getOperandList());
            case SqlWith with -> {
                boolean isHidden = with.withList.stream().anyMatch(item -> isNamed((SqlWithItem) item));
                yield !isHidden && readsAny(with.getOperandList());
            }
            case SqlCall call when call.getKind() == SqlKind.EXPLICIT_TABLE -> readsFrom(call.operand(0));
            case SqlCall call -> readsAny(call.getOperandList());
            case SqlNodeList list -> readsAny(list);
            case null, default -> false;
        };
    }

    private boolean readsAny(List<? extends @Nullable SqlNode> nodes) {
        return nodes.stream().anyMatch(this::reads);
    }

    private boolean readsFrom(@Nullable SqlNode from) {
        return switch (from) {
            case SqlIdentifier table -> isName(table);
            case SqlJoin join -> readsFrom(join.getLeft()) || readsFrom(join.getRight());
            case SqlCall call
            when call.getKind() == SqlKind.AS || call.getKind() == SqlKind.TABLESAMPLE -> readsFrom(call.operand(0));
            case null, default -> false;
        };
    }

    private boolean isName(SqlIdentifier table) {
        return table.isSimple() && table.getSimple().equals(name);
    }

    private boolean isNamed(SqlWithItem item) {
        return item.name.getSimple().equals(name);
    }

    private static boolean isAll(SqlCall call) {
        return call.getOperator().getName().endsWith("ALL");
    }

    /** A query that reads the rows of the round before does not aggregate them. */
    private void checkAggregates(SqlSelect select) {
        if (readsFrom(select.getFrom()) && (aggregates(select.getSelectList()) || aggregates(select.getHaving()))) {
            throw refusal(
                    select.getParserPosition(),
                    "a recursive query has no aggregates of its own rows; put them into the query that reads it");
        }
    }

    private static boolean aggregates(@Nullable SqlNode expression) {
        return switch (expression) {
            case SqlCall call when call.getKind().belongsTo(SqlKind.QUERY) || call.getKind() == SqlKind.OVER -> false;
            case SqlCall call ->
                AggregateForms.isAggregate(call)
                        || call.getOperandList().stream().anyMatch(RecursionRules::aggregates);
            case SqlNodeList list -> list.stream().anyMatch(RecursionRules::aggregates);
            case null, default -> false;
        };
    }

    private static Position at(SqlParserPos position) {
        return new Position(position.getLineNum(), position.getColumnNum());
    }

    private static FulmarException refusal(SqlParserPos position, String message) {
        return SqlErrors.at(ErrorCode.INVALID_RECURSION, at(position), message);
    }
}
