package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/**
 * Collects the types that Calcite's validator has inferred for the parameters of a statement, in the order of the
 * parameters. A parameter may stand in the tree several times: the validator copies some.
 */
final class ParameterTypes extends SqlBasicVisitor<@Nullable Void> {
    private final SqlValidator validator;
    private final SortedMap<Integer, ColumnType> types = new TreeMap<>();

    private ParameterTypes(SqlValidator validator) {
        this.validator = validator;
    }

    static List<ColumnType> of(SqlNode validated, SqlValidator validator) {
        ParameterTypes visitor = new ParameterTypes(validator);
        validated.accept(visitor);
        List<ColumnType> list = new ArrayList<>(visitor.types.values());
        Invariants.check(
                visitor.types.isEmpty() || visitor.types.lastKey() == list.size() - 1,
                "every parameter of a valid statement stands in its tree");
        return list;
    }

    @Override
    public @Nullable Void visit(SqlDynamicParam parameter) {
        types.putIfAbsent(parameter.getIndex(), TypeMapping.columnType(validator.getValidatedNodeType(parameter)));
        return null;
    }
}
