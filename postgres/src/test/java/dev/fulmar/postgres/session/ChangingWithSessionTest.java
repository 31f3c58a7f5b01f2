package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.bind;
import static dev.fulmar.postgres.session.TalkingClient.describe;
import static dev.fulmar.postgres.session.TalkingClient.execute;
import static dev.fulmar.postgres.session.TalkingClient.parse;
import static dev.fulmar.postgres.session.TalkingClient.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.access.TouchedTables;
import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.postgres.message.Target;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements that begin with WITH and change rows: their parts in one transaction. */
class ChangingWithSessionTest {
    private static final String BEGIN = "BEGIN ISOLATION LEVEL serializable";
    private static final String TAKEN = "DELETE FROM a RETURNING id";
    private static final String ROWS =
            " (SELECT C1 AS \"ID\" FROM UNNEST(CAST( ? AS INTEGER ARRAY)) AS PASSED (C1)) AS \"D\" ";
    private static final String MOVE = "WITH d AS (" + TAKEN + ") INSERT INTO b SELECT id FROM d";
    private static final String STORED = "INSERT INTO b SELECT id FROM" + ROWS;
    private static final String SHOW = "WITH d AS (" + TAKEN + ") SELECT id FROM d";
    private static final String SHOWN = "SELECT id FROM" + ROWS;

    private final FakeDatabase database = new FakeDatabase();
    private final TalkingClient client = new TalkingClient(database);

    @BeforeEach
    void tellTables() {
        database.yields(TAKEN, 2);
        touches(TAKEN, List.of("A"), List.of(), List.of("A"));
        database.changes(STORED, 2);
        touches(STORED, List.of(), List.of(), List.of("B"));
        database.yields(SHOWN, 2);
        touches(SHOWN, List.of(), List.of(), List.of());
    }

    private void touches(String sql, List<String> read, List<String> skipping, List<String> changed) {
        StatementDescription known = Objects.requireNonNull(database.descriptions.get(sql));
        TouchedTables tables = new TouchedTables(new TreeSet<>(read), new TreeSet<>(skipping), new TreeSet<>(changed));
        database.descriptions.put(sql, known.with(tables));
    }

    @Test
    void thePartsAreStatementsOfOneTransaction() {
        assertThat(client.asks(MOVE)).containsExactly("INSERT 0 2", "ready I");
        assertThat(database.asked).containsExactly("1: " + BEGIN, "1: " + TAKEN, "1: " + STORED, "1: COMMIT");
    }

    @Test
    void theRowsOfTheMainStatementAreShown() {
        assertThat(client.asks(SHOW)).containsExactly("columns id:23", "row 1", "row 2", "SELECT 2", "ready I");
    }

    @Test
    void aTransactionOfTheClientHasTheParts() {
        client.asks("BEGIN");
        assertThat(client.asks(MOVE)).containsExactly("INSERT 0 2", "ready T");
        client.asks("COMMIT");
        assertThat(database.asked).containsExactly("1: " + BEGIN, "1: " + TAKEN, "1: " + STORED, "1: COMMIT");
    }

    @Test
    void aPartThatFailsUndoesAllOfThem() {
        database.fails(STORED, ErrorCode.UNIQUE_VIOLATION);
        assertThat(client.asks(MOVE)).contains("ready I").noneMatch(reply -> reply.startsWith("INSERT"));
        assertThat(database.asked).endsWith("1: " + STORED, "1: ROLLBACK");

        client.asks("BEGIN");
        assertThat(client.asks(MOVE)).contains("ready E");
        assertThat(client.asks(MOVE)).contains("ready E");
        assertThat(database.asked).endsWith("2: " + TAKEN, "2: " + STORED);
    }

    @Test
    void aTransactionThatRunsAgainRunsAllParts() {
        database.failsOnce(STORED, ErrorCode.SERIALIZATION_FAILURE);
        assertThat(client.asks(MOVE)).contains("ready I");
        assertThat(database.asked)
                .containsExactly(
                        "1: " + BEGIN,
                        "1: " + TAKEN,
                        "1: " + STORED,
                        "1: ROLLBACK",
                        "2: " + BEGIN,
                        "2: " + TAKEN,
                        "2: " + STORED,
                        "2: COMMIT");
    }

