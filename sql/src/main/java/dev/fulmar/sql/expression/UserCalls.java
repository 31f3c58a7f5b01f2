package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayList;
import java.util.List;

/** Calls of functions of users. One of SQL becomes its expression, over the arguments. */
public final class UserCalls {
    private static final int MOST_TERMS = 10_000;
    private static final int MOST_DEPTH = 400;

    private UserCalls() {}

    /** @param operands as they are written, one for each parameter */
    public static Expression of(UserFunction function, List<Expression> operands) {
        List<Expression> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            arguments.add(Conversion.cast(
                    operands.get(i), function.parameters().get(i).type()));
        }
        List<Expression> all = new ArrayList<>();
        all.add(new Expression.Literal(function.result(), function));
        boolean nullable = true;
        switch (function.body()) {
            case UserFunction.JavaMethod _ -> all.addAll(arguments);
            case UserFunction.Aggregate _ -> throw Invariants.breach(function + " is called for many rows");
            case UserFunction.Formula(String _, Expression value) -> {
                arguments.forEach(argument -> checkSize(function, argument));
                if (arguments.stream().anyMatch(UserCalls::draws)) {
                    throw SqlErrors.notSupported("the argument of " + function.name()
                            + " draws a number of a sequence, and may be computed more than once; draw it before");
                }
                Expression made = Conversion.cast(
                        Expressions.mapColumns(value, parameter -> arguments.get(parameter.index())),
                        function.result());
                checkSize(function, made);
                nullable = made.nullable();
                all.add(made);
            }
        }
        return new Expression.Call(ScalarFunction.USER_DEFINED, all, function.result(), nullable);
    }

    /** An expression takes the place of its call, and a call within a call would grow without end. */
    private static void checkSize(UserFunction function, Expression value) {
        if (count(value, MOST_TERMS, MOST_DEPTH) < 0) {
            throw SqlErrors.tooComplex("the calls of " + function.name() + " become more than " + MOST_TERMS
                    + " terms, or lie more than " + MOST_DEPTH + " deep; compute a part before");
        }
    }

    /** How many terms are left; negative if there are more, or deeper ones. */
    private static int count(Expression value, int left, int depthLeft) {
        int rest = depthLeft == 0 ? -1 : left - 1;
        if (value instanceof Expression.Call call) {
            for (int i = 0; i < call.arguments().size() && rest >= 0; i++) {
                rest = count(call.arguments().get(i), rest, depthLeft - 1);
            }
        }
        return rest;
    }

    private static boolean draws(Expression value) {
        return value instanceof Expression.Call call
                && (call.function() == ScalarFunction.NEXT_VALUE
                        || call.arguments().stream().anyMatch(UserCalls::draws));
    }
}
