package dev.fulmar.it.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rights to create functions of users and to call them. */
class UserFunctionRightsTest {
    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private FulmarNode node;
    private FulmarClient root;
    private FulmarClient ann;

    @BeforeEach
    void start() throws IOException {
        Path administrator = Files.createFile(
                folder.resolve("administrator"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(administrator, "root:the password of root");
        node = SmallNode.start(2, Map.of("authentication", "true", "security.administrator", administrator.toString()));
        root = connect("root", "the password of root");
        root.execute("CREATE TABLE t (id BIGINT PRIMARY KEY)");
        root.execute("INSERT INTO t VALUES (1)");
        root.loadClasses(CompiledJar.of(
                folder, "One", "public final class One { public static long more(long v) { return v + 1; } }"));
        root.execute("CREATE FUNCTION more(v BIGINT) RETURNS BIGINT FROM CLASS shop.One");
        root.execute("CREATE FUNCTION less(v BIGINT) RETURNS BIGINT RETURN v - 1");
        root.execute("CREATE VIEW v AS SELECT more(id) m FROM t");
        root.execute("CREATE USER ann PASSWORD 'the password of ann'");
        root.execute("GRANT SELECT ON ALL TABLES TO ann");
        ann = connect("ann", "the password of ann");
    }

    @AfterEach
    void close() {
        ann.close();
        root.close();
        node.close();
    }

    private FulmarClient connect(String user, String password) {
        return FulmarClient.builder()
                .hosts("127.0.0.1:" + node.port())
                .user(user, password)
                .connect();
    }

    private void denies(String sql) {
        assertThatThrownBy(() -> ann.execute(sql))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.PERMISSION_DENIED));
    }

    private long number(String sql) {
        return ann.execute(sql).table().first().getLong(0);
    }

    @Test
    void aCallNeedsTheRightToExecute() {
        denies("SELECT more(id) FROM t");
        denies("SELECT id FROM t WHERE more(id) > 0");
        denies("SELECT id FROM t ORDER BY more(id)");
        denies("SELECT COUNT(*) FROM t GROUP BY more(id)");
        denies("SELECT * FROM v");
        denies("SELECT less(1)");
        denies("EXPLAIN SELECT less(1)");
        root.execute("GRANT EXECUTE ON FUNCTION more TO ann");
        assertThat(number("SELECT more(id) FROM t WHERE more(id) > 0 ORDER BY more(id)"))
                .isEqualTo(2);
        assertThat(number("SELECT m FROM v")).isEqualTo(2);
        denies("SELECT less(1)");
        root.execute("GRANT EXECUTE ON ALL FUNCTIONS TO ann");
        assertThat(number("SELECT less(1)")).isZero();
        root.execute("REVOKE EXECUTE ON ALL FUNCTIONS FROM ann");
        root.execute("REVOKE EXECUTE ON PROCEDURE more FROM ann");
        denies("SELECT more(1)");
    }

    @Test
    void aProcedureBringsItsOwn() {
        root.execute("CREATE PROCEDURE P AS SELECT more(id) FROM t");
        root.execute("GRANT EXECUTE ON PROCEDURE P TO ann");
        assertThat(ann.call("P").table().first().getLong(0)).isEqualTo(2);
        denies("SELECT more(1)");
    }

    @Test
    void definitionsNeedTheRightToChangeTheCatalog() {
        denies("CREATE FUNCTION f() RETURNS BIGINT RETURN 1");
        denies("DROP FUNCTION more");
        root.execute("GRANT EXECUTE ON FUNCTION less TO ann");
        root.execute("DROP FUNCTION less");
        root.execute("CREATE FUNCTION less(v BIGINT) RETURNS BIGINT RETURN v - 1");
        denies("SELECT less(1)");
    }
}
