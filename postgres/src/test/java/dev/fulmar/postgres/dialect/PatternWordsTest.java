package dev.fulmar.postgres.dialect;

import static dev.fulmar.postgres.dialect.FixedFacts.translated;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatternWordsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "SELECT a LIKE 'x%' m FROM t#SELECT a LIKE 'x%' m FROM t",
                "SELECT a LIKE $1 m, b LIKE c \"m\"#SELECT a LIKE ? ESCAPE '\\' m, b LIKE c ESCAPE '\\' \"M\"",
                "SELECT a LIKE lower(b) || t.c[1] m#SELECT a LIKE lower(b) || t.c[1] ESCAPE '\\' m",
                "SELECT a LIKE CASE WHEN b THEN c ELSE d END AND e#SELECT a LIKE CASE WHEN b THEN c ELSE d END ESCAPE '\\' AND e",
                "SELECT a LIKE b LIKE c#SELECT a LIKE b ESCAPE '\\' LIKE c ESCAPE '\\'",
                "SELECT a ~~ $1, a !~~ $1#SELECT a LIKE ? ESCAPE '\\' , a NOT LIKE ? ESCAPE '\\'",
                "SELECT a OPERATOR(pg_catalog.~~) 'b%'#SELECT a LIKE 'b%'"
            })
    void patternsEndWithTheirLastValue(String source, String expected) {
        assertThat(translated(source).sql().strip()).isEqualTo(expected);
    }
}
