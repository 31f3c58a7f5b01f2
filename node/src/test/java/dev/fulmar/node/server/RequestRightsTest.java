package dev.fulmar.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.portal.PortalRouter;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.foundation.scram.ScramClient;
import dev.fulmar.node.admin.NodeControl;
import dev.fulmar.node.admin.SystemProcedureTable;
import dev.fulmar.node.audit.AuditTrail;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.proto.Hello;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.management.MBeanServerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every kind of request against every role, over real connections. A kind that is added without a row here fails
 * {@link #everyKindHasARow()}.
 */
@Timeout(180)
class RequestRightsTest {
    private static final String PASSWORD = "correct horse";
    private static final String ROOT = "ROOT";

    /** May nothing but connect. */
    private static final String NOBODY = "NOBODY";

    /** Each has one right, by a role of the same name with an R before it. */
    private static final Map<String, String> GRANTS = Map.of(
            "SELECTS", "SELECT ON t",
            "INSERTS", "INSERT ON t",
            "UPDATES", "UPDATE ON t",
            "DELETES", "DELETE ON t",
            "CHANGES", "SELECT, UPDATE, DELETE ON t",
            "WRITES", "INSERT, UPDATE ON t",
            "COUNTS", "UPDATE ON numbered",
            "EXECUTES", "EXECUTE ON PROCEDURE p",
            "DEFINES", "DDL",
            "ADMINISTERS", "ADMIN");

    /** @param allowed who may, besides the one who may everything */
    private record Row(String kind, String statement, Set<String> allowed) {}

    private static final List<Row> ROWS = rows();

    @TempDir
    private Path folder;

    private long requestId;

    private static Row row(String kind, String statement, String... allowed) {
        return new Row(kind, statement, new TreeSet<>(List.of(allowed)));
    }

    /** Everybody who has logged in. */
    private static String[] all() {
        List<String> all = new ArrayList<>(GRANTS.keySet());
        all.add(NOBODY);
        return all.toArray(String[]::new);
    }

    /** A statement that begins with a call's {@code EXEC} is a call; the others are statements. */
    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>(statements());
        rows.addAll(changes());
        rows.addAll(systemCalls());
        return rows;
    }

    private static List<Row> statements() {
        return List.of(
                row("Operation.Query", "SELECT id FROM t", "SELECTS", "CHANGES"),
                row("Operation.Query", "SELECT COUNT(*) FROM t", "SELECTS", "CHANGES"),
                row("Operation.Query", "SELECT 1 FROM t, u"),
                row("Operation.Query", "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM u)"),
                row("Operation.Query", "SELECT id FROM s", "SELECTS", "CHANGES"),
                row("Operation.Query", "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES", "DEFINES"),
                row("Operation.Query", "SELECT RELNAME FROM PG_CATALOG.PG_CLASS", "DEFINES"),
                row("Operation.Query", "SELECT TABLE_NAME FROM PG_INFORMATION_SCHEMA.TABLES", "DEFINES"),
                row("Operation.Query", "SELECT 1 FROM U&\"\\0049NFORMATION_SCHEMA\".TABLES", "DEFINES"),
                row("Operation.Query", "VALUES (1)", all()),
                row("Operation.Query", "SELECT nextval('numbered')", "COUNTS"),
                row("Operation.Query", "SELECT currval('numbered')"),
                row("Operation.Insert", "INSERT INTO t VALUES (1, 1)", "INSERTS", "WRITES"),
                row("Operation.Insert", "INSERT INTO t SELECT id, v FROM u"),
                row("Operation.Insert", "UPSERT INTO t VALUES (2, 1)", "WRITES"),
                row("Operation.Update", "UPDATE t SET v = 2 WHERE id = 1", "CHANGES"),
                row("Operation.Delete", "DELETE FROM t WHERE id = 1", "CHANGES"),
                row("Operation.Delete", "TRUNCATE TABLE t", "CHANGES"),
                row("Compiled.Explanation", "EXPLAIN SELECT id FROM t", "SELECTS", "CHANGES"),
                row("Compiled.Explanation", "EXPLAIN DELETE FROM t WHERE id = 1", "CHANGES"),
                row("Compiled.Explanation", "EXPLAIN CREATE TABLE n (a BIGINT)", "DEFINES"),
                row("Compiled.TableOfQuery", "CREATE TABLE made_of_t AS SELECT id FROM t"),
                row("Compiled.Call", "CALL p()", "EXECUTES"),
                row("Compiled.Call", "SELECT * FROM p()", "EXECUTES"),
                row("Compiled.Call", "CALL q()"),
                row("Compiled.Call", "CALL t.delete(3)", "DELETES", "CHANGES"),
                row("Operation.SELECT", "EXEC T.select 1", "SELECTS", "CHANGES"),
                row("Operation.INSERT", "EXEC T.insert 3 1", "INSERTS", "WRITES"),
                row("Operation.UPDATE", "EXEC T.update 3 1 3", "UPDATES", "CHANGES", "WRITES"),
                row("Operation.UPSERT", "EXEC T.upsert 3 1", "WRITES"),
                row("Operation.DELETE", "EXEC T.delete 3", "DELETES", "CHANGES"),
                row("Body.Sql", "EXEC p", "EXECUTES"),
                row("Body.Sql", "EXEC P", "EXECUTES"),
                row("Body.Sql", "EXEC q"));
    }

    private static List<Row> changes() {
        return List.of(
                row("CatalogChange.CreateTable", "CREATE TABLE n (a BIGINT)", "DEFINES"),
                row("CatalogChange.AlterTable", "ALTER TABLE u ADD COLUMN w BIGINT", "DEFINES"),
                row("CatalogChange.CreateView", "CREATE VIEW n AS SELECT id FROM u", "DEFINES"),
                row(
                        "CatalogChange.CreateMaterializedView",
                        "CREATE MATERIALIZED VIEW IF NOT EXISTS k AS SELECT id, COUNT(*) AS c FROM u GROUP BY id",
                        "DEFINES"),
                row("CatalogChange.DropView", "DROP VIEW IF EXISTS nowhere", "DEFINES"),
                row("CatalogChange.RenameIndex", "ALTER INDEX nowhere RENAME TO elsewhere", "DEFINES"),
                row("CatalogChange.DropTable", "DROP TABLE IF EXISTS nowhere", "DEFINES"),
                row("CatalogChange.CreateSchema", "CREATE SCHEMA IF NOT EXISTS k2", "DEFINES"),
                row("CatalogChange.DropSchema", "DROP SCHEMA IF EXISTS nowhere", "DEFINES"),
                row("CatalogChange.CreateSequence", "CREATE SEQUENCE numbers", "DEFINES"),
                row("CatalogChange.AlterSequence", "ALTER SEQUENCE numbered INCREMENT BY 2", "DEFINES"),
                row("CatalogChange.RestartSequence", "SELECT setval('numbered', 7)", "COUNTS"),
                row("CatalogChange.RestartSequence", "ALTER SEQUENCE numbered RESTART WITH 7", "COUNTS"),
                row("CatalogChange.DropSequence", "DROP SEQUENCE IF EXISTS nowhere", "DEFINES"),
                row("CatalogChange.Comment", "COMMENT ON TABLE t IS 'rows'", "DEFINES"),
                row("CatalogChange.PartitionTable", "PARTITION TABLE nowhere ON COLUMN a", "DEFINES"),
                row("CatalogChange.CreateIndex", "CREATE INDEX i ON nowhere (a)", "DEFINES"),
                row("CatalogChange.DropIndex", "DROP INDEX IF EXISTS nowhere", "DEFINES"),
                row("CatalogChange.CreateProcedure", "CREATE PROCEDURE r AS SELECT 1 FROM t", "DEFINES"),
                row("CatalogChange.AlterProcedure", "ALTER PROCEDURE nowhere LOG VALUES", "DEFINES"),
                row("CatalogChange.DropProcedure", "DROP PROCEDURE IF EXISTS nowhere", "DEFINES"),
                row(
                        "CatalogChange.CreateFunction",
                        "CREATE FUNCTION f(v BIGINT) RETURNS BIGINT RETURN v + 1",
                        "DEFINES"),
                row("CatalogChange.DropFunction", "DROP FUNCTION IF EXISTS nowhere", "DEFINES"),
                row("CatalogChange.CreateEnumeration", "CREATE TYPE e AS ENUM ('a')", "DEFINES"),
                row("CatalogChange.AddLabel", "ALTER TYPE nowhere ADD VALUE 'b'", "DEFINES"),
                row("CatalogChange.RenameLabel", "ALTER TYPE nowhere RENAME VALUE 'a' TO 'b'", "DEFINES"),
                row("CatalogChange.DropEnumeration", "DROP TYPE IF EXISTS nowhere", "DEFINES"),
                row("AccessChange.CreateUser", "CREATE USER other PASSWORD '12345678'", "ADMINISTERS"),
                row("AccessChange.AlterUser", "ALTER USER other PASSWORD '12345678'", "ADMINISTERS"),
                row("AccessChange.AlterUser", "ALTER USER root PASSWORD '" + PASSWORD + "'", "ADMINISTERS"),
                row("AccessChange.AlterUser", "ALTER USER nobody PASSWORD '" + PASSWORD + "'", NOBODY, "ADMINISTERS"),
                row("AccessChange.CreateRole", "CREATE ROLE another", "ADMINISTERS"),
                row("AccessChange.Drop", "DROP USER IF EXISTS nowhere", "ADMINISTERS"),
                row("AccessChange.Rights", "GRANT SELECT ON u TO other", "ADMINISTERS"),
                row("AccessChange.Membership", "GRANT rselects TO other", "ADMINISTERS"));
    }

    private static List<Row> systemCalls() {
        return List.of(
                row("@PING", "EXEC @Ping", all()),
                row("@ADHOC", "EXEC @AdHoc SELECT~id~FROM~t", "SELECTS", "CHANGES"),
                row("@ADHOC", "EXEC @AdHoc CREATE~USER~x~PASSWORD~'12345678'", "ADMINISTERS"),
                row("@SESSION", "EXEC @Session 1 BEGIN", all()),
                row("@SESSION", "EXEC @Session 1 SELECT~id~FROM~t", "SELECTS", "CHANGES"),
                row("@SESSION", "EXEC @Session 1 INSERT~INTO~t~VALUES~(9,1)", "INSERTS", "WRITES"),
                row("@SESSION", "EXEC @Session 1 CALL~p()"),
                row("@SESSION", "EXEC @Session 1 ROLLBACK", all()),
                row("@PORTAL", "EXEC @Portal 1 5 SELECT~id~FROM~t", "SELECTS", "CHANGES"),
                row("@PORTAL", "EXEC @Portal 1 0", all()),
                row("@EXPLAIN", "EXEC @Explain SELECT~id~FROM~t", "SELECTS", "CHANGES"),
                row("@CATALOG", "EXEC @Catalog TABLES", all()),
                row("@CATALOG", "EXEC @Catalog USERS", "ADMINISTERS"),
                row("@CATALOG", "EXEC @Catalog GRANTS", "ADMINISTERS"),
                row("@STATISTICS", "EXEC @Statistics NODE", "ADMINISTERS"),
                row("@LOADCLASSES", "EXEC @LoadClasses", "ADMINISTERS"),
                row("@JARS", "EXEC @Jars", "ADMINISTERS"),
                row("@USERS", "EXEC @Users", "ADMINISTERS"),
                row("@RECONFIGURE", "EXEC @Reconfigure STATUS", "ADMINISTERS"),
                row("@BACKUP", "EXEC @Backup", "ADMINISTERS"),
                row("@RESTART", "EXEC @Restart", "ADMINISTERS"),
                row("@SHUTDOWN", "EXEC @Shutdown", "ADMINISTERS")); // last: it is allowed in the end
    }

    @Test
    void everyKindHasARow() {
        Set<String> wanted = new TreeSet<>();
        for (Class<?> family :
                List.of(CatalogChange.class, AccessChange.class, SqlFrontend.Compiled.class, Operation.class)) {
            add(wanted, family);
        }
        add(wanted, ProcedureDefinition.Body.class);
        Arrays.stream(ProcedureDefinition.RowAccess.Operation.values()).forEach(one -> wanted.add("Operation." + one));
        wanted.addAll(systemProcedures());
        // No request makes these: a subsystem of the node does.
        wanted.removeAll(Set.of("CatalogChange.UsePlan", "CatalogChange.HandOver", "CatalogChange.Retarget"));
        // Each of these is many rows, and a class runs like an SQL procedure.
        wanted.removeAll(Set.of(
                "CatalogChange.ChangeAccess",
                "Compiled.Runnable",
                "Compiled.Change",
                "Body.JavaClass",
                "Body.RowAccess"));
        Set<String> found = new TreeSet<>();
        ROWS.forEach(row -> found.add(row.kind));
        assertThat(found).isEqualTo(wanted);
    }

    /** All lead to what the rows say, and further kinds would need rows. Scripts are made of what @Session brings. */
    @Test
    void requestsComeAsCallsOrStatementsOnly() {
        Set<String> requests = new TreeSet<>();
        add(requests, TransactionRequest.class);
        assertThat(requests)
                .containsExactly("TransactionRequest.AdHoc", "TransactionRequest.Call", "TransactionRequest.Script");
        assertThat(FrameKind.values())
                .containsExactlyInAnyOrder(
                        FrameKind.HELLO,
                        FrameKind.AUTHENTICATION,
                        FrameKind.BIND,
                        FrameKind.PROCEDURE_CALL,
                        FrameKind.STATEMENT_CALL,
                        // Of a call that the same client sent.
                        FrameKind.CANCEL,
                        FrameKind.WELCOME,
                        FrameKind.PROCEDURE_REPLY,
                        FrameKind.CONNECTION_ERROR,
                        FrameKind.GOODBYE,
                        FrameKind.TOPOLOGY,
                        FrameKind.BOUND,
                        FrameKind.CATALOG);
    }

    private static void add(Set<String> names, Class<?> family) {
        for (Class<?> kind : family.getPermittedSubclasses()) {
            names.add(family.getSimpleName() + "." + kind.getSimpleName());
        }
    }

    private static <T> T proxy(Class<T> port) {
        return port.cast(
                Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException();
                }));
    }

    private static Set<String> systemProcedures() {
        return new SystemProcedureTable(
                        (request, sink) -> {},
                        (number, statement, sink) -> {},
                        proxy(PortalRouter.class),
                        proxy(NodeControl.class),
                        MBeanServerFactory.newMBeanServer(),
                        0,
                        Runnable::run,
                        AuditTrail.none())
                .names();
    }

    private FulmarNode start(Map<String, String> more) throws IOException {
        Path administrator = folder.resolve("administrator");
        Files.createFile(
                administrator, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(administrator, "root:" + PASSWORD + "\n");
        TreeMap<String, String> settings = new TreeMap<>(Map.of(
                "listen", "127.0.0.1:0",
                "authentication", "true",
                "security.administrator", administrator.toString(),
                "jmx", "false",
                "memory.limit", "64m",
                "partitions", "2",
                "sites", "1"));
        settings.putAll(more);
        return FulmarNode.start(NodeConfiguration.of(settings));
    }

    private static WireClient login(FulmarNode node, String user) throws IOException {
        return login(node.address(), user);
    }

    private static WireClient login(HostAddress address, String user) throws IOException {
        WireClient client = new WireClient(address);
        client.send(
                FrameKind.HELLO,
                Hello.newBuilder().setOldestVersion(1).setNewestVersion(2).build());
        ScramClient scram =
                new ScramClient(user, ScramClient.PasswordSalting.of(PASSWORD), ChannelBinding.none(), "nonce", "1-2");
        client.send(FrameKind.AUTHENTICATION, scram.first());
        client.authentication();
        client.send(FrameKind.AUTHENTICATION, scram.last(client.authentication()));
        scram.finish(client.authentication());
        client.read(FrameKind.WELCOME);
        return client;
    }

    private @Nullable ErrorCode run(WireClient client, String text) throws IOException {
        requestId++;
        if (text.startsWith("EXEC ")) {
            String[] words = text.split(" ");
            ParameterWriter writer = new ParameterWriter(64, 1 << 12);
            for (String word : Arrays.asList(words).subList(2, words.length)) {
                if (Character.isDigit(word.charAt(0))) {
                    writer.addObject(Long.valueOf(word));
                } else {
                    writer.addObject(word.replace('~', ' '));
                }
            }
            client.call(requestId, 0, words[1], writer.toByteArray());
        } else {
            client.statement(requestId, text);
        }
        int status = client.reply().getStatus();
        return status == 0 ? null : ErrorCode.ofNumber(status);
    }

    @Test
    void everybodyMayWhatIsGrantedAndNothingElse() throws Exception {
        try (FulmarNode node = start(Map.of());
                WireClient root = login(node, "Root")) {
            for (String statement : List.of(
                    "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, v BIGINT)",
                    "CREATE TABLE u (id BIGINT NOT NULL PRIMARY KEY, v BIGINT)",
                    "CREATE SEQUENCE numbered CACHE 5",
                    "CREATE VIEW s AS SELECT id FROM t",
                    "CREATE PROCEDURE p AS SELECT COUNT(*) FROM u",
                    "CREATE PROCEDURE q AS SELECT COUNT(*) FROM u",
                    "CREATE USER nobody PASSWORD '" + PASSWORD + "'")) {
                assertThat(run(root, statement)).as(statement).isNull();
            }
            Map<String, WireClient> clients = new LinkedHashMap<>();
            clients.put(NOBODY, login(node, NOBODY));
            for (Map.Entry<String, String> grant : new TreeMap<>(GRANTS).entrySet()) {
                String user = grant.getKey();
                run(root, "CREATE USER " + user + " PASSWORD '" + PASSWORD + "'");
                run(root, "CREATE ROLE r" + user);
                run(root, "GRANT " + grant.getValue() + " TO r" + user);
                assertThat(run(root, "GRANT r" + user + " TO " + user)).isNull();
                clients.put(user, login(node, user.toLowerCase(Locale.ROOT)));
            }
            clients.put(ROOT, root);
            for (Row row : ROWS) {
                check(row, clients);
            }
        }
    }

    @Test
    void nobodyAdministersWhereThatIsDoneElsewhere() throws Exception {
        try (FulmarNode node = start(Map.of("listen-administration", "127.0.0.1:0"));
                WireClient here = login(node, ROOT);
                WireClient there = login(node.administrationAddress(), ROOT)) {
            for (String statement : List.of(
                    "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, v BIGINT)",
                    "CREATE TABLE u (id BIGINT NOT NULL PRIMARY KEY, v BIGINT)",
                    "CREATE SEQUENCE numbered CACHE 5",
                    "CREATE VIEW s AS SELECT id FROM t",
                    "CREATE PROCEDURE p AS SELECT COUNT(*) FROM u",
                    "CREATE PROCEDURE q AS SELECT COUNT(*) FROM u",
                    "CREATE USER nobody PASSWORD '" + PASSWORD + "'")) {
                assertThat(run(there, statement)).as(statement).isNull();
            }
            for (Row row : ROWS) {
                boolean isOwnPassword = row.statement.startsWith("ALTER USER " + ROOT.toLowerCase(Locale.ROOT));
                boolean isAdministration = !row.allowed.isEmpty()
                        && Set.of("ADMINISTERS", NOBODY).containsAll(row.allowed)
                        && !isOwnPassword;
                boolean ends = row.kind.equals("@SHUTDOWN") || row.kind.equals("@RESTART");
                if (isAdministration) {
                    assertThat(run(here, row.statement)).as(row.statement).isEqualTo(ErrorCode.PERMISSION_DENIED);
                }
                if (!ends) {
                    assertThat(run(isAdministration ? there : here, row.statement))
                            .as(row.statement)
                            .isNotEqualTo(ErrorCode.PERMISSION_DENIED);
                }
            }
        }
    }

    /** Those who may not come first, for one who may could stop the node. */
    private void check(Row row, Map<String, WireClient> clients) throws IOException {
        for (Map.Entry<String, WireClient> client : clients.entrySet()) {
            if (!row.allowed.contains(client.getKey()) && !client.getKey().equals(ROOT)) {
                assertThat(run(client.getValue(), row.statement))
                        .as("%s of %s", row.statement, client.getKey())
                        .isEqualTo(ErrorCode.PERMISSION_DENIED);
            }
        }
        boolean ends = row.kind.equals("@SHUTDOWN");
        for (Map.Entry<String, WireClient> client : clients.entrySet()) {
            if (row.allowed.contains(client.getKey()) || (client.getKey().equals(ROOT) && !ends)) {
                assertThat(run(client.getValue(), row.statement))
                        .as("%s of %s", row.statement, client.getKey())
                        .isNotEqualTo(ErrorCode.PERMISSION_DENIED);
            }
        }
    }
}
