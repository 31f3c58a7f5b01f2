package dev.fulmar.benchmarks.survival;

import dev.fulmar.client.FulmarClient;
import java.util.List;

/** The tables and procedures that witnesses know. */
final class Schema {
    static final int PULSES = 16;
    static final String READ_PULSES = "SELECT COUNT(*), MIN(v), MAX(v) FROM pulse";

    private static final String PACKAGE = "dev.fulmar.benchmarks.survival.procedure.";
    private static final List<String> STATEMENTS = List.of(
            "CREATE TABLE chain (k BIGINT NOT NULL PRIMARY KEY, links BIGINT NOT NULL, total BIGINT NOT NULL, note VARCHAR)",
            "PARTITION TABLE chain ON COLUMN k",
            "CREATE TABLE link (k BIGINT NOT NULL, place BIGINT NOT NULL, n BIGINT NOT NULL, edition BIGINT NOT NULL)",
            "PARTITION TABLE link ON COLUMN k",
            "CREATE INDEX link_by_n ON link (n)",
            "CREATE TABLE pulse (id BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL)",
            "PARTITION TABLE pulse ON COLUMN id",
            "CREATE PROCEDURE ExtendCommand PARTITION ON TABLE chain COLUMN k PARAMETER 0 FROM CLASS " + PACKAGE
                    + "Extend",
            "CREATE PROCEDURE ExtendValues PARTITION ON TABLE chain COLUMN k PARAMETER 0 FROM CLASS " + PACKAGE
                    + "Extend",
            "ALTER PROCEDURE ExtendValues LOG VALUES",
            "CREATE PROCEDURE ExtendEither PARTITION ON TABLE chain COLUMN k PARAMETER 0 FROM CLASS " + PACKAGE
                    + "Extend",
            "CREATE PROCEDURE ExtendMany FROM CLASS " + PACKAGE + "ExtendMany",
            "CREATE PROCEDURE CurrentEdition PARTITION ON TABLE chain COLUMN k PARAMETER 0 FROM CLASS " + PACKAGE
                    + "CurrentEdition");

    private Schema() {}

    static void create(FulmarClient client, int chains) {
        client.call("@LoadClasses", (Object) Editions.jar(Editions.FIRST));
        STATEMENTS.forEach(client::execute);
        for (long chain = 1; chain <= chains; chain++) {
            client.execute("INSERT INTO chain (k, links, total, note) VALUES (?, 0, 0, '')", chain);
        }
        for (long id = 0; id < PULSES; id++) {
            client.execute("INSERT INTO pulse (id, v) VALUES (?, 0)", id);
        }
    }
}
