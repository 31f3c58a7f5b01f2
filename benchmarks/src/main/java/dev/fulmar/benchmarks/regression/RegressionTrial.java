package dev.fulmar.benchmarks.regression;

import dev.fulmar.benchmarks.regression.Verdict.Kind;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.sqlcheck.PostgresCluster;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts of the suite, one after the other, on a node and on PostgreSQL. Both keep what earlier scripts made, and
 * each script has a session of its own. For one thread.
 */
public final class RegressionTrial implements AutoCloseable {
    private static final String DATABASE = "regression";
    private static final String USER = "fulmar";

    private final Path suite;
    private final LocalDatabase database;
    private final PostgresCluster cluster;
    private final DocumentedDifferences documented;
    private final Consumer<String> trace;
    private final Divergence divergence = new Divergence();

    /** Files and numbers of all statements so far. */
    private final List<String> places = new ArrayList<>();

    private @Nullable WireClient node;
    private @Nullable WireClient reference;

    /**
     * @param suite the directory src/test/regress of PostgreSQL's sources
     * @param trace told of every statement that is not equal
     */
    public RegressionTrial(Path suite, Path installation, Consumer<String> trace) throws IOException, SQLException {
        this.suite = suite;
        this.trace = trace;
        documented = DocumentedDifferences.load();
        database = LocalDatabase.start(Map.of(
                "partitions",
                "2",
                "sites",
                "1",
                "durability",
                "none",
                "memory.limit",
                "2g",
                "postgres",
                "127.0.0.1:0"));
        try {
            cluster = PostgresCluster.start(installation, "password", PostgresCluster.FAST);
            cluster.connectToNew(DATABASE).close();
        } catch (IOException | SQLException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /** Runs a script, and judges its statements. */
    public FileOutcome run(String name) throws IOException {
        PsqlScript script =
                new PsqlScript(Files.readAllLines(suite.resolve("sql").resolve(name + ".sql"), StandardCharsets.UTF_8));
        List<Verdict> verdicts = new ArrayList<>();
        divergence.sessionBegins();
        try {
            int number = 0;
            for (String sql = script.next(); sql != null; sql = script.next()) {
                number++;
                places.add(name + " " + number);
                Verdict verdict = documented.judged(name, execute(number, sql, script));
                verdicts.add(verdict);
                if (verdict.kind() != Kind.EQUAL) {
                    trace.accept(name + " " + number + " " + verdict.kind() + " " + verdict.reason() + "\n    "
                            + sql.replace("\n", "\n    "));
                }
            }
        } finally {
            disconnect();
        }
        return new FileOutcome(name, verdicts);
    }

    private Verdict execute(int number, String sql, PsqlScript script) throws IOException {
        byte[] @Nullable [] data = {null};
        String statement = copyFromClient(sql, script, data);
        Answer theirs = reference().execute(statement, () -> {
            byte @Nullable [] known = data[0];
            data[0] = known == null ? script.data() : known;
            return data[0];
        });
        Answer ours;
        try {
            ours = node().execute(statement, () -> data[0]);
        } catch (SocketTimeoutException e) {
            ours = ended("the node does not answer");
        } catch (IOException e) {
            ours = ended("the node has ended the connection");
        }
        int origin = divergence.origin(statement);
        divergence.executed(places.size(), statement, ours, theirs);
        Verdict verdict = Comparison.judge(number, statement, ours, theirs);
        if (verdict.kind() == Kind.WRONG) {
            trace.accept("ours   " + shown(ours) + "\ntheirs " + shown(theirs));
        }
        boolean isOther =
                verdict.kind() == Kind.WRONG || (!ours.isError() && !ours.tag().equals(theirs.tag()));
        boolean follows = origin > 0 && (isOther || Divergence.isEffect(ours));
        return follows && verdict.kind() != Kind.EQUAL
                ? new Verdict(number, Kind.FOLLOWS, "follows from " + places.get(origin - 1))
                : verdict;
    }

    private static String shown(Answer answer) {
        String rows = answer.sorted().toString();
        return answer.sqlState() + " " + answer.columns() + " " + rows.substring(0, Math.min(2000, rows.length())) + " "
                + answer.tag();
    }

    private Answer ended(String how) throws IOException {
        WireClient client = node;
        node = null;
        if (client != null) {
            client.close();
        }
        return new Answer("08006", how, List.of(), List.of(), "", 'I');
    }

    /** Files of the suite are sent by the client, as psql's copy command does: they are none of the server's. */
    private String copyFromClient(String sql, PsqlScript script, byte[] @Nullable [] data) throws IOException {
        Path file = script.file(suite);
        if (!sql.contains(":'filename'") || file == null) {
            return sql;
        }
        data[0] = Files.readAllBytes(file);
        return sql.replace(":'filename'", "STDIN");
    }

    private WireClient node() throws IOException {
        WireClient client = node;
        if (client == null) {
            client = WireClient.connect(database.postgresPort(), USER, "", DATABASE);
            node = client;
            begin(client);
        }
        return client;
    }

    private WireClient reference() throws IOException {
        WireClient client = reference;
        if (client == null) {
            client = WireClient.connect(cluster.port(), PostgresCluster.USER, cluster.password(), DATABASE);
            reference = client;
            begin(client);
        }
        return client;
    }

    /** The zone is that of the suite; dates have the form ISO, which is the node's only one. */
    private static void begin(WireClient client) throws IOException {
        for (String sql : List.of("SET TimeZone = 'America/Los_Angeles'", "SET statement_timeout = '60s'")) {
            Answer answer = client.execute(sql, () -> null);
            if (answer.isError()) {
                throw new IOException(sql + " fails: " + answer.message());
            }
        }
    }

    private void disconnect() throws IOException {
        if (node != null) {
            node.close();
            node = null;
        }
        if (reference != null) {
            reference.close();
            reference = null;
        }
    }

    @Override
    public void close() throws IOException {
        disconnect();
        cluster.close();
        database.close();
    }
}
