package dev.fulmar.benchmarks.regression;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PsqlScriptTest {
    private static List<String> statements(String... lines) {
        PsqlScript script = new PsqlScript(List.of(lines));
        List<String> statements = new ArrayList<>();
        for (String next = script.next(); next != null; next = script.next()) {
            statements.add(next);
        }
        return statements;
    }

    @Test
    void semicolonsEndStatementsOutsideOfTextsNamesAndParentheses() {
        assertThat(statements(
                        "SELECT ';'; SELECT \";\" ;",
                        "CREATE RULE r AS ON INSERT TO t DO (DELETE FROM a; DELETE FROM b);",
                        "SELECT E'\\';', $x$;$x$, $$;$$, 'it''s;'"))
                .containsExactly(
                        "SELECT ';'",
                        "SELECT \";\"",
                        "CREATE RULE r AS ON INSERT TO t DO (DELETE FROM a; DELETE FROM b)",
                        "SELECT E'\\';', $x$;$x$, $$;$$, 'it''s;'");
    }

    @Test
    void commentsAreNoStatements() {
        assertThat(statements("-- one; two", "/* a ; /* b ; */ c ; */ ;", "SELECT 1 -- ;", " + 2;", "/* d */"))
                .containsExactly("SELECT 1 \n + 2");
    }

    @Test
    void commandsOfPsqlAreLeftOut() {
        assertThat(statements("\\d t", "SELECT 1;", "\\pset null 'x;'", "SELECT 2 \\gset", "SELECT 3;"))
                .containsExactly("SELECT 1", "SELECT 2", "SELECT 3");
    }

    @Test
    void dataOfCopyFollowTheLineOfTheStatement() {
        PsqlScript script = new PsqlScript(List.of("COPY t FROM STDIN;", "1\tone;", "2\ttwo", "\\.", "SELECT 1;"));
        assertThat(script.next()).isEqualTo("COPY t FROM STDIN");
        assertThat(new String(script.data(), StandardCharsets.UTF_8)).isEqualTo("1\tone;\n2\ttwo\n");
        assertThat(script.next()).isEqualTo("SELECT 1");
        assertThat(script.next()).isNull();
    }

    @Test
    void theFileToCopyIsTheOneThatWasNamedLast() {
        PsqlScript script = new PsqlScript(
                List.of("\\set filename :abs_srcdir '/data/a.data'", "COPY t FROM :'filename';", "SELECT 1;"));
        assertThat(script.file(Path.of("/suite"))).isNull();
        assertThat(script.next()).isEqualTo("COPY t FROM :'filename'");
        assertThat(script.file(Path.of("/suite"))).isEqualTo(Path.of("/suite/data/a.data"));
    }
}
