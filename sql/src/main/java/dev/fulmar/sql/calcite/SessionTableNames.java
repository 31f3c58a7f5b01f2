package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.sql.text.SessionNames;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Puts the schema before the plain names of tables that a client's statement has, unless it is PUBLIC. A query of WITH
 * comes first.
 */
final class SessionTableNames {
    private static final int FROM = 2;

    /** Names that WITH gives queries. */
    private final Set<String> queries;

    private final Consumer<SqlIdentifier> completed;

    private SessionTableNames(Set<String> queries, Consumer<SqlIdentifier> completed) {
        this.queries = queries;
        this.completed = completed;
    }

    /** Changes the statement in place. */
    static void settle(SqlNode statement) {
        settle(statement, name -> {});
    }

    /**
     * The same.
     *
     * @param completed takes the names that had no schema, with the one that they have now
     */
    static void settle(SqlNode statement, Consumer<SqlIdentifier> completed) {
        if (SessionNames.areBound()) {
            new SessionTableNames(Set.of(), completed).visit(statement);
        }
    }

    /** The text with schemas before names, each of which begins at its place in the text. */
    static String written(String sql, List<SqlIdentifier> completed) {
        List<Token> tokens = Tokenizer.tokens(sql);
        StringBuilder written = new StringBuilder();
        int end = 0;
        int names = 0;
        for (Token token : tokens) {
            for (SqlIdentifier name : completed) {
                if (isAt(name, token)) {
                    written.append(sql, end, token.start()).append(quoted(name.names.getFirst()));
                    written.append('.').append(quoted(name.names.getLast()));
                    end = token.end();
                    names++;
                    break;
                }
            }
        }
        Invariants.check(names == completed.size(), "each name that was read stands in the text");
        return written.append(sql.substring(end)).toString();
    }

    private static boolean isAt(SqlIdentifier name, Token token) {
        SqlParserPos position = name.getParserPosition();
        boolean isAt = position.getLineNum() == token.position().line()
                && position.getColumnNum() == token.position().column();
        if (isAt && !token.name().equals(name.names.getLast())) {
            throw Invariants.breach("a name stands where it was read");
        }
        return isAt;
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    private void visit(@Nullable SqlNode node) {
        switch (node) {
            case SqlWith with -> common(with);
            case SqlSelect select -> {
                for (int i = 0; i < select.operandCount(); i++) {
                    if (i != FROM) {
                        visit(select.getOperandList().get(i));
                    }
                }
                SqlNode from = select.getFrom();
                if (from != null) {
                    select.setFrom(from(from));
                }
            }
            case SqlInsert insert -> {
                insert.setOperand(1, named(insert.getTargetTable()));
                visitAll(insert.getOperandList());
            }
            case SqlUpdate update -> {
                update.setOperand(0, named(update.getTargetTable()));
                visitAll(update.getOperandList());
            }
            case SqlDelete delete -> {
                delete.setOperand(0, named(delete.getTargetTable()));
                visitAll(delete.getOperandList());
            }
            case SqlCall call
            when call.getKind() == SqlKind.EXPLICIT_TABLE -> call.setOperand(0, named(call.operand(0)));
            case SqlCall call -> visitAll(call.getOperandList());
            case SqlNodeList list -> visitAll(list);
            case null, default -> {
                // Names no table.
            }
        }
    }

    private void visitAll(List<? extends @Nullable SqlNode> nodes) {
        nodes.forEach(this::visit);
    }

    private void common(SqlWith with) {
        Set<String> known = new TreeSet<>(queries);
        for (SqlNode each : with.withList) {
            SqlWithItem item = (SqlWithItem) each;
            Set<String> inside = new TreeSet<>(known);
            if (item.recursive.booleanValue()) {
                inside.add(item.name.getSimple());
            }
            new SessionTableNames(inside, completed).visit(item.query);
            known.add(item.name.getSimple());
        }
        new SessionTableNames(known, completed).visit(with.body);
    }

    private SqlNode from(SqlNode node) {
        switch (node) {
            case SqlIdentifier name -> {
                return named(name);
            }
            case SqlJoin join -> {
                join.setLeft(from(join.getLeft()));
                join.setRight(from(join.getRight()));
                visit(join.getCondition());
            }
            case SqlCall call
            when call.getKind() == SqlKind.AS || call.getKind() == SqlKind.LATERAL ->
                call.setOperand(0, from(call.operand(0)));
            default -> visit(node);
        }
        return node;
    }

    private SqlNode named(SqlNode table) {
        if (!(table instanceof SqlIdentifier name)) {
            return table;
        }
        String first = name.names.getFirst();
        if (name.isSimple()) {
            if (queries.contains(first) || !SessionNames.isElsewhere(first)) {
                return name;
            }
            SqlIdentifier qualified = qualified(name, SchemaName.of(SessionNames.catalogName(first)));
            completed.accept(qualified);
            return qualified;
        }
        String schema = SessionNames.schemaOf(first);
        return name.names.size() == 2 && !schema.equals(first) ? qualified(name, schema) : name;
    }

    private static SqlIdentifier qualified(SqlIdentifier name, String schema) {
        return new SqlIdentifier(List.of(schema, name.names.getLast()), name.getParserPosition());
    }
}
