package dev.fulmar.launcher;

import dev.fulmar.benchmarks.run.BenchmarkRun;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.run.Workloads;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Runs a node with statements of all kinds, so that {@code bin/fulmar} can have the JVM keep what it learns. That is
 * classes that are loaded and linked, and which methods are hot (JEP 483, 514 and 515).
 */
@Command(
        name = "prepare",
        description =
                "Runs a node and statements for some seconds, and keeps what the JVM has learnt of them. Nodes and commands"
                        + " start faster from then on. Run it again after a build or a change of the JDK.",
        mixinStandardHelpOptions = true)
final class PrepareCommand implements Callable<Integer> {
    private static final int WAREHOUSES = 1;
    private static final int OUTSTANDING = 64;
    private static final int KEYS = 20;
    private static final int PROTOCOL_3 = 3 << 16;
    private static final byte READY = 'Z';

    private static final List<String> DEFINITIONS = List.of(
            "CREATE TABLE shopper (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, city VARCHAR(20), since DATE,"
                    + " balance DECIMAL(12, 2) DEFAULT 0) PARTITIONED",
            "CREATE TABLE purchase (id BIGINT GENERATED ALWAYS AS IDENTITY (CACHE 100) PRIMARY KEY, customer INTEGER,"
                    + " amount DECIMAL(10, 2), placed TIMESTAMP DEFAULT CURRENT_TIMESTAMP) PARTITIONED",
            "CREATE INDEX by_city ON shopper (city)",
            "CREATE VIEW rich AS SELECT id, name FROM shopper WHERE balance > 50");

    private static final List<String> STATEMENTS = List.of(
            "INSERT INTO purchase (customer, amount) VALUES (%1$d, 12.5), (%1$d, 3)",
            "UPDATE shopper SET balance = balance + 1.5 WHERE id = %1$d",
            "SELECT name, balance FROM shopper WHERE id = %1$d",
            "SELECT id, UPPER(name) FROM shopper WHERE city = 'c%1$d' ORDER BY name LIMIT 5",
            "SELECT c.city, COUNT(*), SUM(p.amount) FROM shopper c JOIN purchase p ON p.customer = c.id GROUP BY c.city"
                    + " ORDER BY 3 DESC",
            "SELECT COUNT(*) FROM shopper WHERE id IN (SELECT customer FROM purchase WHERE amount > %1$d)",
            "SELECT id FROM rich WHERE name LIKE 'n%%'",
            "DELETE FROM purchase WHERE customer = %1$d AND amount < 5");

    @Spec
    private CommandSpec spec;

    @Option(names = "--rounds", defaultValue = "30", description = "Rounds of statements; default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Map<String, String> settings = Map.of("durability", "none", "postgres", "127.0.0.1:0");
        try (LocalDatabase database = LocalDatabase.startWithRanges(2, 1, KEYS, settings);
                FulmarClient client = database.connect(OUTSTANDING)) {
            new BenchmarkRun(client, Workloads.create("tpcc", WAREHOUSES, 0, 1), new ProgressLine(out)).prepare();
            DEFINITIONS.forEach(client::execute);
            for (int key = 0; key < KEYS; key++) {
                client.execute("INSERT INTO shopper (id, name, city, since) VALUES (" + key + ", 'n" + key + "', 'c"
                        + key % 5 + "', DATE '2026-01-0" + (1 + key % 9) + "')");
            }
            try (Wire postgres = new Wire(database.postgresPort())) {
                for (int round = 0; round < rounds; round++) {
                    round(client, postgres, round % KEYS);
                }
            }
        }
        return 0;
    }

    private static void round(FulmarClient client, Wire postgres, int key) throws IOException {
        for (String statement : STATEMENTS) {
            String text = statement.formatted(key);
            client.execute(text);
            postgres.query(text);
        }
        try (Session session = client.begin()) {
            session.execute("UPDATE shopper SET balance = balance - 1 WHERE id = ?", key);
            session.execute("INSERT INTO purchase (customer, amount) VALUES (?, 1)", key);
            session.commit();
        }
        postgres.query("BEGIN; UPDATE shopper SET balance = balance - 1 WHERE id = " + key + "; COMMIT");
    }

    /** A client of PostgreSQL's protocol that sends texts and skips what comes back. */
    private static final class Wire implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;

        Wire(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
            byte[] names = "user\0fulmar\0database\0fulmar\0\0".getBytes(StandardCharsets.UTF_8);
            out.writeInt(2 * Integer.BYTES + names.length);
            out.writeInt(PROTOCOL_3);
            out.write(names);
            untilReady();
        }

        void query(String sql) throws IOException {
            byte[] text = (sql + "\0").getBytes(StandardCharsets.UTF_8);
            out.writeByte('Q');
            out.writeInt(Integer.BYTES + text.length);
            out.write(text);
            untilReady();
        }

        private void untilReady() throws IOException {
            out.flush();
            byte kind;
            do {
                kind = in.readByte();
                in.skipNBytes(in.readInt() - Integer.BYTES);
            } while (kind != READY);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
