package dev.fulmar.sql.calcite;

import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.userfunction.UserAggregate;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.data.ColumnType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.CompositeOperandTypeChecker;
import org.apache.calcite.sql.type.ImplicitCastOperandTypeChecker;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.util.Optionality;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate that is not Calcite's, or not as Calcite has it. What its values are ordered by are operands behind its
 * arguments, so that no rewriting of a query can lose them; the function itself knows the directions.
 */
public final class DialectAggregate extends SqlAggFunction {
    /** The name by which STRING_AGG takes arrays. */
    static final String OF_ARRAYS = "ARRAY_AGG";

    private static final int DEVIATION_SCALE = 16;

    /** The direction of a key. */
    public record Direction(boolean descending, boolean nullsFirst) {}

    private final transient AggregateFunction function;
    private final transient List<Direction> order;

    private final transient @Nullable UserAggregate user;

    private DialectAggregate(
            String name,
            AggregateFunction function,
            List<Direction> order,
            SqlReturnTypeInference type,
            SqlOperandTypeChecker operands,
            @Nullable UserAggregate user) {
        super(
                name + directions(order),
                null,
                SqlKind.OTHER_FUNCTION,
                type.andThen(SqlTypeTransforms.FORCE_NULLABLE),
                null,
                operands,
                SqlFunctionCategory.USER_DEFINED_FUNCTION,
                false,
                false,
                Optionality.FORBIDDEN);
        this.function = function;
        this.order = List.copyOf(order);
        this.user = user;
    }

    /**
     * The aggregate.
     *
     * @param name by which the statement calls it
     * @param order of the operands behind the arguments; of a percentile and of MODE that of the values themselves
     */
    static DialectAggregate of(String name, AggregateFunction function, List<Direction> order) {
        SqlOperandTypeChecker operands = name.startsWith("#") ? OperandTypes.NUMERIC : operands(function, order.size());
        return new DialectAggregate(name, function, order, type(name, function), operands, null);
    }

    /** An aggregate of users, whose name the statement has. */
    static DialectAggregate ofUsers(UserAggregate user, List<Direction> order) {
        UserFunction definition = user.definition();
        SqlTypeFamily[] families = definition.parameters().stream()
                .map(parameter -> UserFunctionOperator.family(parameter.type()))
                .toArray(SqlTypeFamily[]::new);
        return new DialectAggregate(
                definition.name(),
                AggregateFunction.USER_DEFINED,
                order,
                binding -> TypeMapping.relDataType(binding.getTypeFactory(), definition.result(), true),
                behind(order.size(), families),
                user);
    }

    /** The aggregate of users that it is, null for any other. */
    public @Nullable UserAggregate user() {
        return user;
    }

    /** Functions with other directions are others, and Calcite tells functions apart by their names. */
    private static String directions(List<Direction> order) {
        if (order.stream().noneMatch(each -> each.descending || each.nullsFirst)) {
            return "";
        }
        return order.stream()
                .map(each -> (each.descending ? " DESC" : " ASC") + (each.nullsFirst ? " NULLS FIRST" : ""))
                .collect(Collectors.joining(","));
    }

    /** The function by its name in plans. */
    public AggregateFunction function() {
        return function;
    }

    public List<Direction> order() {
        return order;
    }

    /** Arguments that it takes in its parentheses. */
    public static int arguments(AggregateFunction function) {
        return switch (function) {
            case MODE -> 0;
            case STRING_AGG -> 2;
            default -> function.family() == AggregateFunction.Family.PAIRS ? 2 : 1;
        };
    }

    /** The type that a parameter has at the place; empty where it needs a CAST. */
    Optional<SqlTypeName> parameter(int place) {
        return switch (function) {
            case STRING_AGG -> place <= 1 ? Optional.of(SqlTypeName.VARCHAR) : Optional.empty();
            case PERCENTILE_CONT, PERCENTILE_DISC -> place == 0 ? Optional.of(SqlTypeName.DOUBLE) : Optional.empty();
            default ->
                function.family() == AggregateFunction.Family.PAIRS
                        ? Optional.of(SqlTypeName.DOUBLE)
                        : Optional.empty();
        };
    }

    /** The type that an aggregate of users declares at the place; empty of any other. */
    Optional<RelDataType> declared(RelDataTypeFactory types, int place) {
        UserAggregate itsOwn = user;
        return itsOwn == null || place >= itsOwn.definition().parameters().size()
                ? Optional.empty()
                : Optional.of(TypeMapping.relDataType(
                        types, itsOwn.definition().parameters().get(place).type(), true));
    }

