package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.MirroredName;
import dev.fulmar.sql.text.SessionNames;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Replaces {@code current_schema()}, {@code current_schemas(true)} and the count of these by their values: the schemas
 * of the session's path that there are. They have the names that PostgreSQL's clients know.
 */
final class CurrentSchemas extends SqlShuttle {
    private static final String CURRENT = "#CURRENT_SCHEMA";
    private static final String ALL = "#CURRENT_SCHEMAS";
    private static final String COUNT = "#CURRENT_SCHEMA_COUNT";
    private static final String SYSTEM = "pg_catalog";

    private CurrentSchemas() {}

    /** The statement with the values; the same if it has no such function. */
    static SqlNode settled(SqlNode statement, String sql) {
        SqlNode settled = sql.contains(CURRENT) ? statement.accept(new CurrentSchemas()) : statement;
        return settled == null ? statement : settled;
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        return switch (call.getOperator().getName()) {
            case CURRENT -> current(call.getParserPosition());
            case ALL -> {
                String array = all(call).stream().collect(Collectors.joining(",", "{", "}"));
                yield SqlLiteral.createCharString(array, call.getParserPosition());
            }
            case COUNT ->
                SqlLiteral.createExactNumeric(Integer.toString(all(call).size()), call.getParserPosition());
            default -> super.visit(call);
        };
    }

    private static SqlNode current(SqlParserPos position) {
        List<String> schemas = SessionNames.currentSchemas();
        return schemas.isEmpty()
                ? SqlLiteral.createNull(position)
                : SqlLiteral.createCharString(MirroredName.of(schemas.getFirst()), position);
    }

    private static List<String> all(SqlCall call) {
        List<String> schemas = new ArrayList<>();
        if (call.operand(0) instanceof SqlLiteral literal && literal.booleanValue()) {
            schemas.add(SYSTEM);
        }
        SessionNames.currentSchemas().stream().map(MirroredName::of).forEach(schemas::add);
        return schemas;
    }
}
