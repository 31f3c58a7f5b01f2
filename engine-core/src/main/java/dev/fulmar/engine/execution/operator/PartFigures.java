package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.plan.Operators;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The figures of all operators of a relation, in the order of {@link Operators}. */
final class PartFigures {
    private final List<OperatorFigures> inOrder = new ArrayList<>();
    private final Map<Relation, OperatorFigures> byOperator = new IdentityHashMap<>();

    PartFigures(Relation relation, Clock clock) {
        for (Relation operator : Operators.of(relation)) {
            // A planner may use one object in two places: its figures then are those of both.
            OperatorFigures figures = byOperator.computeIfAbsent(operator, each -> new OperatorFigures(clock));
            inOrder.add(figures);
        }
    }

    OperatorFigures of(Relation operator) {
        OperatorFigures figures = byOperator.get(operator);
        if (figures == null) {
            throw Invariants.breach("what is compiled of a relation that is measured are its operators");
        }
        return figures;
    }

    int count() {
        return inOrder.size();
    }

    OperatorFigures get(int operator) {
        return inOrder.get(operator);
    }

    void clear() {
        inOrder.forEach(OperatorFigures::clear);
    }
}
