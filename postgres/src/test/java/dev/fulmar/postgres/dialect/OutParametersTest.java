package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters of the type void, which stand for results. */
class OutParametersTest {
    private static final int VOID = 2278;
    private static final int BIGINT = 20;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "select * from p($1,$2) as result; select * from p(?) as result",
                "select * from p( $1 ); select * from p( )",
                "select * from p($2, $1); select * from p(? )",
                "select * from p($2, $1, $2); select * from p(?, ?)",
                "select * from p($1, $1, $2); select * from p(?)",
                "call p('$1', $2); call p('$1', ?)"
            })
    void theyAreLeftOut(String sql, String without) {
        Translator.Part part = OutParameters.without(new Translator.Part(sql, 0), List.of(VOID, BIGINT));
        assertThat(part.text()).hasSameSizeAs(sql);
        Translation translation = Translator.translate(part, FixedFacts.OF_ANN);
        assertThat(translation.sql()).isEqualToIgnoringWhitespace(without);
    }

    @ParameterizedTest
    @CsvSource({"20", "0"})
    void othersStay(int type) {
        Translator.Part part = new Translator.Part("call p($1, $3)", 7);
        assertThat(OutParameters.without(part, List.of(type, VOID))).isEqualTo(part);
        assertThat(OutParameters.without(part, List.of(type))).isSameAs(part);
    }
}
