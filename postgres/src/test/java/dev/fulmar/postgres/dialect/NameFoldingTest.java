package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of the two dialects are told apart in the same way, and each finds the other's. */
class NameFoldingTest {
    private static final String LETTERS = "abzABZ09_$ é ÉßſİıẞΣσς日本ǆǅǄﬁ";

    @ParameterizedTest
    @CsvSource({
        "account, ACCOUNT",
        "ACCOUNT, account",
        "Account, Account",
        "a1_$, A1_$",
        "42, 42",
        "straße, straße",
        "STRASSE, strasse",
        "été, ÉTÉ"
    })
    void mirrorsOneCaseAndKeepsTheMixed(String name, String mirrored) {
        assertThat(NameFolding.mirrored(name)).isEqualTo(mirrored);
    }

    @Test
    void isItsOwnInverseAndTellsAllNamesApart() {
        Random random = new Random(7);
        Map<String, String> sources = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            StringBuilder name = new StringBuilder();
            for (int letters = 1 + random.nextInt(5); letters > 0; letters--) {
                name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
            String mirrored = NameFolding.mirrored(name.toString());
            assertThat(NameFolding.mirrored(mirrored)).isEqualTo(name.toString());
            String other = sources.put(mirrored, name.toString());
            assertThat(other).isIn(null, name.toString());
        }
    }

    /** A plain name of the engine is upper case; PostgreSQL's clients see it in lower case, and write it plainly. */
    @Test
    void findsPlainNames() {
        for (String name : new String[] {"t", "Order_Line", "X9", "ÄRGER"}) {
            String catalog = name.toUpperCase(Locale.ROOT);
            assertThat(NameFolding.mirrored(NameFolding.mirrored(catalog))).isEqualTo(catalog);
            assertThat(NameFolding.mirrored(catalog)).isEqualTo(name.toLowerCase(Locale.ROOT));
        }
    }
}
