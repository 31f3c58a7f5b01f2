package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import dev.fulmar.client.transfer.DatabaseDump;
import dev.fulmar.client.transfer.DatabaseLoad;
import dev.fulmar.client.transfer.TransferProgress;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.node.wiring.FulmarNode;
import dev.fulmar.sql.text.ScriptSplitter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Constraints over partitions that tables get which have rows. */
@Timeout(120)
class LateConstraintsTest extends DurableNodeFixture {
    private static final TransferProgress QUIET = (table, rows, rejected) -> {};
    private static final int PARTITIONS = 4;
    private static final int ROWS = 40;

    LateConstraintsTest() {
        super(PARTITIONS);
    }

    private void createUsers() {
        run("CREATE TABLE users (id INTEGER NOT NULL PRIMARY KEY, email VARCHAR(30)) PARTITION ON COLUMN id");
        for (int id = 0; id < ROWS; id++) {
            client.execute("INSERT INTO users VALUES (?, ?)", id, "u" + id);
        }
        run("INSERT INTO users VALUES (1000, NULL), (1001, NULL)");
    }

    private void createNotes() {
        run("CREATE TABLE note (id INTEGER NOT NULL PRIMARY KEY, author INTEGER) PARTITION ON COLUMN id");
        for (int id = 0; id < ROWS; id++) {
            client.execute("INSERT INTO note VALUES (?, ?)", id, ROWS - 1 - id);
        }
        run("INSERT INTO note VALUES (1000, NULL)");
    }

    @Test
    void rowsThatKeepAUniqueKeyGetIt() {
        createUsers();
        run("ALTER TABLE users ADD CONSTRAINT by_email UNIQUE (email)");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO users VALUES (100, 'u7')");
        run("INSERT INTO users VALUES (100, 'u100'), (101, NULL)", "CREATE UNIQUE INDEX other ON users (email DESC)");
        restart();
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO users VALUES (102, 'u100')");
    }

    @Test
    void rowsThatBreakAUniqueKeyAreTold() {
        createUsers();
        for (int id = 100; id < 120; id++) { // on each partition
            client.execute("INSERT INTO users VALUES (?, 'more')", id);
        }
        fails(ErrorCode.UNIQUE_VIOLATION, "ALTER TABLE users ADD CONSTRAINT by_email UNIQUE (email)", "more");
        fails(ErrorCode.UNIQUE_VIOLATION, "CREATE UNIQUE INDEX by_email ON users (email)", "more");
        run("DELETE FROM users WHERE id >= 100 AND id < 120", "INSERT INTO users VALUES (100, 'u1')");
        fails(ErrorCode.UNIQUE_VIOLATION, "ALTER TABLE users ADD CONSTRAINT by_email UNIQUE (email)", "u1");
        run("INSERT INTO users VALUES (101, 'u1')", "DELETE FROM users WHERE id > 99 AND id < 102");
        run("ALTER TABLE users ADD CONSTRAINT by_email UNIQUE (email)");
    }

    @Test
    void rowsThatKeepAForeignKeyGetIt() {
        createUsers();
        createNotes();
        run("ALTER TABLE note ADD CONSTRAINT by FOREIGN KEY (author) REFERENCES users ON DELETE CASCADE");
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO note VALUES (100, 99)");
        run("DELETE FROM users WHERE id = 5");
        assertThat(number("SELECT COUNT(*) FROM note WHERE author = 5")).isZero();
    }

