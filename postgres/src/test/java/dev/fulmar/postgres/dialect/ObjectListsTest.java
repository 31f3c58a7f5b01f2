package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectListsTest {
    private static List<String> parts(String statement) {
        return ObjectLists.parts(new Translator.Part(statement, 0)).stream()
                .map(part -> part.text().replaceAll("\\s+", " ").strip())
                .toList();
    }

    @Test
    void objectsAreDroppedOneByOne() {
        assertThat(parts("DROP TABLE IF EXISTS a, s.b CASCADE"))
                .containsExactly("DROP TABLE IF EXISTS a CASCADE", "DROP TABLE IF EXISTS s.b CASCADE");
        assertThat(parts("DROP FUNCTION f(int, int)")).hasSize(1);
    }

    @Test
    void tablesAreEmptiedTogether() {
        assertThat(parts("TRUNCATE TABLE a, s.b RESTRICT"))
                .containsExactly(
                        "TRUNCATE TABLE a RESTRICT BESIDE a, s.b", "TRUNCATE TABLE s.b RESTRICT BESIDE a, s.b");
    }

    @Test
    void aTableIsChangedOnceForEachChange() {
        assertThat(parts("ALTER TABLE ONLY s.t ADD COLUMN a numeric(5, 2) DEFAULT f(1, 2), DROP b, OWNER TO ann"))
                .containsExactly(
                        "ALTER TABLE ONLY s.t ADD COLUMN a numeric(5, 2) DEFAULT f(1, 2)",
                        "ALTER TABLE s.t DROP b",
                        "ALTER TABLE s.t OWNER TO ann");
        assertThatThrownBy(() -> parts("ALTER TABLE t a" + ",a".repeat(2_000)))
                .hasMessageContaining("use several statements");
        assertThat(parts("ALTER TABLE IF EXISTS t ADD a text DEFAULT 'x,y', ADD b int"))
                .containsExactly(
                        "ALTER TABLE IF EXISTS t ADD a text DEFAULT 'x,y'", "ALTER TABLE IF EXISTS t ADD b int");
        assertThat(parts("ALTER TABLE t ADD UNIQUE (a, b)")).containsExactly("ALTER TABLE t ADD UNIQUE (a, b)");
        assertThat(parts("ALTER SEQUENCE s RESTART, OWNER TO ann")).hasSize(1);
        assertThat(parts("ALTER TABLE")).hasSize(1);
        assertThat(parts("ALTER TABLE t ADD (a, b")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TRUNCATE restart, b|TRUNCATE restart BESIDE restart, b|TRUNCATE b BESIDE restart, b",
                "DROP TABLE cascade, b|DROP TABLE cascade|DROP TABLE b",
                "DROP TABLE a, cascade|DROP TABLE a|DROP TABLE cascade",
                "DROP TABLE a, restrict CASCADE|DROP TABLE a CASCADE|DROP TABLE restrict CASCADE",
                "TRUNCATE ONLY a, ONLY s.b|TRUNCATE ONLY a BESIDE a, s.b|TRUNCATE ONLY s.b BESIDE a, s.b",
                "TRUNCATE a, b CONTINUE IDENTITY RESTRICT|TRUNCATE a CONTINUE IDENTITY RESTRICT BESIDE a, b"
                        + "|TRUNCATE b CONTINUE IDENTITY RESTRICT BESIDE a, b",
                "DROP MATERIALIZED VIEW IF EXISTS a, \"b,c\"|DROP MATERIALIZED VIEW IF EXISTS a"
                        + "|DROP MATERIALIZED VIEW IF EXISTS \"b,c\""
            })
    void optionsAreBehindTheLastObjectAlone(String statement, String first, String second) {
        assertThat(parts(statement)).containsExactly(first, second);
    }

    /** As PostgreSQL's grammar has it; its places are those of these errors. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DROP TABLE a CASCADE, b|1:21: syntax error at or near \",\"",
                "DROP TABLE a, b CASCADE, c|1:24: syntax error at or near \",\"",
                "TRUNCATE a RESTART IDENTITY, b|1:28: syntax error at or near \",\"",
                "TRUNCATE a RESTART IDENTITY CASCADE, b|1:36: syntax error at or near \",\"",
                "DROP TABLE a RESTART IDENTITY, b|1:14: syntax error at or near \"RESTART\"",
                "DROP TABLE a b, c|1:14: syntax error at or near \"b\"",
                "DROP TABLE a,|1:14: syntax error at end of input",
                "DROP TABLE , a|1:12: syntax error at or near \",\"",
                "DROP TABLE a,, b|1:14: syntax error at or near \",\"",
                "DROP TABLE a, s.|1:17: syntax error at end of input",
                "DROP TABLE a, $1|1:15: syntax error at or near \"$1\"",
                "TRUNCATE a, $1, b|1:13: syntax error at or near \"$1\"",
                "TRUNCATE a, b $1|1:15: syntax error at or near \"$1\"",
                "TRUNCATE a, 'b'|1:13: syntax error at or near \"'b'\"",
                "ALTER TABLE a ADD b int DEFAULT $1, DROP c|1:33: syntax error at or near \"$1\""
            })
    void otherListsAreNone(String statement, String message) {
        assertThatThrownBy(() -> parts(statement))
                .hasMessage(message)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SYNTAX));
        String script = "SELECT 1;\n" + statement;
        assertThatThrownBy(() -> Translator.statements(script)).hasMessage("2" + message.substring(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP TABLE CASCADE",
                "TRUNCATE",
                "TRUNCATE TABLE",
                "DROP",
                "DROP TABLE",
                "DROP OWNED BY a, b",
                "DROP TRIGGER a ON b, c",
                "DROP FUNCTION f(int), g(int)",
                "DROP TABLE a CASCADE",
                "TRUNCATE a $1"
            })
    void othersAreTakenAsTheyAre(String statement) {
        assertThat(parts(statement)).containsExactly(statement);
    }

    /** No statement of any words is more than refused. */
    @Test
    void anyWordsAreTakenOrRefused() {
        List<String> words = List.of(
                "DROP",
                "TRUNCATE",
                "ALTER",
                "TABLE",
                "a",
                "b",
                ",",
                ",",
                ".",
                "CASCADE",
                "RESTRICT",
                "RESTART",
                "IDENTITY",
                "IF",
                "EXISTS",
                "ONLY",
                "(",
                ")",
                "$1",
                "\"c\"",
                "'d'",
                "*",
                "ADD",
                "INDEX",
                "BESIDE");
        Random random = new Random(3);
        for (int i = 0; i < 200_000; i++) {
            StringBuilder statement = new StringBuilder(words.get(random.nextInt(3)));
            for (int length = random.nextInt(9); length > 0; length--) {
                statement.append(' ').append(words.get(random.nextInt(words.size())));
            }
            try {
                for (Translator.Part part : ObjectLists.parts(new Translator.Part(statement.toString(), 0))) {
                    FixedFacts.translated(part.text());
                }
            } catch (FulmarException e) {
                assertThat(e.code()).as(statement.toString()).isIn(ErrorCode.SYNTAX, ErrorCode.NOT_SUPPORTED);
            }
        }
    }

    @Test
    void aListHasAMostNumberOfObjectsAndCharacters() {
        assertThat(parts("TRUNCATE a" + ",a".repeat(1_599))).hasSize(1_600);
        for (String statement : List.of(
                "TRUNCATE a" + ",a".repeat(1_600),
                "DROP TABLE a" + ",a".repeat(74_000),
                "DROP TABLE /*" + "x".repeat(1 << 20) + "*/ a" + ",a".repeat(100),
                "TRUNCATE a" + (",\"" + "x".repeat(60_000) + "\"").repeat(100),
                "ALTER TABLE \"" + "x".repeat(1 << 20) + "\" DROP a" + ",DROP a".repeat(100))) {
            assertThatThrownBy(() -> parts(statement))
                    .hasMessageContaining("use several statements")
                    .isInstanceOfSatisfying(
                            FulmarException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
        }
    }

    @Test
    void whatAllPartsHaveIsThereOnce() {
        List<Translator.Part> parts = ObjectLists.parts(new Translator.Part("TRUNCATE TABLE a, b, c RESTRICT", 7));
        assertThat(parts).allSatisfy(part -> {
            assertThat(part.head()).isSameAs(parts.getFirst().head());
            assertThat(part.behind()).isSameAs(parts.getFirst().behind());
            assertThat(part.length()).isEqualTo(part.text().length());
            assertThat(part.start()).isEqualTo(7);
        });
    }

    @Test
    void tablesHaveAnyNamesThatPostgresHas() {
        assertThat(FixedFacts.words(ObjectLists.parts(new Translator.Part("TRUNCATE a, cascade", 0))
                        .getFirst()
                        .text()))
                .isEqualTo("TRUNCATE TABLE a BESIDE a, cascade");
        assertThat(FixedFacts.words(ObjectLists.parts(new Translator.Part("TRUNCATE s.restart, restrict CASCADE", 0))
                        .getFirst()
                        .text()))
                .isEqualTo("TRUNCATE TABLE s.restart BESIDE s.restart, restrict");
    }
}
