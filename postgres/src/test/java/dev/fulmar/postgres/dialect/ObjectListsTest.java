package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

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
}
