package dev.fulmar.simulator.postgres;

import dev.fulmar.coordinator.DatabaseConfiguration;
import dev.fulmar.coordinator.portal.PortalLimits;
import dev.fulmar.coordinator.portal.Portals;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.Sessions;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.postgres.activity.SessionList;
import dev.fulmar.postgres.session.SessionServices;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.world.SimulatedDatabase;
import dev.fulmar.wire.session.SettingCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of one node from one seed whose clients send PostgreSQL's messages in any order, some of them broken. One
 * client beside them does its work. The run judges that the node takes no harm: no client waits for ever, no answer is
 * unreadable, nothing is left of clients that have gone, and the table of the good client has what it was told.
 */
public final class HostileRun {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long MOST_NANOS = 120 * SECOND_NANOS;
    private static final long SESSION_BYTES = 1 << 20;
    private static final int MOST_SESSIONS = 50;
    private static final int CLIENTS = 3;
    private static final int PARTITIONS = 3;
    private static final List<String> TABLES = List.of(
            "CREATE TABLE t (id INTEGER NOT NULL, v VARCHAR(100), PRIMARY KEY (id))",
            "PARTITION TABLE t ON COLUMN id",
            "CREATE TABLE work (id BIGINT NOT NULL, PRIMARY KEY (id))",
            "PARTITION TABLE work ON COLUMN id");

    private final long seed;
    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final SimulatedDatabase database;
    private final ByteBudget memory = new ByteBudget(4 << 20);
    private final List<String> violations = new ArrayList<>();
    private final List<HostileClient> clients = new ArrayList<>();
    private long messages;

    /**
     * The outcome of a run.
     *
     * @param messages that hostile clients have sent
     */
    public record Report(long seed, long hash, long events, long messages, List<String> violations) {
        public Report {
            violations = List.copyOf(violations);
        }
    }

    public HostileRun(long seed, SqlFrontend sql) {
        this.seed = seed;
        this.world = new SimulatedWorld(seed);
        this.process = world.startProcess(new NodeId(1));
        this.database = new SimulatedDatabase(
                world, process, DatabaseConfiguration.of(PARTITIONS, 1), sql, CommandLog.none(), null);
    }

    /** Does it all; called once. */
    public Report run() {
        try {
            database.start();
            TABLES.forEach(database::execute);
            Sessions sessions = new Sessions(
                    database.database(),
                    database.database().portals(),
                    process.clock(),
                    process.scheduler(),
                    process.random(),
                    SessionLimits.DEFAULT,
                    new ByteBudget(SESSION_BYTES),
                    MOST_SESSIONS);
            Portals portals = new Portals(
                    sessions,
                    database.database().portals(),
                    process.scheduler(),
                    PortalLimits.DEFAULT,
                    new ByteBudget(SESSION_BYTES));
            SessionServices services = new SessionServices(
                    portals,
                    sessions,
                    portals,
                    database.database().descriptions(),
                    memory,
                    SessionLimits.DEFAULT,
                    SettingCommand.RowPlace.PARTITIONED,
                    database.database().belongings().temporarySchemas(),
                    database.database().belongings().advisoryLocks(),
                    database.database().belongings().clientIds(),
                    process.scheduler(),
                    new SessionList(process.clock(), caller -> true));
            attack(services);
            judge(sessions, portals);
            database.stop();
        } catch (RuntimeException | Error defect) { // whatever breaks is what the run is for
            StringWriter trace = new StringWriter();
            defect.printStackTrace(new PrintWriter(trace));
            violations.add("a defect: " + trace);
        }
        return new Report(seed, world.hash(), world.executedEvents(), messages, violations);
    }

    private void attack(SessionServices services) {
        GoodClient good = new GoodClient(world, process, services, violations::add);
        good.work();
        for (int number = 1; number <= CLIENTS; number++) {
            RandomSource random = world.random("hostile-" + number);
            HostileClient client = new HostileClient(number, world, process, services, random, violations::add);
            clients.add(client);
            client.work();
        }
        if (!world.runUntil(() -> clients.stream().allMatch(HostileClient::isDone), MOST_NANOS)) {
            violations.add("a client waits for ever: "
                    + clients.stream()
                            .filter(client -> !client.isDone())
                            .map(HostileClient::toString)
                            .toList());
        }
        good.rest();
        if (!world.runUntil(good::isDone, MOST_NANOS)) {
            violations.add("the good client waits for ever");
        }
        messages = clients.stream().mapToLong(HostileClient::sent).sum();
        world.runFor(SECOND_NANOS);
        long rows = rows();
        if (rows != good.inserted()) {
            violations.add("the good client was told of " + good.inserted() + " rows, and there are " + rows);
        }
    }

    private long rows() {
        return Replies.decode(database.execute("SELECT COUNT(*) FROM work"))
                .tables()
                .getFirst()
                .getFirst()[0];
    }

    private void judge(Sessions sessions, Portals portals) {
        if (sessions.openTransactions() != 0 || sessions.takenBytes() != 0) {
            violations.add(sessions.openTransactions() + " transactions with " + sessions.takenBytes()
                    + " bytes are left, and no client");
        }
        if (portals.openPortals() != 0) {
            violations.add(portals.openPortals() + " portals are left, and no client");
        }
        if (memory.underWayBytes() != 0) {
            violations.add(memory.underWayBytes() + " bytes are left of clients that have gone");
        }
        violations.addAll(database.tableDefects());
    }
}
