package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A transaction sees its own changes, also those that follow from keys and in views, whichever of its statements run
 * again. Each table has a twin, on which the same statements run by themselves.
 */
class OwnChangesTest extends PostgresNodeFixture {
    private static final int TRANSACTIONS = 40;
    private static final int STATEMENTS = 14;
    private static final int PARENTS = 8;
    private static final int KEYS = 30;
    /** It tells where equal rows lie, which is another place with each twin. */
    private static final String PLACES = "SELECT id FROM apart% WHERE w = 1 ORDER BY mod(n, 3) LIMIT 2";

    private static final List<String> QUERIES = List.of(
            "SELECT id, n FROM parent% WHERE w = 1 ORDER BY id",
            "SELECT n FROM parent% WHERE w = 1 AND id = #",
            "SELECT id, parent, n FROM child% WHERE w = 1 ORDER BY id",
            "SELECT count(*), sum(n) FROM child% WHERE w = 1 AND parent = #",
            "SELECT children, together FROM total% WHERE w = 1 AND parent = #",
            "SELECT p.id, c.id FROM parent% p JOIN child% c ON c.w = p.w AND c.parent = p.id WHERE p.w = 1 ORDER BY 1, 2",
            "SELECT id FROM many% WHERE w = 1 AND n > # ORDER BY id",
            "SELECT n FROM apart% WHERE w = 1 AND id = #",
            "SELECT code, n FROM coded% WHERE w = 1 AND id = #",
            "SELECT id FROM coded% WHERE w = 1 AND code = #",
            "SELECT count(*), max(n) FROM said% WHERE w = 1",
            "SELECT id FROM apart% WHERE w = 1 AND 10 / n < 3 AND id < #",
            "SELECT n FROM named% WHERE w = 1 AND code = 'A#'",
            PLACES);

    private final TreeSet<Integer> parents = new TreeSet<>();
    private Random random = new Random();

    OwnChangesTest() {
        super(false);
    }

    private void create(String twin) throws SQLException {
        for (String sql : List.of(
                "CREATE TABLE parent% (w INTEGER, id INTEGER, n INTEGER, PRIMARY KEY (w, id))",
                "CREATE TABLE child% (w INTEGER, id INTEGER, parent INTEGER, n INTEGER, PRIMARY KEY (w, id),"
                        + " FOREIGN KEY (w, parent) REFERENCES parent% (w, id) ON DELETE CASCADE)",
                "CREATE TABLE apart% (w INTEGER, id INTEGER, n INTEGER, PRIMARY KEY (w, id))",
                "CREATE TABLE coded% (w INTEGER, id INTEGER, code INTEGER, n INTEGER, apart INTEGER, PRIMARY KEY (w, id),"
                        + " UNIQUE (w, code), FOREIGN KEY (w, apart) REFERENCES apart% (w, id))",
                "CREATE TABLE said% (w INTEGER, n INTEGER)",
                "CREATE TABLE named% (w INTEGER NOT NULL, code TEXT, n INTEGER) PARTITION ON COLUMN w",
                "CREATE UNIQUE INDEX named_code% ON named% (w, LOWER(code))",
                "CREATE MATERIALIZED VIEW total% AS SELECT w, parent, COUNT(*) AS children, SUM(n) AS together"
                        + " FROM child% GROUP BY w, parent",
                "CREATE VIEW many% AS SELECT w, id, n FROM child% WHERE n > 50")) {
            update(sql.replace("%", twin));
        }
    }