    /** Nothing has run by then. */
    @Test
    void aPartThatReadsAChangedTableIsRefused() {
        touches(STORED, List.of("A"), List.of(), List.of("B"));
        assertThat(client.asks(MOVE)).anyMatch(reply -> reply.contains("0A000")).contains("ready I");
        assertThat(database.asked).isEmpty();
    }

    @Test
    void aPartThatMayReadAnythingIsRefused() {
        database.changes(STORED, 2);
        assertThat(client.asks(MOVE)).anyMatch(reply -> reply.contains("0A000"));
        assertThat(database.asked).isEmpty();
    }

    /** The order of two changes of a table follows from the rows that pass between them, or there is none. */
    @Test
    void rowsWithoutConflictsAreAddedBehindTheChangeThatTheyComeFrom() {
        touches(STORED, List.of(), List.of("A"), List.of("A"));
        assertThat(client.asks(MOVE)).contains("INSERT 0 2");

        String other = "INSERT INTO a VALUES (1)";
        database.changes(other, 1);
        touches(other, List.of(), List.of("A"), List.of("A"));
        assertThat(client.asks("WITH d AS (" + TAKEN + ") " + other)).anyMatch(reply -> reply.contains("0A000"));

        touches(other, List.of(), List.of(), List.of("A"));
        assertThat(client.asks("WITH d AS (" + TAKEN + ") " + other)).contains("INSERT 0 1");
    }

    /** So it sees the rows as they were. */
    @Test
    void aQueryThatReadsNoChangedRowsRunsFirst() {
        String former = "SELECT id FROM b";
        String main =
                "SELECT * FROM (SELECT C1 AS \"ID\" FROM UNNEST(CAST( ? AS INTEGER ARRAY)) AS PASSED (C1)) AS \"F\" ";
        database.yields(former, 1);
        touches(former, List.of("A", "B"), List.of(), List.of());
        database.yields(main, 1);
        touches(main, List.of(), List.of(), List.of());
        assertThat(client.asks("WITH d AS (" + TAKEN + "), f AS (" + former + ") SELECT * FROM f"))
                .contains("SELECT 1");
        assertThat(database.asked)
                .containsExactly("1: " + BEGIN, "1: " + former, "1: " + TAKEN, "1: " + main, "1: COMMIT");
    }

    /** It runs before the change does, and is not seen by it. */
    @Test
    void aPartReadsATableWhoseNameALaterItemHas() {
        String taken = "DELETE FROM a WHERE id IN (SELECT id FROM f) RETURNING id";
        database.yields(taken, 2);
        touches(taken, List.of("A", "F"), List.of(), List.of("A"));
        String later = "SELECT id FROM b";
        database.yields(later, 1);
        touches(later, List.of("B"), List.of(), List.of());
        String main = "SELECT id FROM" + ROWS + "," + ROWS.replace("\"D\"", "\"F\"");
        database.yields(main, 2);
        touches(main, List.of(), List.of(), List.of());
        assertThat(client.asks("WITH d AS (" + taken + "), f AS (" + later + ") SELECT id FROM d, f"))
                .contains("SELECT 2");
        assertThat(database.asked)
                .containsExactly("1: " + BEGIN, "1: " + later, "1: " + taken, "1: " + main, "1: COMMIT");
    }

    /** It would run too early, or not at all. */
    @Test
    void anItemThatChangesRowsWithoutBeingSeenToIsRefused() {
        String query = "SELECT id FROM b";
        database.yields(query, 1);
        touches(query, List.of(), List.of(), List.of("B"));
        assertThat(client.asks("WITH f AS (" + query + "), d AS (" + TAKEN + ") SELECT id FROM d"))
                .anyMatch(reply -> reply.contains("0A000"));
        assertThat(database.asked).isEmpty();
    }

    /** A transaction that only reads could read it in parts, but this one changes rows behind it. */
    @Test
    void rowsOfAPartThatAreTooManyEndTheStatement() {
        String former = "SELECT id FROM b";
        database.yields(former, 1);
        touches(former, List.of("B"), List.of(), List.of());
        String main = "SELECT id FROM" + ROWS.replace("\"D\"", "\"F\"");
        database.yields(main, 1);
        touches(main, List.of(), List.of(), List.of());
        database.fails(former, ErrorCode.RESULT_TOO_LARGE);
        assertThat(client.asks("WITH f AS (" + former + "), d AS (" + TAKEN + ") SELECT id FROM f"))
                .containsExactly("ERROR 54000", "ready I");
        assertThat(database.asked).containsExactly("1: " + BEGIN, "1: " + former, "1: ROLLBACK");
    }

