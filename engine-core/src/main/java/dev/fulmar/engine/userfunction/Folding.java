package dev.fulmar.engine.userfunction;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate of users in a plan. It is no record, as its expressions are not those of the rows around it: column 0 is
 * the state, and the arguments are behind it. Immutable.
 */
public final class Folding {
    private final UserAggregate aggregate;
    private final Expression initial;
    private final Expression step;
    private final Expression last;

    /**
     * An aggregate that is planned.
     *
     * @param initial the state before the first row, a literal; null where there is none
     * @param step the next state
     * @param last the result, of the type that the aggregate declares
     */
    public Folding(UserAggregate aggregate, Expression initial, Expression step, Expression last) {
        this.aggregate = aggregate;
        this.initial = initial;
        this.step = step;
        this.last = last;
    }

    public UserFunction definition() {
        return aggregate.definition();
    }

    public Expression initial() {
        return initial;
    }

    public Expression step() {
        return step;
    }

    public Expression last() {
        return last;
    }

    public ColumnType state() {
        return aggregate.body().state();
    }

    public List<ColumnType> arguments() {
        return definition().parameters().stream()
                .map(UserFunction.Parameter::type)
                .toList();
    }

    public boolean skipsNulls() {
        return aggregate.skipsNulls();
    }

    /** Whether the first argument is the first state: there is no other, and the step is not asked with a null. */
    public boolean beginsWithFirst() {
        return skipsNulls() && aggregate.body().initial().isEmpty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Folding its && aggregate.equals(its.aggregate);
    }

    @Override
    public int hashCode() {
        return Objects.hash(aggregate);
    }

    @Override
    public String toString() {
        return definition().name();
    }
}
