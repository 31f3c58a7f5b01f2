package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.procedure.JavaKind;
import dev.fulmar.engine.procedure.ProcedureParameter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The one method of a procedure's class that is called, with what it takes.
 *
 * @param parameters those after the context
 */
record RunMethod(Class<?> procedureClass, Method method, List<ProcedureParameter> parameters) {
    private static final Map<Class<?>, JavaKind> KINDS = Map.ofEntries(
            Map.entry(boolean.class, JavaKind.BOOLEAN),
            Map.entry(byte.class, JavaKind.BYTE),
            Map.entry(short.class, JavaKind.SHORT),
            Map.entry(int.class, JavaKind.INT),
            Map.entry(long.class, JavaKind.LONG),
            Map.entry(float.class, JavaKind.FLOAT),
            Map.entry(double.class, JavaKind.DOUBLE),
            Map.entry(Boolean.class, JavaKind.BOOLEAN),
            Map.entry(Byte.class, JavaKind.BYTE),
            Map.entry(Short.class, JavaKind.SHORT),
            Map.entry(Integer.class, JavaKind.INT),
            Map.entry(Long.class, JavaKind.LONG),
            Map.entry(Float.class, JavaKind.FLOAT),
            Map.entry(Double.class, JavaKind.DOUBLE),
            Map.entry(String.class, JavaKind.STRING),
            Map.entry(byte[].class, JavaKind.BYTES),
            Map.entry(BigDecimal.class, JavaKind.DECIMAL),
            Map.entry(LocalDate.class, JavaKind.DATE),
            Map.entry(LocalTime.class, JavaKind.TIME),
            Map.entry(LocalDateTime.class, JavaKind.TIMESTAMP),
            Map.entry(Instant.class, JavaKind.INSTANT),
            Map.entry(UUID.class, JavaKind.UUID));

    private static final Set<Class<?>> RESULTS = Set.of(void.class, long.class, Rows.class, Rows[].class);

    RunMethod {
        parameters = List.copyOf(parameters);
    }

    /** Finds the method; a class that is no procedure is a {@link ErrorCode#PROCEDURE_REFUSED} error that says why. */
    static RunMethod of(Class<?> type) {
        if (!Procedure.class.isAssignableFrom(type)) {
            throw refused(type, "does not implement dev.fulmar.procedure.Procedure");
        }
        if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
            throw refused(type, "must be a public class that is not abstract");
        }
        if (Arrays.stream(type.getConstructors())
                .map(Constructor::getParameterCount)
                .noneMatch(count -> count == 0)) {
            throw refused(type, "needs a public constructor without parameters");
        }
        List<Method> candidates = new ArrayList<>();
        for (Method method : type.getMethods()) {
            if ("run".equals(method.getName())
                    && !Modifier.isStatic(method.getModifiers())
                    && !method.isBridge()
                    && method.getParameterCount() > 0
                    && method.getParameterTypes()[0] == ProcedureContext.class) {
                candidates.add(method);
            }
        }
        if (candidates.size() != 1) {
            throw refused(
                    type,
                    "must have exactly one public method run whose first parameter is a ProcedureContext, but has "
                            + candidates.size());
        }
        Method method = candidates.getFirst();
        if (!RESULTS.contains(method.getReturnType())) {
            throw refused(
                    type,
                    "returns " + method.getReturnType().getTypeName() + " from run; use void, long, Rows or Rows[]");
        }
        return new RunMethod(type, method, parameters(type, method));
    }

    /** The kind of values of a type; null for a type of which parameters cannot be. */
    static @Nullable JavaKind kindOf(Class<?> type) {
        return KINDS.get(type);
    }

    private static List<ProcedureParameter> parameters(Class<?> type, Method method) {
        List<ProcedureParameter> parameters = new ArrayList<>();
        Parameter[] declared = method.getParameters();
        for (int i = 1; i < declared.length; i++) {
            parameters.add(parameter(type, declared[i], i));
        }
        return parameters;
    }

    private static ProcedureParameter parameter(Class<?> owner, Parameter declared, int position) {
        Class<?> type = declared.getType();
        String name = declared.isNamePresent() ? declared.getName() : "p" + position;
        JavaKind kind = KINDS.get(type);
        if (kind != null) {
            return new ProcedureParameter(name, kind, false, !type.isPrimitive());
        }
        Class<?> element = type.getComponentType();
        JavaKind elementKind = element == null ? null : KINDS.get(element);
        boolean box = elementKind != null && !element.isPrimitive() && elementKind.compareTo(JavaKind.DOUBLE) <= 0;
        if (elementKind == null || box) {
            throw refused(
                    owner,
                    "takes a " + type.getTypeName() + " as parameter " + position
                            + " of run; use numbers, boolean, String, byte[], BigDecimal, java.time dates and times, UUID, or an array of them"
                            + " (int[], not Integer[])");
        }
        return new ProcedureParameter(name, elementKind, true, true);
    }

    private static FulmarException refused(Class<?> type, String why) {
        return new FulmarException(ErrorCode.PROCEDURE_REFUSED, "the class " + type.getName() + " " + why);
    }
}
