package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.procedure.JavaKind;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.engine.userfunction.UserFunction.JavaMethod;
import dev.fulmar.engine.userfunction.UserFunction.Parameter;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The method of a function of users, which fits the types that its definition declares.
 *
 * @param kinds of its parameters
 */
record FunctionMethod(Method method, List<JavaKind> kinds) {
    private static final Set<JavaKind> INTEGERS =
            EnumSet.of(JavaKind.BYTE, JavaKind.SHORT, JavaKind.INT, JavaKind.LONG);

    FunctionMethod {
        kinds = List.copyOf(kinds);
    }

    /** Finds the method; one that does not fit is a {@link ErrorCode#PROCEDURE_REFUSED} error that says why. */
    static FunctionMethod of(Class<?> type, UserFunction function, JavaMethod body) {
        if (!Modifier.isPublic(type.getModifiers())) {
            throw refused("the class " + type.getName() + " must be public");
        }
        Method method = find(type, body.method());
        Class<?>[] types = method.getParameterTypes();
        if (types.length != function.parameters().size()) {
            throw refused(
                    "the method " + method.getName() + " takes " + types.length + " arguments and " + function.name()
                            + " declares " + function.parameters().size() + " parameters; declare as many as it takes");
        }
        List<JavaKind> kinds = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            kinds.add(parameter(types[i], function, function.parameters().get(i)));
        }
        checkResult(method.getReturnType(), function);
        return new FunctionMethod(method, kinds);
    }

    private static Method find(Class<?> type, String name) {
        List<Method> candidates = new ArrayList<>();
        for (Method method : type.getDeclaredMethods()) {
            boolean isMeant = name.isEmpty() || method.getName().equals(name);
            if (isMeant && Modifier.isPublic(method.getModifiers()) && Modifier.isStatic(method.getModifiers())) {
                candidates.add(method);
            }
        }
        if (candidates.size() == 1) {
            return candidates.getFirst();
        }
        throw refused("the class " + type.getName() + " has " + candidates.size() + " public static methods"
                + (name.isEmpty() ? "" : " " + name)
                + (candidates.size() > 1 && name.isEmpty()
                        ? "; name one of them: FROM CLASS " + type.getName() + " METHOD name"
                        : "; a function is exactly one"));
    }

    private static JavaKind parameter(Class<?> type, UserFunction function, Parameter declared) {
        JavaKind kind = RunMethod.kindOf(type);
        if (kind == null || !takes(kind, declared.type())) {
            throw refused("parameter " + declared.name() + " is declared as " + declared.type()
                    + ", and the method takes a " + type.getTypeName() + "; declare a type that fits"
                    + " (docs/FUNCTIONS.md lists them)");
        }
        if (type.isPrimitive() && function.takesNulls()) {
            throw refused("parameter " + declared.name() + " is a " + type
                    + ", which cannot be null, but the function is CALLED ON NULL INPUT; use the box of the type");
        }
        return kind;
    }

    private static void checkResult(Class<?> type, UserFunction function) {
        JavaKind kind = RunMethod.kindOf(type);
        if (kind == null || !yields(kind, function.result())) {
            throw refused("the result is declared as " + function.result() + ", and the method returns "
                    + type.getTypeName() + "; declare a type that fits (docs/FUNCTIONS.md lists them)");
        }
    }

    /** Whether values of the type are values of the kind. */
    private static boolean takes(JavaKind kind, ColumnType type) {
        return switch (type.kind()) {
            case TINYINT -> INTEGERS.contains(kind);
            case SMALLINT -> INTEGERS.contains(kind) && kind != JavaKind.BYTE;
            case INTEGER -> kind == JavaKind.INT || kind == JavaKind.LONG;
            case BIGINT -> kind == JavaKind.LONG;
            case REAL -> kind == JavaKind.FLOAT || kind == JavaKind.DOUBLE;
            case DOUBLE -> kind == JavaKind.DOUBLE;
            case BOOLEAN,
                    DECIMAL,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM,
                    NUMERIC -> kind == only(type);
        };
    }

    /** Whether values of the kind can be values of the type; their range is checked when they come. */
    private static boolean yields(JavaKind kind, ColumnType type) {
        return switch (type.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> INTEGERS.contains(kind);
            case REAL, DOUBLE -> kind == JavaKind.FLOAT || kind == JavaKind.DOUBLE;
            case BOOLEAN,
                    DECIMAL,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM,
                    NUMERIC -> kind == only(type);
        };
    }

    private static JavaKind only(ColumnType type) {
        return type.kind() == TypeKind.TIMESTAMP_TZ ? JavaKind.INSTANT : JavaKind.of(type);
    }

    private static FulmarException refused(String message) {
        return new FulmarException(ErrorCode.PROCEDURE_REFUSED, message);
    }
}
