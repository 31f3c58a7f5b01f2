package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Types with labels for Java clients, which pass and get text. Commands of the log are run again with the labels that
 * their type had; rows come back from checkpoints and backups whatever has become of the type.
 */
@Timeout(120)
class EnumerationsTest extends DurableNodeFixture {
    EnumerationsTest() {
        super(2);
    }

    private void make() {
        run(
                "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')",
                "CREATE TABLE person (id INTEGER NOT NULL PRIMARY KEY, m mood, d mood DEFAULT 'ok')",
                "CREATE INDEX moods ON person (m)",
                "CREATE TABLE by_mood (m mood NOT NULL PRIMARY KEY, n BIGINT)",
                "PARTITION TABLE by_mood ON COLUMN m",
                "CREATE PROCEDURE feel PARTITION ON TABLE person COLUMN id PARAMETER 1"
                        + " AS UPDATE person SET m = ? WHERE id = ?",
                "CREATE PROCEDURE count_mood PARTITION ON TABLE by_mood COLUMN m"
                        + " AS INSERT INTO by_mood VALUES (?, 1) ON CONFLICT (m) DO UPDATE SET n = by_mood.n + 1");
    }

    private List<String> rows(String query) {
        return ResultRows.of(client, query, " ");
    }

    @Test
    void clientsPassAndGetTexts() {
        make();
        client.execute("INSERT INTO person (id, m) VALUES (?, ?)", 1, "happy");
        client.call("person.insert", 2, "sad", null);
        client.execute("INSERT INTO person (id, m) VALUES (3, 'ok')");
        client.call("feel", "ok", 2);
        ResultTable rows = client.execute("SELECT m, id, d FROM person WHERE m >= ? ORDER BY m DESC, id", "ok")
                .table();
        assertThat(rows.next()).isTrue();
        assertThat(rows.getObject(0)).isEqualTo("happy");
        assertThat(rows.getString(2)).isEqualTo("ok");
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(0)).isEqualTo("ok");
        assertThat(rows.getLong(1)).isEqualTo(2);
        assertThat(number("SELECT COUNT(*) FROM person WHERE m = ?", "ok")).isEqualTo(2);
        fails(ErrorCode.INVALID_TEXT, () -> client.execute("INSERT INTO person (id, m) VALUES (?, ?)", 9, "glad"));
        fails(ErrorCode.INVALID_TEXT, () -> client.call("person.insert", 9, "glad", null));
        fails(ErrorCode.INVALID_TEXT, () -> client.call("feel", "glad", 2));
        fails(ErrorCode.INVALID_TEXT, () -> client.call("count_mood", "glad"));
        fails(ErrorCode.TYPE_MISMATCH, () -> client.execute("INSERT INTO person (id, m) VALUES (?, ?)", 9, 5));
        fails(ErrorCode.TYPE_MISMATCH, () -> client.execute("INSERT INTO person (id, m) VALUES (?, ?)", 9, true));
        assertThat(number("SELECT COUNT(*) FROM person")).isEqualTo(3);
        client.call("by_mood.insert", "happy", 1);
        client.call("by_mood.upsert", "happy", 2);
        client.call("by_mood.insert", "sad", 3);
        client.call("by_mood.delete", "sad");
        assertThat(rows("SELECT m, n FROM by_mood")).containsExactly("happy 2");
        fails(ErrorCode.INVALID_TEXT, () -> client.call("by_mood.delete", "glad"));
    }

    /** Makes changes of the type between calls that are logged as commands. */
    private void change() {
        client.call("person.insert", 1, "sad", "happy");
        client.call("person.insert", 2, "ok", null);
        client.call("count_mood", "ok");
        run("ALTER TYPE mood ADD VALUE 'meh' BEFORE 'ok'");
        client.call("feel", "meh", 1);
        client.call("count_mood", "meh");
        client.call("count_mood", "ok");
        run("ALTER TYPE mood RENAME VALUE 'ok' TO 'fine'");
        client.call("count_mood", "fine");
        client.call("person.insert", 3, "fine", "happy");
        client.execute("INSERT INTO person (id, m) VALUES (4, 'happy')");
        run("ALTER TYPE mood ADD VALUE 'ok'");
        client.call("count_mood", "ok");
        client.call("person.insert", 5, "ok", "ok");
    }

    private void check() {
        assertThat(rows("SELECT id, m, d FROM person ORDER BY m, id"))
                .containsExactly("1 meh happy", "2 fine null", "3 fine happy", "4 happy fine", "5 ok ok");
        assertThat(rows("SELECT m, n FROM by_mood ORDER BY m")).containsExactly("meh 1", "fine 3", "ok 1");
        assertThat(rows("SELECT id FROM person WHERE m < 'fine'")).containsExactly("1");
        assertThat(rows("SELECT n FROM by_mood WHERE m = 'fine'")).containsExactly("3");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO by_mood VALUES ('fine', 0)");
    }

    @Test
    void commandsOfTheLogHaveTheLabelsOfTheirTime() {
        make();
        change();
        check();
        restart();
        check();
        run("ALTER TYPE mood ADD VALUE 'bored' AFTER 'meh'", "INSERT INTO by_mood VALUES ('bored', 9)");
        restart();
        assertThat(rows("SELECT m FROM by_mood ORDER BY m")).containsExactly("meh", "bored", "fine", "ok");
    }

    @Test
    void rowsComeBackFromACheckpoint() {
        make();
        change();
        Objects.requireNonNull(node.database().durability()).requestCheckpoint();
        client.call("feel", "happy", 2);
        client.call("feel", "fine", 2);
        restart();
        check();
    }

    @Test
    void aTypeComesBackFromABackup() throws Exception {
        make();
        change();
        SmallNode.backUp(node, client, folder.resolve("backup"));
        stop();
        SmallNode.restore(folder.resolve("backup"), folder.resolve("restored"), 3);
        node = SmallNode.durable(folder.resolve("restored"), 3);
        client = SmallNode.connect(node);
        check();
    }

    /** Moves keys so that the first partitions have all of them. */
    private void balance(int partitions) throws InterruptedException {
        client.call("@Reconfigure", "BALANCE", Integer.toString(partitions));
        String state = "RUNNING";
        while (state.equals("RUNNING")) {
            Thread.sleep(5);
            ResultTable status = client.call("@Reconfigure", "STATUS").table();
            status.next();
            state = Objects.requireNonNull(status.getString(status.column("STATE")));
        }
        assertThat(state).isEqualTo("DONE");
    }

    @Test
    void keysMoveAcrossChangesOfTheirType() throws InterruptedException {
        make();
        run("INSERT INTO by_mood VALUES ('sad', 1), ('ok', 2), ('happy', 3)");
        balance(1);
        run("ALTER TYPE mood ADD VALUE 'meh' BEFORE 'ok'", "INSERT INTO by_mood VALUES ('meh', 4)");
        balance(2);
        run("ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'", "INSERT INTO person (id, m) VALUES (1, 'blue')");
        for (int life = 0; life < 2; life++) {
            for (String mood : List.of("blue", "meh", "ok", "happy")) {
                assertThat(number("SELECT COUNT(*) FROM by_mood WHERE m = ?", mood))
                        .isEqualTo(1);
                fails(ErrorCode.UNIQUE_VIOLATION, () -> client.execute("INSERT INTO by_mood VALUES (?, 0)", mood));
            }
            assertThat(rows("SELECT m, n FROM by_mood ORDER BY m"))
                    .containsExactly("blue 1", "meh 4", "ok 2", "happy 3");
            restart();
        }
        run("DROP PROCEDURE count_mood", "ALTER TABLE person PARTITION ON COLUMN id");
        run("ALTER TABLE by_mood REPLICATED", "ALTER TABLE by_mood PARTITION ON COLUMN m");
        assertThat(rows("SELECT m, n FROM by_mood ORDER BY m")).containsExactly("blue 1", "meh 4", "ok 2", "happy 3");
    }

    @Test
    void aTypeThatWasDroppedStaysAway() {
        run("CREATE TYPE mood AS ENUM ('sad')");
        client.execute("CREATE TABLE person (id INTEGER NOT NULL PRIMARY KEY, m mood)");
        client.execute("INSERT INTO person VALUES (1, 'sad')");
        restart();
        assertThat(rows("SELECT m FROM person")).containsExactly("sad");
        run("DROP TABLE person", "DROP TYPE mood");
        restart();
        fails(ErrorCode.NOT_SUPPORTED, "CREATE TABLE person (id INTEGER NOT NULL PRIMARY KEY, m mood)");
    }
}