    @Test
    void aQueryThatNothingReadsDoesNotRun() {
        String former = "SELECT id FROM b";
        database.yields(former, 1);
        touches(former, List.of("B"), List.of(), List.of());
        client.asks("WITH f AS (" + former + "), d AS (" + TAKEN + ") SELECT id FROM d");
        assertThat(database.asked).containsExactly("1: " + BEGIN, "1: " + TAKEN, "1: " + SHOWN, "1: COMMIT");
    }

    @Test
    void aDriverHearsOfTheColumnsBeforeAnythingRuns() {
        assertThat(client.says(parse("", SHOW), describe(Target.STATEMENT, ""), sync()))
                .containsExactly("ParseComplete", "parameters []", "columns id:23", "ready I");
        assertThat(database.asked).isEmpty();
        assertThat(client.says(bind("", ""), execute("", 0), sync()))
                .containsExactly("BindComplete", "row 1", "row 2", "SELECT 2", "ready I");
        assertThat(database.asked).containsExactly("1: " + BEGIN, "1: " + TAKEN, "1: " + SHOWN, "1: COMMIT");
    }

    /** The first part that has a parameter gives it its type; arrays stand before it in the second part. */
    @Test
    void aParameterOfSeveralPartsHasOneType() {
        ColumnType number = ColumnType.of(TypeKind.INTEGER);
        String first = "DELETE FROM a WHERE id = ? RETURNING id";
        String second = "SELECT id FROM" + ROWS + "WHERE id <> ?";
        database.yields(first, 2);
        describes(first, List.of(number), List.of("A"));
        database.yields(second, 1);
        describes(second, List.of(ColumnType.array(number), ColumnType.of(TypeKind.BIGINT)), List.of());

        String sql = "WITH d AS (DELETE FROM a WHERE id = $1 RETURNING id) SELECT id FROM d WHERE id <> $1";
        assertThat(client.says(parse("", sql), describe(Target.STATEMENT, ""), sync()))
                .contains("parameters [23]");
        assertThat(client.says(bind("", "", "7"), execute("", 0), sync())).contains("SELECT 1");
        assertThat(client.says(bind("", "", "7", "8"), sync())).anyMatch(reply -> reply.contains("08P01"));

        describes(first, List.of(), List.of("A"));
        describes(second, List.of(), List.of());
        assertThat(client.says(parse("", sql), sync())).anyMatch(reply -> reply.contains("42P18"));
    }

    private void describes(String sql, List<ColumnType> parameters, List<String> changed) {
        StatementDescription description = new StatementDescription(FakeDatabase.COLUMNS, parameters, false, 1);
        database.descriptions.put(sql, description);
        touches(sql, List.of(), List.of(), changed);
    }

    @Test
    void aPreparedStatementIsPlannedAnewWhenTheCatalogHasChanged() {
        client.says(parse("s", SHOW), sync());
        database.catalogVersion++;
        assertThat(client.says(bind("", "s"), execute("", 0), sync())).contains("SELECT 2");
        database.descriptions.put(SHOWN, new StatementDescription(List.of(), List.of(), true, 3));
        touches(SHOWN, List.of(), List.of(), List.of());
        database.catalogVersion++;
        assertThat(client.says(bind("", "s"), sync())).anyMatch(reply -> reply.contains("0A000"));
    }

    @Test
    void rowsThatAreNotThoseDescribedAreRefused() {
        client.says(parse("s", MOVE), sync());
        database.finds("SELECT 'x'", "x");
        database.answers.put(TAKEN, database.answers.get("SELECT 'x'"));
        assertThat(client.says(bind("", "s"), execute("", 0), sync())).anyMatch(reply -> reply.contains("0A000"));
        assertThat(database.asked).endsWith("1: " + TAKEN, "1: ROLLBACK");
    }

    @Test
    void plansOfPartsAreNotShown() {
        assertThat(client.asks("EXPLAIN " + MOVE)).anyMatch(reply -> reply.contains("0A000"));
        assertThat(database.asked).isEmpty();
    }
}
