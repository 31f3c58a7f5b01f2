package dev.fulmar.engine.userfunction;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A function of users as the catalog knows it. Two of the same definition are equal, whether their code is there or
 * not. Immutable.
 */
public final class UserFunction {
    private final String name;
    private final List<Parameter> parameters;
    private final ColumnType result;
    private final boolean takesNulls;
    private final Body body;
    private final @Nullable FunctionCode code;

    /** @param name for messages; p1, p2, ... for a parameter without one */
    public record Parameter(String name, ColumnType type) {}

    /** The body of a function: a method of a Java class, an expression, or other functions over many rows. */
    public sealed interface Body permits JavaMethod, Formula, Aggregate {}

    /**
     * A static method of a class from a jar.
     *
     * @param method empty for the only public static one of the class
     * @param jarDigest SHA-256 of the jar in hexadecimal; empty until it is known
     */
    public record JavaMethod(String className, String method, String jarDigest) implements Body {}

    /**
     * An expression of SQL, which takes the place of a call.
     *
     * @param text as its author wrote it
     * @param value over the parameters, as columns by position
     */
    public record Formula(String text, Expression value) implements Body {}

    /**
     * An aggregate, made of functions by their names. See {@link UserAggregate}.
     *
     * @param initial the state before the first row; empty for null
     */
    public record Aggregate(String step, ColumnType state, Optional<Initial> initial, Optional<String> last)
            implements Body {}

    /** A state as its author wrote it, and as a value. */
    public record Initial(String text, Expression.Literal value) {}

    /**
     * One without code.
     *
     * @param name in upper case
     * @param takesNulls whether it is called if an argument is null; otherwise the result is null then
     */
    public UserFunction(String name, List<Parameter> parameters, ColumnType result, boolean takesNulls, Body body) {
        this(name, parameters, result, takesNulls, body, null);
    }

    private UserFunction(
            String name,
            List<Parameter> parameters,
            ColumnType result,
            boolean takesNulls,
            Body body,
            @Nullable FunctionCode code) {
        this.name = name;
        this.parameters = List.copyOf(parameters);
        this.result = result;
        this.takesNulls = takesNulls;
        this.body = body;
        this.code = code;
    }

    public String name() {
        return name;
    }

    public List<Parameter> parameters() {
        return parameters;
    }

    public ColumnType result() {
        return result;
    }

    public boolean takesNulls() {
        return takesNulls;
    }

    public Body body() {
        return body;
    }

    public boolean isAggregate() {
        return body instanceof Aggregate;
    }

    /** The word of SQL for it. */
    public String kind() {
        return isAggregate() ? "AGGREGATE" : "FUNCTION";
    }

    /** The code that calls it; null until the loader has bound it. */
    public @Nullable FunctionCode code() {
        return code;
    }

    /** The same with its code. */
    public UserFunction boundTo(FunctionCode itsCode) {
        return new UserFunction(name, parameters, result, takesNulls, body, itsCode);
    }

    /** The same from a jar, without code. */
    public UserFunction fromJar(String digest) {
        return body instanceof JavaMethod java
                ? new UserFunction(
                        name, parameters, result, takesNulls, new JavaMethod(java.className(), java.method(), digest))
                : this;
    }

    /** Its name and the types of its parameters, as messages have them. */
    public String signature() {
        return parameters.stream()
                .map(parameter -> parameter.type().toString())
                .collect(Collectors.joining(", ", name + "(", ")"));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof UserFunction its
                && name.equals(its.name)
                && parameters.equals(its.parameters)
                && result.equals(its.result)
                && takesNulls == its.takesNulls
                && body.equals(its.body);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, parameters, result, takesNulls, body);
    }

    @Override
    public String toString() {
        return signature();
    }
}
