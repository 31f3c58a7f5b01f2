package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.advisory.AdvisoryLocks;
import dev.fulmar.coordinator.portal.PortalRouter;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.session.ClientIds;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.SessionTransactions;
import dev.fulmar.coordinator.statement.StatementDescriber;
import dev.fulmar.coordinator.temporary.TemporarySchemas;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.postgres.activity.SessionList;
import dev.fulmar.wire.session.SettingCommand.RowPlace;

/**
 * The node's services that sessions use.
 *
 * @param router for statements outside of transactions
 * @param transactions for statements of transactions
 * @param portals for results in parts
 * @param describer for statements that are prepared
 * @param underWay memory of results that wait for their clients, and of rows that wait for the rest of their COPY
 * @param limits of transactions
 * @param usualPlace place of the rows of new tables of which nothing is said
 * @param temporary schemas of temporary tables
 * @param locks advisory locks
 * @param clientIds chooses the ids of clients
 * @param scheduler for pauses of clients
 * @param sessions of all clients of the node
 */
public record SessionServices(
        TransactionRouter router,
        SessionTransactions transactions,
        PortalRouter portals,
        StatementDescriber describer,
        ByteBudget underWay,
        SessionLimits limits,
        RowPlace usualPlace,
        TemporarySchemas temporary,
        AdvisoryLocks locks,
        ClientIds clientIds,
        Scheduler scheduler,
        SessionList sessions) {}
