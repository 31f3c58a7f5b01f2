package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.portal.Portals;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.Sessions;
import dev.fulmar.coordinator.session.SettingStatements;
import dev.fulmar.coordinator.statement.StatementDescriber;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.config.PortalConfiguration;
import dev.fulmar.node.config.TransactionConfiguration;
import dev.fulmar.postgres.activity.SessionList;
import dev.fulmar.postgres.session.SessionServices;
import dev.fulmar.wire.session.SettingCommand;

/** The transactions and the portals that the node's clients have open; both end with their connections. */
record ClientState(Sessions sessions, Portals portals, SettingStatements statements, Clock clock, Scheduler scheduler) {
    static ClientState of(
            Database database,
            SqlFrontend sql,
            NodeConfiguration configuration,
            Clock clock,
            Scheduler scheduler,
            RandomSource random) {
        TransactionConfiguration transactions = configuration.transactions();
        Sessions sessions = new Sessions(
                database,
                database.portals(),
                clock,
                scheduler,
                random,
                transactions.limits(),
                new ByteBudget(transactions.memoryBytes()),
                transactions.mostOpen());
        PortalConfiguration portals = configuration.portals();
        // A part ends with the row that goes beyond, and both have to fit into one reply.
        int mostBytes = Math.max(1, configuration.server().limits().resultBytes() / 2);
        Portals opened = new Portals(
                sessions,
                database.portals(),
                scheduler,
                portals.limits().withPartsUpTo(mostBytes),
                new ByteBudget(portals.memoryBytes()));
        SettingCommand.RowPlace usual = configuration.partitions().partitionsByKey()
                ? SettingCommand.RowPlace.PARTITIONED
                : SettingCommand.RowPlace.REPLICATED;
        return new ClientState(sessions, opened, new SettingStatements(opened, sessions, sql, usual), clock, scheduler);
    }

    /** Services for the sessions of PostgreSQL's clients. */
    SessionServices services(
            StatementDescriber describer, Database database, ByteBudget underWay, SessionLimits limits) {
        return new SessionServices(
                statements,
                statements,
                portals,
                describer,
                underWay,
                limits,
                statements.usual(),
                database.belongings().temporarySchemas(),
                database.belongings().advisoryLocks(),
                database.belongings().clientIds(),
                scheduler,
                new SessionList(clock, caller -> AccessControl.administers(caller, database.catalog())));
    }
}
