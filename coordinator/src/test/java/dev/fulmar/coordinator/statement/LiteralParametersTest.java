package dev.fulmar.coordinator.statement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.spi.SqlFrontend.Literal;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.TypeKind;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A literal becomes a parameter only where the parameter's value is exactly what was written. */
class LiteralParametersTest {
    private static final ColumnType MONEY = ColumnType.decimal(6, 2);

    @Test
    void wholeNumbersFitTypesThatHoldThem() {
        assertThat(fits(whole(127), ColumnType.of(TypeKind.TINYINT))).isTrue();
        assertThat(fits(whole(128), ColumnType.of(TypeKind.TINYINT))).isFalse();
        assertThat(fits(whole(-32_768), ColumnType.of(TypeKind.SMALLINT))).isTrue();
        assertThat(fits(whole(32_768), ColumnType.of(TypeKind.SMALLINT))).isFalse();
        assertThat(fits(whole(Integer.MAX_VALUE), ColumnType.of(TypeKind.INTEGER)))
                .isTrue();
        assertThat(fits(whole(1L << 31), ColumnType.of(TypeKind.INTEGER))).isFalse();
        assertThat(fits(whole(Long.MIN_VALUE), ColumnType.of(TypeKind.BIGINT))).isTrue();
        assertThat(fits(whole(1L << 53), ColumnType.of(TypeKind.DOUBLE))).isTrue();
        assertThat(fits(whole((1L << 53) + 1), ColumnType.of(TypeKind.DOUBLE))).isFalse();
        assertThat(fits(whole(9_999), MONEY)).isTrue();
        assertThat(fits(whole(10_000), MONEY)).isFalse();
        assertThat(fits(whole(1), ColumnType.varchar(5))).isFalse();
        assertThat(fits(whole(1), ColumnType.of(TypeKind.BOOLEAN))).isFalse();
        assertThat(fits(whole(1), ColumnType.of(TypeKind.DATE))).isFalse();
    }

    @Test
    void fractionsFitDecimalsWithoutBeingRounded() {
        assertThat(fits(fraction("12.50"), MONEY)).isTrue();
        assertThat(fits(fraction("12.505"), MONEY)).isFalse();
        assertThat(fits(fraction("12345.5"), MONEY)).isFalse();
        assertThat(fits(fraction("0.5"), ColumnType.of(TypeKind.DOUBLE))).isFalse();
        assertThat(fits(fraction("5.0"), ColumnType.of(TypeKind.INTEGER))).isFalse();
    }

    @Test
    void textFitsTextThatIsLongEnough() {
        assertThat(fits(new Literal.Text("12345"), ColumnType.varchar(5))).isTrue();
        assertThat(fits(new Literal.Text("123456"), ColumnType.varchar(5))).isFalse();
        assertThat(fits(new Literal.Text("2024-01-01"), ColumnType.of(TypeKind.DATE)))
                .isFalse();
        assertThat(fits(new Literal.Text("1"), ColumnType.of(TypeKind.INTEGER))).isFalse();
    }

    @Test
    void parametersAreThoseAClientWouldSend() {
        List<Literal> literals = List.of(whole(7), new Literal.Text("it's"), fraction("-1.5"));
        List<ColumnType> types = List.of(ColumnType.of(TypeKind.BIGINT), ColumnType.varchar(9), MONEY);
        ParameterWriter expected =
                new ParameterWriter(16, 1024).begin().add(7L).add("it's").add(new BigDecimal("-1.5"));
        assertThat(LiteralParameters.of(literals, types)).isEqualTo(expected.toByteArray());
        assertThat(LiteralParameters.of(literals, types.subList(0, 2))).isNull();
    }

    private static Literal whole(long value) {
        return new Literal.Whole(value);
    }

    private static Literal fraction(String value) {
        return new Literal.Fraction(new BigDecimal(value));
    }

    private static boolean fits(Literal literal, ColumnType type) {
        return LiteralParameters.of(List.of(literal), List.of(type)) != null;
    }
}
