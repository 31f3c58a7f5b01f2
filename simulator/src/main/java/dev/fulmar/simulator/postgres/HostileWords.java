package dev.fulmar.simulator.postgres;

import dev.fulmar.foundation.random.RandomSource;
import java.util.List;

/** Draws texts of statements: right ones, such with words of others, and nonsense. */
final class HostileWords {
    private static final List<String> STATEMENTS = List.of(
            "SELECT 1",
            "SELECT * FROM t",
            "SELECT id, v FROM t WHERE id = $1",
            "SELECT v FROM t WHERE id = $1 AND v = $2 OR $1 > 3",
            "SELECT count(*), max(v) FROM t GROUP BY v ORDER BY 1 LIMIT $1",
            "INSERT INTO t VALUES ($1, $2)",
            "INSERT INTO t (id, v) VALUES (1, 'x'), (2, 'y') ON CONFLICT DO NOTHING",
            "INSERT INTO t VALUES ($1, $2) RETURNING id",
            "UPDATE t SET v = $1 WHERE id = $2",
            "UPDATE t SET v = v || 'z'",
            "DELETE FROM t WHERE id < $1",
            "SELECT id FROM t FOR UPDATE",
            "BEGIN",
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            "START TRANSACTION",
            "COMMIT",
            "ROLLBACK",
            "END",
            "ABORT",
            "SAVEPOINT a",
            "ROLLBACK TO a",
            "RELEASE a",
            "SET TRANSACTION READ ONLY",
            "PREPARE s1 AS SELECT * FROM t WHERE id = $1",
            "EXECUTE s1(3)",
            "DEALLOCATE s1",
            "DEALLOCATE ALL",
            "DISCARD ALL",
            "DISCARD TEMPORARY",
            "CLOSE ALL",
            "DECLARE c CURSOR FOR SELECT * FROM t",
            "FETCH 2 FROM c",
            "MOVE 1 FROM c",
            "CLOSE c",
            "SHOW ALL",
            "SHOW server_version",
            "SET statement_timeout = 1",
            "SET LOCAL default_placement = replicated",
            "RESET ALL",
            "SET client_encoding = 'LATIN1'",
            "SET fulmar.copy_batch = 2",
            "COPY t FROM STDIN",
            "COPY t (id, v) FROM STDIN (FORMAT csv, HEADER)",
            "COPY t FROM STDIN (FORMAT binary)",
            "COPY t TO STDOUT",
            "COPY (SELECT id FROM t) TO STDOUT (FORMAT csv)",
            "COPY t TO STDOUT (FORMAT binary)",
            "CREATE TABLE u (id int PRIMARY KEY, v text, n numeric(10, 2) DEFAULT 1, d timestamp)",
            "DROP TABLE IF EXISTS u, w",
            "DROP TABLE u, w CASCADE",
            "DROP TABLE u CASCADE, w",
            "DROP TABLE u, cascade, restrict",
            "DROP TABLE u, $1",
            "DROP VIEW IF EXISTS u, w RESTRICT",
            "TRUNCATE t, u",
            "TRUNCATE TABLE ONLY t, ONLY u CONTINUE IDENTITY CASCADE",
            "TRUNCATE t, u RESTART IDENTITY",
            "TRUNCATE t RESTART IDENTITY, u",
            "TRUNCATE restart, $1",
            "ALTER TABLE u ADD COLUMN x int",
            "ALTER TABLE u ADD COLUMN y int, DROP COLUMN x, ALTER COLUMN v SET NOT NULL",
            "ALTER TABLE IF EXISTS u ADD COLUMN y numeric(5, 2) DEFAULT $1, DROP COLUMN y",
            "CREATE INDEX ui ON u (v)",
            "INSERT INTO u (id, n, d) VALUES ($1, $2, $3)",
            "SELECT * FROM u WHERE d > $1 AND n < $2",
            "SELECT 1 / 0",
            "SELECT oid, relname FROM pg_class WHERE relname ~ $1",
            "SELECT * FROM pg_catalog.pg_attribute WHERE attrelid = 't'::regclass",
            "SELECT * FROM information_schema.columns",
            "EXPLAIN SELECT * FROM t",
            "LISTEN x",
            "TRUNCATE t",
            "");

    private static final List<String> WORDS = List.of(
            "SELECT",
            "FROM",
            "WHERE",
            "(",
            ")",
            ",",
            ";",
            "$1",
            "$2",
            "$65535",
            "$99999999999",
            "'",
            "''",
            "E'\\x'",
            "\"",
            "$$",
            "$tag$",
            "--",
            "/*",
            "*/",
            "::",
            "int4",
            "t",
            "u",
            "v",
            "id",
            "NULL",
            "DEFAULT",
            "1e400",
            "99999999999999999999",
            "-1",
            "'2020-13-45'",
            "VALUES",
            "IN",
            "ANY",
            "ARRAY[1]",
            "CAST",
            "AS",
            "ORDER BY",
            "\u00e4",
            "\ud83d\ude00",
            "\n",
            "\t",
            "\\",
            "%",
            "=",
            "<>",
            "~",
            "AND",
            "INTERVAL '1 day'",
            "X'AB'",
            "COPY",
            "STDIN",
            "CASE",
            "END",
            "UNION",
            "LATERAL",
            "BEGIN",
            "PREPARE",
            "EXECUTE",
            "pg_class",
            "OFFSET",
            "CASCADE",
            "RESTRICT",
            "RESTART IDENTITY",
            "CONTINUE IDENTITY",
            "ONLY",
            "DROP TABLE",
            "TRUNCATE",
            "ALTER TABLE u",
            "t, u",
            ", DROP COLUMN x",
            "+-+-",
            "^");

    private static final int MOST_WORDS = 12;

    private final RandomSource random;

    HostileWords(RandomSource random) {
        this.random = random;
    }

    String statement() {
        return switch (random.nextInt(8)) {
            case 0 -> words(1 + random.nextInt(MOST_WORDS));
            case 1 -> spliced();
            case 2 -> one() + "; " + one();
            case 3 -> one() + ";" + words(1 + random.nextInt(3)) + "; " + one();
            default -> one();
        };
    }

    private String one() {
        return pick(STATEMENTS);
    }

    private String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(pick(WORDS)).append(random.nextInt(4) == 0 ? "" : " ");
        }
        return text.toString();
    }

    /** A right statement, cut somewhere, with other words behind. */
    private String spliced() {
        String right = one();
        int at = random.nextInt(right.length() + 1);
        String rest = random.nextInt(2) == 0 ? right.substring(at) : "";
        return right.substring(0, at) + " " + words(1 + random.nextInt(3)) + " " + rest;
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
