package dev.fulmar.engine.plan;

import dev.fulmar.foundation.check.Invariants;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The parts of plans, relations and expressions. It looks at all components of all records, so no kind of relation or
 * expression can be forgotten. For when a statement is planned; it allocates.
 */
public final class PlanParts {
    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            for (RecordComponent component : components) {
                component.getAccessor().setAccessible(true);
            }
            return components;
        }
    };

    private PlanParts() {}

    /**
     * Shows the visitor each record, text, number and constant of what is planned, each before its own parts.
     *
     * @param planned a record of this package, or a collection of them
     * @param visitor says whether it wants to see the parts too
     */
    public static void visit(@Nullable Object planned, Predicate<Object> visitor) {
        switch (planned) {
            case null -> {}
            case Optional<?> optional -> optional.ifPresent(value -> visit(value, visitor));
            case Iterable<?> items -> items.forEach(item -> visit(item, visitor));
            default -> {
                if (visitor.test(planned) && planned instanceof Record record) {
                    visitParts(record, visitor);
                }
            }
        }
    }

    private static void visitParts(Record record, Predicate<Object> visitor) {
        for (RecordComponent component : COMPONENTS.get(record.getClass())) {
            if (!component.getType().isPrimitive()) {
                visit(valueOf(component, record), visitor);
            }
        }
    }

    /**
     * The same plan, relation or expression with other expressions in it. Parts in which nothing changes are the same
     * objects.
     *
     * @param change of an expression; one that it returns as it is has its own parts changed
     */
    @SuppressWarnings("unchecked") // a record is built anew of the same class
    public static <T extends Record> T changed(T planned, UnaryOperator<Expression> change) {
        return (T) part(planned, change);
    }

    @SuppressWarnings("ReferenceEquality") // whether the very part was replaced
    private static Object part(Object planned, UnaryOperator<Expression> change) {
        if (planned instanceof Expression expression) {
            Expression other = change.apply(expression);
            if (other != expression) {
                return other;
            }
        }
        return switch (planned) {
            case Optional<?> optional -> optional.isEmpty() ? optional : ofOptional(optional, change);
            case List<?> items -> ofList(items, change);
            case Record record -> ofRecord(record, change);
            default -> planned;
        };
    }

    @SuppressWarnings("ReferenceEquality")
    private static Optional<?> ofOptional(Optional<?> optional, UnaryOperator<Expression> change) {
        Object value = optional.get();
        Object other = part(value, change);
        return other == value ? optional : Optional.of(other);
    }

    @SuppressWarnings("ReferenceEquality")
    private static List<?> ofList(List<?> items, UnaryOperator<Expression> change) {
        List<Object> others = new ArrayList<>(items.size());
        boolean isSame = true;
        for (Object item : items) {
            Object other = part(item, change);
            others.add(other);
            isSame &= other == item;
        }
        return isSame ? items : others;
    }

    @SuppressWarnings("ReferenceEquality")
    private static Record ofRecord(Record record, UnaryOperator<Expression> change) {
        RecordComponent[] components = COMPONENTS.get(record.getClass());
        @Nullable Object[] values = new Object[components.length];
        boolean isSame = true;
        for (int i = 0; i < components.length; i++) {
            Object value = valueOf(components[i], record);
            values[i] = value == null ? null : part(value, change);
            isSame &= components[i].getType().isPrimitive() || values[i] == value;
        }
        return isSame ? record : made(record.getClass(), components, values);
    }

    private static Record made(Class<? extends Record> type, RecordComponent[] components, @Nullable Object[] values) {
        try {
            Constructor<? extends Record> canonical = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            canonical.setAccessible(true);
            return canonical.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw Invariants.breach("a part of a plan can be made anew: " + e);
        }
    }

    private static @Nullable Object valueOf(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw Invariants.breach("the parts of a plan can be read: " + e);
        }
    }
}
