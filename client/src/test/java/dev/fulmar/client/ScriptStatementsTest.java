package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptStatementsTest {
    private static List<String> texts(String script) {
        return ScriptStatements.of(script).stream()
                .map(ScriptStatements.Statement::text)
                .toList();
    }

    @Test
    void semicolonsEndStatements() {
        assertThat(texts("SELECT 1; SELECT 2 ;;\nSELECT 3")).containsExactly("SELECT 1", "SELECT 2", "SELECT 3");
        assertThat(texts(" ;\n; ")).isEmpty();
        assertThat(texts("")).isEmpty();
    }

    @Test
    void quotesAndCommentsKeepTheirs() {
        assertThat(texts("SELECT 'a;''b;', \"c;\" -- d;\n, 1; /* e; */ SELECT 2 /* f; */"))
                .containsExactly("SELECT 'a;''b;', \"c;\" -- d;\n, 1", "SELECT 2");
        assertThat(texts("SELECT 'open; SELECT 2")).containsExactly("SELECT 'open; SELECT 2");
    }

    @Test
    void aProcedureIsOneStatement() {
        String procedure = "create procedure P AS BEGIN SELECT CASE WHEN A = 1 THEN 2 END FROM T; DELETE FROM T; END";
        assertThat(texts(procedure + "; SELECT 1")).containsExactly(procedure, "SELECT 1");
        assertThat(texts("SELECT BEGIN FROM T; SELECT 1")).hasSize(2);
    }

    @Test
    void placesAreThoseInTheScript() {
        assertThat(ScriptStatements.of("-- first\nSELECT 1;\n  SELECT 2; SELECT 3"))
                .containsExactly(
                        new ScriptStatements.Statement("SELECT 1", 2, 1),
                        new ScriptStatements.Statement("SELECT 2", 3, 3),
                        new ScriptStatements.Statement("SELECT 3", 3, 13));
    }
}
