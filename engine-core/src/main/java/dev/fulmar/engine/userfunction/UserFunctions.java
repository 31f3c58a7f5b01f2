package dev.fulmar.engine.userfunction;

import dev.fulmar.foundation.check.Invariants;
import java.lang.reflect.RecordComponent;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
        collect(planned, found);
        return found;
    }

    /** Whether a plan, a relation or an expression calls code of users, and no expressions alone. */
    public static boolean areCalled(Object planned) {
        return in(planned).values().stream().anyMatch(function -> function.body() instanceof UserFunction.JavaMethod);
    }

    private static void collect(@Nullable Object planned, SortedMap<String, UserFunction> found) {
        switch (planned) {
            case UserFunction function -> found.put(function.name(), function);
            case Optional<?> optional -> optional.ifPresent(value -> collect(value, found));
            case Iterable<?> items -> items.forEach(item -> collect(item, found));
            case Record record -> {
                for (RecordComponent component : record.getClass().getRecordComponents()) {
                    if (!component.getType().isPrimitive()) {
                        collect(valueOf(component, record), found);
                    }
                }
            }
            case null, default -> {
                // A text, a number, an enum constant.
            }
        }
    }

    private static @Nullable Object valueOf(RecordComponent component, Record record) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw Invariants.breach("the parts of a plan can be read: " + e);
        }
    }
}
