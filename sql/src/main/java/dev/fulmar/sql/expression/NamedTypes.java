package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.postgres.TypeNamesOfClients;

/** The types of expressions as PostgreSQL names them. */
final class NamedTypes {
    private NamedTypes() {}

    /** The name of the type; functions make text of texts. */
    static String of(Expression value) {
        TypeKind kind = value.type().kind();
        boolean isOfType = !kind.isCharacter()
                || value instanceof Expression.ColumnReference
                || value instanceof Expression.Literal
                || (value instanceof Expression.Call call && call.function() == ScalarFunction.CAST);
        return isOfType ? TypeNamesOfClients.of(value.type()) : "text";
    }
}
