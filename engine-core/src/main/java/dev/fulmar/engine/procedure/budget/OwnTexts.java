package dev.fulmar.engine.procedure.budget;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Makes the text of a procedure's records under the budget, and tells which of the procedure's classes have a toString
 * of their own. Without one an object of the procedure's classes has no text: that of Object shows its identity, which
 * differs from run to run.
 */
final class OwnTexts {
    private static final ClassValue<Boolean> HAS_TEXT = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            for (Class<?> current = type;
                    current != null && current.getClassLoader() != null;
                    current = current.getSuperclass()) {
                for (Method method : current.getDeclaredMethods()) {
                    if ("toString".equals(method.getName()) && method.getParameterCount() == 0) {
                        return true;
                    }
                }
            }
            return false;
        }
    };

    private OwnTexts() {}

    /** Whether the class has a {@code toString()} of its own. */
    static boolean hasText(Class<?> type) {
        return HAS_TEXT.get(type);
    }

    /** As the compiler's own {@code toString()}, but every component by the rules of {@link Guarded#text}. */
    static String ofRecord(Object row) {
        StringJoiner joined = new StringJoiner(", ", row.getClass().getSimpleName() + "[", "]");
        for (RecordComponent component : row.getClass().getRecordComponents()) {
            joined.add(component.getName() + "=" + Guarded.valueOf(valueOf(component, row)));
        }
        return joined.toString();
    }

    private static @Nullable Object valueOf(RecordComponent component, Object row) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(row);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("the component " + component + " cannot be read", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the component " + component + " cannot be read", e);
        }
    }
}