    @Test
    void rowsThatBreakAForeignKeyAreToldAndItLeavesNothing() {
        createUsers();
        createNotes();
        run("INSERT INTO note VALUES (100, 4711)");
        String add = "ALTER TABLE note ADD CONSTRAINT by FOREIGN KEY (author) REFERENCES users";
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, add, "AUTHOR = 4711");
        run("INSERT INTO note VALUES (101, 4711)", "DELETE FROM users WHERE id = 3");
        assertThat(number("SELECT COUNT(*) FROM INFORMATION_SCHEMA.DEFINITIONS WHERE STATEMENT LIKE '%BY_INDEX%'"))
                .isZero();
        run("DELETE FROM note WHERE author = 4711 OR author = 3", add);
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO note VALUES (101, 4711)");
    }

    @Test
    void aConstraintThatIsNotValidBindsWritesOnly() {
        createUsers();
        createNotes();
        run(
                "INSERT INTO note VALUES (100, 4711)",
                "ALTER TABLE note ADD CONSTRAINT by FOREIGN KEY (author) REFERENCES users NOT VALID",
                "INSERT INTO users VALUES (100, 'u1')",
                "CREATE UNIQUE INDEX by_email ON users (email) NOT VALID");
        restart();
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "INSERT INTO note VALUES (101, 4712)");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO users VALUES (101, 'u2')");
        run("UPDATE note SET author = author + 0 WHERE id = 0");
        fails(ErrorCode.FOREIGN_KEY_VIOLATION, "ALTER TABLE note VALIDATE CONSTRAINT by", "AUTHOR = 4711");
        fails(ErrorCode.UNIQUE_VIOLATION, "ALTER TABLE users VALIDATE CONSTRAINT by_email", "EMAIL = u1");
        fails(ErrorCode.UNKNOWN_OBJECT, "ALTER TABLE users VALIDATE CONSTRAINT by");
        assertThat(notValid()).isEqualTo(2);
        run(
                "INSERT INTO users VALUES (4711, 'x')",
                "UPDATE users SET email = 'y' WHERE id = 100",
                "ALTER TABLE note VALIDATE CONSTRAINT by",
                "ALTER TABLE users VALIDATE CONSTRAINT by_email");
        assertThat(notValid()).isZero();
        restart();
        assertThat(notValid()).isZero();
        run("ALTER TABLE note VALIDATE CONSTRAINT by");
    }

    private long notValid() {
        return number("SELECT COUNT(*) FROM INFORMATION_SCHEMA.DEFINITIONS WHERE STATEMENT LIKE '%NOT VALID'");
    }

    @Test
    void theSameStatementGoesOnWithWhatANodeLeftBehind() {
        createUsers();
        createNotes();
        run(
                "ALTER TABLE note ADD CONSTRAINT by FOREIGN KEY (author) REFERENCES users NOT VALID",
                "ALTER TABLE users ADD CONSTRAINT by_email UNIQUE (email) NOT VALID");
        fails(ErrorCode.OBJECT_EXISTS, "ALTER TABLE users ADD CONSTRAINT by_email UNIQUE (id, email)");
        run(
                "ALTER TABLE note ADD CONSTRAINT by FOREIGN KEY (author) REFERENCES users",
                "ALTER TABLE users ADD CONSTRAINT by_email UNIQUE (email)");
        assertThat(notValid()).isZero();
        fails(ErrorCode.OBJECT_EXISTS, "ALTER TABLE users ADD CONSTRAINT by_email UNIQUE (email)");
    }

    @Test
    void onlyANodeSaysThatItHasLookedAtRows() {
        createUsers();
        run(
                "ALTER TABLE users ADD CONSTRAINT by_email UNIQUE (email) NOT VALID",
                "INSERT INTO users VALUES (100, 'u100')");
        for (long version = 1; version < 20; version++) {
            fails(ErrorCode.SYNTAX, "ALTER TABLE users VALIDATE CONSTRAINT by_email SINCE " + version);
        }
        assertThat(notValid()).isEqualTo(1);
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE users VALIDATE CONSTRAINT by_email");
            assertThatThrownBy(session::commit).hasMessageContaining("outside of a transaction");
        }
        assertThat(notValid()).isEqualTo(1);
    }

    @Test
    void rowsThatAreWrittenMeanwhileKeepIt() throws Exception {
        createUsers();
        for (int round = 0; round < 5; round++) {
            List<CompletableFuture<CallResult>> writes = new ArrayList<>();
            CompletableFuture<CallResult> added =
                    client.executeAsync("ALTER TABLE users ADD CONSTRAINT by_email UNIQUE (email)");
            for (int i = 0; i < 200; i++) {
                int id = 10_000 + 1_000 * round + i;
                writes.add(client.executeAsync("INSERT INTO users VALUES (?, ?)", id, "w" + round + "-" + i / 2));
            }
            writes.forEach(write -> write.handle((result, failure) -> null).join());
            boolean isMade = added.handle((result, failure) -> failure == null).get();
            long twice = number("SELECT COUNT(*) FROM (SELECT email FROM users WHERE email IS NOT NULL GROUP BY email"
                    + " HAVING COUNT(*) > 1)");
            assertThat(isMade && twice > 0)
                    .as("%s values are there twice", twice)
                    .isFalse();
            if (isMade) {
                run("ALTER TABLE users DROP CONSTRAINT by_email");
            }
            run("DELETE FROM users WHERE id >= 10000");
        }
    }

    @Test
    void aTableGetsAPrimaryKey() {
        run("CREATE TABLE item (id INTEGER, place INTEGER NOT NULL, name VARCHAR(30)) PARTITION ON COLUMN place");
        for (int id = 0; id < ROWS; id++) {
            client.execute("INSERT INTO item VALUES (?, ?, 'n')", id, id % 7);
        }
        run("INSERT INTO item VALUES (5, 100, 'other')");
        fails(ErrorCode.UNIQUE_VIOLATION, "ALTER TABLE item ADD PRIMARY KEY (id)", "ID = 5");
        run("DELETE FROM item WHERE place = 100", "INSERT INTO item VALUES (NULL, 100, 'other')");
        fails(ErrorCode.NOT_NULL_VIOLATION, "ALTER TABLE item ADD PRIMARY KEY (id)");
        run("INSERT INTO item VALUES (5, 101, 'still without a key')", "DELETE FROM item WHERE place >= 100");
        run("ALTER TABLE item ADD CONSTRAINT item_pkey PRIMARY KEY (id)");
        fails(ErrorCode.OBJECT_EXISTS, "ALTER TABLE item ADD PRIMARY KEY (place, id)");
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO item VALUES (5, 100, 'other')");
        fails(ErrorCode.NOT_NULL_VIOLATION, "INSERT INTO item VALUES (NULL, 100, 'other')");
        run(
                "CREATE TABLE part (id INTEGER NOT NULL PRIMARY KEY, item INTEGER REFERENCES item) PARTITION ON COLUMN id",
                "INSERT INTO part VALUES (1, 5)");
        restart();
        fails(ErrorCode.UNIQUE_VIOLATION, "INSERT INTO item VALUES (5, 100, 'other')");
        fails(ErrorCode.DEPENDENT_OBJECTS, "ALTER TABLE item DROP CONSTRAINT item_pkey");
        assertThat(client.call("ITEM.select", 5).table().rowCount()).isEqualTo(1);
        run("DROP TABLE part", "ALTER TABLE item DROP CONSTRAINT item_pkey");
        run("INSERT INTO item VALUES (5, 100, 'other')", "DELETE FROM item WHERE place = 100");
        run("ALTER TABLE item ADD PRIMARY KEY (place, id) USING ORDERED", "UPSERT INTO item VALUES (5, 5, 'five')");
        assertThat(number("SELECT COUNT(*) FROM item")).isEqualTo(ROWS);
    }

    @Test
    void tablesThatReferToEachOtherAreLoaded() throws Exception {
        run(
                "CREATE TABLE team (id INTEGER NOT NULL PRIMARY KEY, captain INTEGER) PARTITION ON COLUMN id",
                "CREATE TABLE player (id INTEGER NOT NULL PRIMARY KEY, team INTEGER REFERENCES team) PARTITION ON COLUMN id",
                "ALTER TABLE team ADD CONSTRAINT led FOREIGN KEY (captain) REFERENCES player",
                "INSERT INTO team VALUES (1, NULL), (2, NULL)",
                "INSERT INTO player VALUES (10, 1), (20, 2)",
                "UPDATE team SET captain = 10 * id");
        Path dump = folder.resolve("dump");
        new DatabaseDump(client, dump, 2, true, QUIET).run(List.of());
        List<String> schema = ScriptSplitter.split(Files.readString(dump.resolve(DatabaseDump.SCHEMA_FILE)));
        try (FulmarNode other = SmallNode.start(3);
                FulmarClient there = SmallNode.connect(other)) {
            new DatabaseLoad(there, dump, QUIET).run(schema, false, 0, 8);
            assertThat(there.execute("SELECT SUM(captain) FROM team")
                            .table()
                            .first()
                            .getLong(0))
                    .isEqualTo(30);
            assertThatThrownBy(() -> there.execute("UPDATE team SET captain = 11 WHERE id = 1"))
                    .hasMessageContaining("LED");
        }
    }
}
