package dev.fulmar.coordinator.advisory;

import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlock;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The statements about the tables of locks. A row of HELD is a lock that a session has. One of WAITING is a session
 * that has waited for long. One of USED is a change of tables that was made under a lock, and goes with it.
 *
 * <p>A row of HELD has the number of the take that made it. A statement that gives back names the newest take that it
 * may remove, so one that takes effect late removes no row of a later take.
 */
public final class LockStatements {
    private static final String HELD = SchemaName.qualified(SchemaName.LOCKS, "HELD");
    private static final String WAITING = SchemaName.qualified(SchemaName.LOCKS, "WAITING");
    static final String USED = SchemaName.LOCKS_USED;

    /** As errors of a transaction call the table in which it could not name its lock. */
    public static final String TABLE_OF_CHANGES = USED;

    private static final Pattern HOLDER = Pattern.compile("[0-9A-Z_]{1,80}");
    private static final String KEY =
            "KEY_NUMBER BIGINT NOT NULL, KEY_SPACE SMALLINT NOT NULL, HOLDER VARCHAR(80) NOT" + " NULL, ";
    private static final String HOLDING = "(KEY_NUMBER, KEY_SPACE, HOLDER)";
    private static final String BY_KEY = ") PARTITION ON COLUMN KEY_NUMBER";

    private LockStatements() {}

    /** Make the tables, the last one last. */
    static List<String> creation() {
        return List.of(
                "CREATE SCHEMA IF NOT EXISTS " + SchemaName.LOCKS,
                "CREATE TABLE IF NOT EXISTS " + HELD + " (" + KEY
                        + "IS_SHARED BOOLEAN NOT NULL, TAKE BIGINT NOT NULL, PRIMARY KEY " + HOLDING + BY_KEY,
                "CREATE INDEX IF NOT EXISTS " + SchemaName.qualified(SchemaName.LOCKS, "HELD_BY") + " ON " + HELD
                        + " (HOLDER)",
                "CREATE TABLE IF NOT EXISTS " + WAITING + " (" + KEY
                        + "IS_SHARED BOOLEAN NOT NULL, SINCE BIGINT NOT NULL, PRIMARY KEY " + HOLDING + BY_KEY,
                "CREATE TABLE IF NOT EXISTS " + USED + " (" + KEY
                        + "PLACE BIGINT NOT NULL, PRIMARY KEY (KEY_NUMBER, KEY_SPACE, HOLDER, PLACE), FOREIGN KEY "
                        + HOLDING + " REFERENCES " + HELD + " " + HOLDING + " ON DELETE CASCADE" + BY_KEY);
    }

    /**
     * Takes a lock, unless others have it: counts one row or none.
     *
     * @param take number of the take
     */
    static String taking(LockWish wish, long take) {
        String others = wish.isShared() ? " AND NOT OTHER.IS_SHARED" : "";
        String free = " NOT EXISTS (SELECT 1 FROM " + HELD + " AS OTHER WHERE OTHER.KEY_NUMBER = "
                + number(wish.key()) + " AND OTHER.KEY_SPACE = " + space(wish.key()) + " AND OTHER.HOLDER <> "
                + text(wish.holder()) + others + ")";
        return wish.hasShared()
                ? "UPDATE " + HELD + " SET IS_SHARED = FALSE, TAKE = " + take + " WHERE "
                        + own(wish.holder(), wish.key()) + " AND TAKE < " + take + " AND" + free
                : "INSERT INTO " + HELD + " (KEY_NUMBER, KEY_SPACE, HOLDER, IS_SHARED, TAKE) SELECT "
                        + values(wish.holder(), wish.key()) + ", " + truth(wish.isShared()) + ", CAST(" + take
                        + " AS BIGINT) FROM (VALUES (1)) AS ONE (X) WHERE" + free;
    }

    static String sharing(String holder, AdvisoryKey key, long newestTake) {
        return "UPDATE " + HELD + " SET IS_SHARED = TRUE WHERE " + own(holder, key) + " AND TAKE <= " + newestTake;
    }

    static String givingBack(String holder, AdvisoryKey key, long newestTake) {
        return "DELETE FROM " + HELD + " WHERE " + own(holder, key) + " AND TAKE <= " + newestTake;
    }

    /** Takes a lock away from a session that is over. */
    static String takingAway(String holder, AdvisoryKey key) {
        return "DELETE FROM " + HELD + " WHERE " + own(holder, key);
    }

