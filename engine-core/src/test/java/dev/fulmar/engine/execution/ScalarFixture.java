package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BOOLEAN;
import static dev.fulmar.engine.execution.Plans.DATE;
import static dev.fulmar.engine.execution.Plans.DOUBLE;
import static dev.fulmar.engine.execution.Plans.TIMESTAMP;
import static dev.fulmar.engine.execution.Plans.call;
import static dev.fulmar.engine.execution.Plans.literal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Evaluates expressions without columns. */
abstract class ScalarFixture {
    static final Expression TRUE = literal(BOOLEAN, true);
    static final Expression FALSE = literal(BOOLEAN, false);
    static final Expression UNKNOWN = literal(BOOLEAN, null);

    final Database database = new Database();

    @AfterEach
    void close() {
        database.close();
    }

    @Nullable Object value(Expression expression) {
        return database.query(Plans.query(Plans.values(List.of(expression.type()), List.of(List.of(expression)))))
                .getFirst()
                .getFirst();
    }

    @Nullable Object value(ScalarFunction function, ColumnType type, Expression... arguments) {
        return value(call(function, type, arguments));
    }

    void fails(ErrorCode code, Expression expression) {
        assertThatThrownBy(() -> value(expression))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    static Expression decimal(String value, int precision, int scale) {
        return literal(ColumnType.decimal(precision, scale), new BigDecimal(value).setScale(scale));
    }

    static Expression number(double value) {
        return literal(DOUBLE, value);
    }

    static Expression timestamp(String value) {
        LocalDateTime time = LocalDateTime.parse(value);
        return literal(
                TIMESTAMP,
                time.toLocalDate().toEpochDay() * 86_400_000_000L
                        + time.toLocalTime().toNanoOfDay() / 1000);
    }

    static Expression date(String value) {
        return literal(DATE, LocalDate.parse(value).toEpochDay());
    }

    static Expression cast(Expression value, ColumnType type) {
        return call(ScalarFunction.CAST, type, value);
    }
}