    /** Calcite would look for a function of this name. */
    @Override
    public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
        call.getOperandList().forEach(operand -> validator.deriveType(scope, operand));
        return validateOperands(validator, scope, call);
    }

    @Override
    public boolean isQuantifierAllowed() {
        return true;
    }

    /** An argument of another type is refused and not converted, as in PostgreSQL. */
    @Override
    public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
        boolean fits = fits(getOperandTypeChecker(), binding)
                && (function != AggregateFunction.STRING_AGG
                        || getName().startsWith(OF_ARRAYS) == ArrayType.is(binding.getOperandType(0)));
        if (!fits && throwOnFailure) {
            throw binding.newValidationSignatureError();
        }
        return fits;
    }

    private static boolean fits(@Nullable SqlOperandTypeChecker checker, SqlCallBinding binding) {
        return switch (checker) {
            case CompositeOperandTypeChecker any -> any.getRules().stream().anyMatch(each -> fits(each, binding));
            case ImplicitCastOperandTypeChecker exact -> exact.checkOperandTypesWithoutTypeCoercion(binding, false);
            case null -> true;
            default -> checker.checkOperandTypes(binding, false);
        };
    }

    /** Those of PostgreSQL's statements, whose names begin with #, yield a NUMERIC of exact numbers. */
    private static SqlReturnTypeInference type(String name, AggregateFunction function) {
        if (name.startsWith("#")) {
            return binding -> SqlTypeUtil.isApproximateNumeric(binding.getOperandType(0))
                    ? binding.getTypeFactory().createSqlType(SqlTypeName.DOUBLE)
                    : NumericType.any(binding.getTypeFactory(), true);
        }
        return switch (function) {
            case STRING_AGG ->
                binding -> ArrayType.is(binding.getOperandType(0))
                        ? binding.getOperandType(0)
                        : binding.getTypeFactory()
                                .createSqlType(
                                        SqlTypeUtil.isBinary(binding.getOperandType(0))
                                                ? SqlTypeName.VARBINARY
                                                : SqlTypeName.VARCHAR,
                                        TypeMapping.MAX_LENGTH);
            case PERCENTILE_DISC -> ReturnTypes.ARG1;
            case SUM, AVG -> binding -> IntervalType.ofAll(binding.getTypeFactory());
            case MODE, BIT_AND, BIT_OR, BIT_XOR -> ReturnTypes.ARG0;
            case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP ->
                binding -> {
                    RelDataType argument = binding.getOperandType(0);
                    return NumericType.is(argument)
                            ? NumericType.any(binding.getTypeFactory(), true)
                            : SqlTypeUtil.isApproximateNumeric(argument)
                                    ? binding.getTypeFactory().createSqlType(SqlTypeName.DOUBLE)
                                    : binding.getTypeFactory()
                                            .createSqlType(
                                                    SqlTypeName.DECIMAL,
                                                    ColumnType.MAX_DECIMAL_DIGITS,
                                                    Math.max(DEVIATION_SCALE, scale(argument)));
                };
            default -> ReturnTypes.DOUBLE;
        };
    }

    private static int scale(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.DECIMAL ? type.getScale() : 0;
    }

    private static SqlOperandTypeChecker operands(AggregateFunction function, int keys) {
        return switch (function) {
            case BIT_AND, BIT_OR, BIT_XOR -> OperandTypes.family(SqlTypeFamily.INTEGER);
            case STRING_AGG ->
                behind(keys, SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER)
                        .or(behind(keys, SqlTypeFamily.BINARY, SqlTypeFamily.BINARY));
            case MODE -> OperandTypes.ANY;
            case SUM, AVG -> OperandTypes.CHARACTER; // to Calcite intervals are texts of another name
            case PERCENTILE_DISC -> OperandTypes.family(SqlTypeFamily.NUMERIC, SqlTypeFamily.ANY);
            case PERCENTILE_CONT -> OperandTypes.family(SqlTypeFamily.NUMERIC, SqlTypeFamily.NUMERIC);
            default ->
                function.family() == AggregateFunction.Family.PAIRS
                        ? OperandTypes.family(SqlTypeFamily.NUMERIC, SqlTypeFamily.NUMERIC)
                        : OperandTypes.family(SqlTypeFamily.NUMERIC);
        };
    }

    private static SqlOperandTypeChecker behind(int keys, SqlTypeFamily... arguments) {
        List<SqlTypeFamily> families = new ArrayList<>(List.of(arguments));
        families.addAll(Collections.nCopies(keys, SqlTypeFamily.ANY));
        return OperandTypes.family(families);
    }
}