    private String change() {
        int key = random.nextInt(KEYS);
        int number = random.nextInt(100);
        return switch (random.nextInt(20)) {
            case 0 -> {
                int parent = random.nextInt(PARENTS);
                parents.add(parent);
                yield "INSERT INTO parent% VALUES (1, " + parent + ", " + number + ") ON CONFLICT DO NOTHING";
            }
            case 1 -> {
                int parent = random.nextInt(PARENTS);
                parents.remove(parent);
                yield "DELETE FROM parent% WHERE w = 1 AND id = " + parent;
            }
            case 2 -> "UPDATE parent% SET n = n + 1 WHERE w = 1 AND id < " + random.nextInt(PARENTS);
            case 3, 4 ->
                parents.isEmpty()
                        ? "UPDATE apart% SET n = 0 WHERE w = 1"
                        : "INSERT INTO child% VALUES (1, " + key + ", " + parents.first() + ", " + number
                                + ") ON CONFLICT (w, id) DO UPDATE SET n = " + number;
            case 5 -> "UPDATE child% SET n = n + 7 WHERE w = 1 AND id > " + key;
            case 6 -> "DELETE FROM child% WHERE w = 1 AND id = " + key;
            case 7, 8 ->
                "INSERT INTO coded% VALUES (1, " + key + ", " + random.nextInt(KEYS) + ", " + number + ", NULL)";
            case 9 -> "INSERT INTO coded% VALUES (1, " + key + ", " + key + ", 0, " + random.nextInt(PARENTS) + ")";
            case 10 -> "UPDATE coded% SET n = n + 1 WHERE w = 1 AND id = " + key;
            case 11 -> "UPDATE coded% SET code = " + number + " WHERE w = 1 AND code = " + key;
            case 12 -> "DELETE FROM coded% WHERE w = 1 AND id = " + key;
            case 13 -> "DELETE FROM apart% WHERE w = 1 AND id = " + random.nextInt(PARENTS);
            case 14 -> "INSERT INTO apart% VALUES (1, " + random.nextInt(PARENTS) + ", " + number + ")";
            case 16 ->
                "INSERT INTO coded% VALUES (1, " + key + ", " + key + ", " + number
                        + ", NULL) ON CONFLICT (w, id) DO UPDATE SET n = coded%.n + 1";
            case 17 -> "INSERT INTO coded% VALUES (1, " + key + ", " + number + ", 3, NULL) ON CONFLICT DO NOTHING";
            case 18 ->
                "INSERT INTO named% VALUES (1, '" + (random.nextBoolean() ? "a" : "A") + random.nextInt(PARENTS) + "', "
                        + number + ")";
            case 19 -> "UPDATE apart% SET n = n - 1 WHERE w = 1 AND 100 / n > 20 AND id < " + key;
            case 15 -> "INSERT INTO said% VALUES (1, " + number + ")";
            default ->
                "INSERT INTO apart% VALUES (1, " + key + ", " + number + ") ON CONFLICT (w, id) DO UPDATE SET n = "
                        + number;
        };
    }

    /** The rows, the count of changed rows, or the error, which undoes the statement alone. */
    private List<String> outcome(String sql, boolean isInTransaction) throws SQLException {
        if (isInTransaction) {
            update("SAVEPOINT before");
        }
        try {
            List<String> outcome = sql.startsWith("SELECT") ? rows(sql) : List.of(Integer.toString(update(sql)));
            if (isInTransaction) {
                update("RELEASE before");
            }
            return outcome;
        } catch (SQLException e) {
            if (!e.getSQLState().startsWith("23") && !e.getSQLState().equals("22012")) {
                throw e;
            }
            if (isInTransaction) {
                update("ROLLBACK TO before");
            }
            return List.of(e.getSQLState());
        }
    }

    private String query() {
        return QUERIES.get(random.nextInt(QUERIES.size())).replace("#", Integer.toString(random.nextInt(PARENTS)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SERIALIZABLE", "REPEATABLE READ", "READ COMMITTED"})
    void theyAreSeenWhicheverStatementsRunAgain(String level) throws SQLException {
        random = new Random(level.length());
        create("");
        create("_twin");
        for (int transaction = 0; transaction < TRANSACTIONS; transaction++) {
            List<String> statements = new ArrayList<>();
            update("BEGIN ISOLATION LEVEL " + level);
            List<List<String>> seen = new ArrayList<>();
            for (int i = 0; i < STATEMENTS; i++) {
                boolean isQuery = random.nextInt(3) > 0;
                String sql = isQuery ? query() : change();
                statements.add(sql);
                String own = sql.replace("%", "");
                seen.add(outcome(own, true));
            }
            update("COMMIT");
            for (int i = 0; i < STATEMENTS; i++) {
                String sql = statements.get(i).replace("%", "_twin");
                List<String> alone = outcome(sql, false);
                if (statements.get(i).equals(PLACES)) {
                    continue;
                }
                assertThat(seen.get(i)).as(sql + " in " + statements).isEqualTo(alone);
            }
        }
    }
}
