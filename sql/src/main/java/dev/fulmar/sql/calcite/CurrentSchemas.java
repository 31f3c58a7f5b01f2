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
 * Replaces {@code current_schema()} and {@code current_schemas(true)} of a session that has a path by their values.
 * These are the schemas of the path that there are, by the names that PostgreSQL's clients have for them.
 */
final class CurrentSchemas extends SqlShuttle {
    private static final String CURRENT = "#CURRENT_SCHEMA";
    private static final String ALL = "#CURRENT_SCHEMAS";
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
            case ALL -> all(call);
            default -> super.visit(call);
        };
    }

    private static SqlNode current(SqlParserPos position) {
        List<String> schemas = SessionNames.currentSchemas();
        return schemas.isEmpty()
                ? SqlLiteral.createNull(position)
                : SqlLiteral.createCharString(MirroredName.of(schemas.getFirst()), position);
    }

    private static SqlNode all(SqlCall call) {
        List<String> schemas = new ArrayList<>();
        if (call.operand(0) instanceof SqlLiteral literal && literal.booleanValue()) {
            schemas.add(SYSTEM);
        }
        SessionNames.currentSchemas().stream().map(MirroredName::of).forEach(schemas::add);
        String array = schemas.stream().collect(Collectors.joining(",", "{", "}"));
        return SqlLiteral.createCharString(array, call.getParserPosition());
    }
}
