package dev.fulmar.engine.userfunction;

import dev.fulmar.engine.plan.PlanParts;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The search for functions of users in plans. It looks at all components of all records, so no kind of relation or
 * expression can be forgotten.
 */
public final class UserFunctions {
    private UserFunctions() {}

    /**
     * The functions that a plan, a relation or an expression calls, by name.
     *
     * @param planned a record of {@code dev.fulmar.engine.plan}, or a collection of them
     */
    public static SortedMap<String, UserFunction> in(Object planned) {
        SortedMap<String, UserFunction> found = new TreeMap<>();
        PlanParts.visit(planned, part -> {
            if (part instanceof UserFunction function) {
                found.put(function.name(), function);
                return false;
            }
            if (part instanceof Folding folding) { // a right to the aggregate is one to what it is made of
                found.put(folding.definition().name(), folding.definition());
            }
            return true;
        });
        return found;
    }

    /** Whether a plan, a relation or an expression calls code of users, and no expressions alone. */
    public static boolean areCalled(Object planned) {
        return in(planned).values().stream().anyMatch(function -> function.body() instanceof UserFunction.JavaMethod);
    }
}
