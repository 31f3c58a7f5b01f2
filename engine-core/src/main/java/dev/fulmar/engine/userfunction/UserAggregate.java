package dev.fulmar.engine.userfunction;

import dev.fulmar.engine.userfunction.UserFunction.Aggregate;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An aggregate of users with the functions that it is made of. Immutable.
 *
 * @param step takes the state and the arguments of a row, and yields the next state
 * @param last makes the result of the last state; empty where that is the result
 */
public record UserAggregate(UserFunction definition, Aggregate body, UserFunction step, Optional<UserFunction> last) {
    /**
     * The aggregate with the functions of its names.
     *
     * @param functions by name, in upper case
     * @throws FulmarException {@code UNKNOWN_PROCEDURE} or {@code WRONG_PARAMETERS}: a function is not there, or its
     *     types are others
     */
    public static UserAggregate of(UserFunction definition, Map<String, UserFunction> functions) {
        if (!(definition.body() instanceof Aggregate body)) {
            throw Invariants.breach(definition + " is no aggregate");
        }
        List<ColumnType> taken = new ArrayList<>(List.of(body.state()));
        definition.parameters().forEach(parameter -> taken.add(parameter.type()));
        UserFunction step = scalar(definition, body.step(), functions);
        check(definition, step, taken, body.state());
        if (!step.takesNulls() && body.initial().isEmpty() && !taken.get(1).equals(body.state())) {
            throw new FulmarException(
                    ErrorCode.INVALID_DEFINITION,
                    "the first argument of the aggregate " + definition.name() + " is its first state, so it is a "
                            + body.state() + "; or say INITCOND");
        }
        Optional<UserFunction> last = body.last().map(name -> scalar(definition, name, functions));
        last.ifPresentOrElse(
                made -> check(definition, made, List.of(body.state()), definition.result()),
                () -> Invariants.check(
                        definition.result().equals(body.state()),
                        "the result of an aggregate is its state, or made of it"));
        return new UserAggregate(definition, body, step, last);
    }

    private static UserFunction scalar(UserFunction definition, String name, Map<String, UserFunction> functions) {
        UserFunction function = functions.get(name);
        if (function == null || function.isAggregate()) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_PROCEDURE,
                    "the aggregate " + definition.name() + " is made of the function " + name
                            + ", which is not there; CREATE FUNCTION makes it");
        }
        return function;
    }

    private static void check(
            UserFunction definition, UserFunction function, List<ColumnType> taken, ColumnType result) {
        List<ColumnType> types =
                function.parameters().stream().map(UserFunction.Parameter::type).toList();
        if (!types.equals(taken) || !function.result().equals(result)) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS,
                    "the aggregate " + definition.name() + " needs a function " + function.name() + " of "
                            + taken.toString().replaceAll("[\\[\\]]", "") + " that returns " + result
                            + ", and there is "
                            + function + " that returns " + function.result());
        }
    }

    /** Whether rows with a null are passed over, and a state that is null stays so. */
    public boolean skipsNulls() {
        return !step.takesNulls();
    }
}
