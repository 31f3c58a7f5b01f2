package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that follow others by themselves, and names that change their meaning, in transactions that change tables. */
@Timeout(180)
class FollowingRowsTest extends DurableNodeFixture {
    private static final List<String> CHANGES = List.of(
            "DELETE FROM rate WHERE id = 2",
            "UPDATE rate SET id = 22 WHERE id = 2",
            "DELETE FROM rate WHERE percent > 10");

    FollowingRowsTest() {
        super(3);
    }

    @BeforeEach
    void fill() {
        run(
                "CREATE TABLE rate (id BIGINT NOT NULL PRIMARY KEY, percent BIGINT, other BIGINT) REPLICATED",
                "CREATE TABLE entry (id BIGINT NOT NULL PRIMARY KEY, rate BIGINT) REPLICATED",
                "CREATE TABLE copied (id BIGINT NOT NULL PRIMARY KEY, v BIGINT) REPLICATED",
                "INSERT INTO rate VALUES (1, 10, 100), (2, 20, 200), (3, 30, 300)",
                "INSERT INTO entry VALUES (1, 1), (2, 2), (3, 3)");
    }

    private long entries() {
        return number("SELECT COUNT(*) FROM entry WHERE rate = id");
    }

    /** A change of an altered table is final before the commit, so what stays visible may not follow it. */
    @ParameterizedTest
    @ValueSource(strings = {"ON DELETE CASCADE", "ON DELETE SET NULL", "ON UPDATE CASCADE"})
    void aFailedCommitLeavesRowsThatReferToAlteredOnes(String action) {
        run("ALTER TABLE entry ADD CONSTRAINT known FOREIGN KEY (rate) REFERENCES rate (id) " + action);
        Session session = client.begin();
        session.execute("ALTER TABLE rate ADD COLUMN n INTEGER DEFAULT 7");
        for (String change : CHANGES) {
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute(change));
        }
        session.execute("INSERT INTO rate VALUES (4, 4, 4, 4)");
        session.execute("ALTER TABLE rate ADD CONSTRAINT large CHECK (n > 10)");
        fails(ErrorCode.CHECK_VIOLATION, session::commit);
        assertThat(entries()).isEqualTo(3);
        restart();
        assertThat(entries()).isEqualTo(3);
    }

    @Test
    void aFailedCommitLeavesMaterializedViewsOfAlteredTables() {
        run("CREATE MATERIALIZED VIEW total AS SELECT percent, COUNT(*) AS n FROM rate GROUP BY percent");
        Session session = client.begin();
        session.execute("ALTER TABLE rate ADD COLUMN n INTEGER DEFAULT 7");
        fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("INSERT INTO rate VALUES (4, 40, 4, 4)"));
        fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("DELETE FROM rate WHERE id = 2"));
        session.execute("ALTER TABLE rate ADD CONSTRAINT large CHECK (n > 10)");
        fails(ErrorCode.CHECK_VIOLATION, session::commit);
        assertThat(number("SELECT SUM(n) FROM total")).isEqualTo(3);
    }

    @Test
    void rowsOfNewTablesThatFollowAreNotShown() {
        try (Session session = client.begin()) {
            session.execute("CREATE TABLE kid (id BIGINT NOT NULL PRIMARY KEY, rate BIGINT REFERENCES rate (id)"
                    + " ON DELETE CASCADE) REPLICATED");
            session.execute("INSERT INTO kid VALUES (1, 1), (2, 2)");
            session.execute("DELETE FROM rate WHERE id = 2");
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("SELECT COUNT(*) FROM kid"));
            session.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM kid")).isEqualTo(1);
    }

    /** The DELETE comes last, and would take rows with it of which the client knows nothing. */
    @Test
    void aReferenceThatComesLaterChangesNoRows() {
        try (Session session = client.begin()) {
            session.execute("DELETE FROM rate WHERE id = 2");
            fails(
                    ErrorCode.NOT_SUPPORTED,
                    () -> session.execute("ALTER TABLE entry ADD CONSTRAINT known FOREIGN KEY (rate)"
                            + " REFERENCES rate (id) ON DELETE CASCADE"));
            session.execute("CREATE TABLE kid (id BIGINT NOT NULL PRIMARY KEY, rate BIGINT REFERENCES rate (id)"
                    + " ON DELETE CASCADE) REPLICATED");
            session.commit();
        }
        assertThat(entries()).isEqualTo(3);
    }

    @Test
    void aNewTableIsFilledBeforeOthersReferToIt() {
        try (Session session = client.begin()) {
            session.execute("CREATE TABLE kind (id BIGINT NOT NULL PRIMARY KEY) REPLICATED");
            session.execute("INSERT INTO kind VALUES (1), (2), (3)");
            session.execute("UPDATE rate SET percent = 5 WHERE id = 1");
            session.execute("ALTER TABLE entry ADD CONSTRAINT known FOREIGN KEY (rate) REFERENCES kind (id)"
                    + " ON DELETE CASCADE");
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("DELETE FROM kind WHERE id = 2"));
            session.commit();
        }
        assertThat(entries()).isEqualTo(3);
        run("DELETE FROM kind WHERE id = 2");
        assertThat(entries()).isEqualTo(2);
    }

    @Test
    void aViewThatIsReplacedLaterChangesNoEarlierStatement() {
        run("CREATE VIEW shown AS SELECT id, percent AS v FROM rate");
        try (Session session = client.begin()) {
            session.execute("INSERT INTO copied SELECT id, v FROM shown");
            fails(
                    ErrorCode.NOT_SUPPORTED,
                    () -> session.execute("CREATE OR REPLACE VIEW shown AS SELECT id, other AS v FROM rate"));
            session.execute("CREATE VIEW further AS SELECT id FROM rate");
            session.commit();
        }
        assertThat(number("SELECT SUM(v) FROM copied")).isEqualTo(60);
    }

    @Test
    void aTableIsTheSameUnderTheNameOfItsSchema() {
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE rate ADD COLUMN n INTEGER DEFAULT 7");
            assertThat(session.execute("UPDATE public.rate SET percent = 1").longValue())
                    .isEqualTo(3);
            assertThat(session.execute("SELECT SUM(public.rate.percent) FROM public.rate")
                            .table()
                            .first()
                            .getLong(0))
                    .isEqualTo(3);
            assertThat(session.execute("DELETE FROM Public.\"RATE\" WHERE public.rate.id > 1")
                            .longValue())
                    .isEqualTo(2);
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("SELECT public.percent FROM rate AS public"));
            session.commit();
        }
        assertThat(number("SELECT SUM(percent) FROM rate")).isEqualTo(1);
    }

    @Test
    void typesOfTimesHideNoTable() {
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE rate ADD COLUMN moment TIMESTAMP WITH TIME ZONE");
            session.execute("UPDATE rate SET moment = CAST(CURRENT_TIMESTAMP AS TIMESTAMP WITH TIME ZONE)");
            session.commit();
        }
        assertThat(number("SELECT COUNT(moment) FROM rate")).isEqualTo(3);
    }
}
