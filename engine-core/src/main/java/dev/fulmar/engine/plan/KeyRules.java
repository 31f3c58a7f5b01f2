package dev.fulmar.engine.plan;

import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/** The rules of sorting and grouping: some values have no order. */
final class KeyRules {
    private KeyRules() {}

    /** Refuses values without equality and order. */
    static void check(Expression key) {
        if (key.type().kind() == TypeKind.JSON) {
            throw new FulmarException(
                    ErrorCode.UNDEFINED_OPERATION,
                    "values of type JSON have no equality and no order, so they are not sorted, grouped or made"
                            + " distinct; CAST them to JSONB");
        }
    }

    private static boolean takesLabels(Relation.AggregateFunction function) {
        return switch (function) {
            case COUNT, MIN, MAX, SINGLE_VALUE, MODE -> true;
            default -> false;
        };
    }

    /** Refuses the least and greatest of documents, which PostgreSQL does not have either. */
    static void check(Relation.AggregateFunction function, @Nullable Expression argument, boolean distinct) {
        if (argument == null) {
            return;
        }
        if (distinct) {
            check(argument);
        }
        if (argument.type().kind() == TypeKind.ENUM && !takesLabels(function)) {
            throw new FulmarException(
                    ErrorCode.UNDEFINED_OPERATION,
                    function + " does not take values of " + argument.type() + "; CAST them to VARCHAR");
        }
        boolean isExtreme = function == Relation.AggregateFunction.MIN || function == Relation.AggregateFunction.MAX;
        if (isExtreme && argument.type().kind().isJson()) {
            throw new FulmarException(
                    ErrorCode.UNDEFINED_OPERATION, "MIN and MAX do not take documents; take those of a part, by ->>");
        }
    }
}