    /** All that a session of an earlier life of its node has. */
    static List<String> ending(String holder) {
        return List.of(
                "DELETE FROM " + HELD + " WHERE HOLDER = " + text(holder),
                "DELETE FROM " + WAITING + " WHERE HOLDER = " + text(holder));
    }

    /** The sessions that have a lock. */
    static String holders(AdvisoryKey key) {
        return "SELECT HOLDER FROM " + HELD + " WHERE KEY_NUMBER = " + number(key) + " AND KEY_SPACE = " + space(key)
                + " ORDER BY HOLDER";
    }

    /** All sessions that have something. */
    static String allHolders() {
        return "SELECT HOLDER FROM " + HELD + " UNION SELECT HOLDER FROM " + WAITING + " ORDER BY HOLDER";
    }

    static String waiting(LockWish wish, long sinceMicros) {
        return "UPSERT INTO " + WAITING + " (KEY_NUMBER, KEY_SPACE, HOLDER, IS_SHARED, SINCE) VALUES ("
                + values(wish.holder(), wish.key()) + ", " + truth(wish.isShared()) + ", " + sinceMicros + ")";
    }

    static String waitingNoMore(LockWish wish) {
        return "DELETE FROM " + WAITING + " WHERE " + own(wish.holder(), wish.key());
    }

    /** All locks, with 0 in the last column, and all long waits, with the time since when. */
    static String all() {
        return "SELECT KEY_NUMBER, KEY_SPACE, HOLDER, IS_SHARED, CAST(0 AS BIGINT) AS SINCE FROM " + HELD
                + " UNION ALL SELECT KEY_NUMBER, KEY_SPACE, HOLDER, IS_SHARED, SINCE FROM " + WAITING
                + " ORDER BY KEY_NUMBER, KEY_SPACE, HOLDER, SINCE";
    }

    /**
     * A query that yields the number and the space of each of these locks that the session has, and perhaps of others.
     * It has them stay so until the COMMIT of its transaction.
     */
    public static String fence(String holder, Collection<AdvisoryKey> keys) {
        String which = keys.size() == 1 ? own(holder, keys.iterator().next()) : "HOLDER = " + text(holder);
        return "SELECT KEY_NUMBER, KEY_SPACE FROM " + HELD + " WHERE " + which + " FOR SHARE";
    }

    /**
     * The same for a transaction that changes tables: one that cannot insert these rows does not commit.
     *
     * @param place another one for each transaction of the session
     */
    public static String changes(String holder, Collection<AdvisoryKey> keys, long place) {
        String sql = "INSERT INTO " + USED + " (KEY_NUMBER, KEY_SPACE, HOLDER, PLACE) VALUES "
                + keys.stream()
                        .map(key -> "(" + shortNumber(key) + ", " + (key.isPair() ? 1 : 0) + ", '" + holder + "', "
                                + place + ")")
                        .collect(Collectors.joining(", "));
        return TemporaryMark.added(sql, SchemaName.NO_SESSION); // by which the insert needs no right
    }

    /** The locks that rows of {@link #fence} are of. */
    public static Set<AdvisoryKey> keys(ResultBlock rows) {
        Set<AdvisoryKey> keys = new TreeSet<>();
        while (rows.next()) {
            keys.add(new AdvisoryKey(rows.getLong(1) == 1, rows.getLong(0)));
        }
        return keys;
    }

    private static String shortNumber(AdvisoryKey key) {
        return key.number() == Long.MIN_VALUE ? number(key) : Long.toString(key.number());
    }

    private static String own(String holder, AdvisoryKey key) {
        return "KEY_NUMBER = " + number(key) + " AND KEY_SPACE = " + space(key) + " AND HOLDER = " + text(holder);
    }

    private static String values(String holder, AdvisoryKey key) {
        return number(key) + ", " + space(key) + ", " + text(holder);
    }

    /** The least number has no literal. */
    private static String number(AdvisoryKey key) {
        return "CAST('" + key.number() + "' AS BIGINT)";
    }

    private static String space(AdvisoryKey key) {
        return "CAST(" + (key.isPair() ? 1 : 0) + " AS SMALLINT)";
    }

    private static String truth(boolean value) {
        return value ? "TRUE" : "FALSE";
    }

    private static String text(String holder) {
        Invariants.check(HOLDER.matcher(holder).matches(), "the name of a holder is a word");
        return "CAST('" + holder + "' AS VARCHAR(80))";
    }
}
