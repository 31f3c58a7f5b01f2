package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.advisory.AdvisoryLockTable;
import dev.fulmar.coordinator.advisory.AdvisoryLocks;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.temporary.TemporarySchemas;
import dev.fulmar.coordinator.temporary.TemporaryTables;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.foundation.id.NodeId;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The objects that sessions of a node have beyond their transactions, and leave behind. Thread-safe. */
public final class SessionBelongings {
    private final TemporaryTables temporary;
    private final AdvisoryLockTable locks;
    private final ClientIds clientIds;

    /**
     * @param isReached whether a node is reached now
     * @param statements runs one, and hands its answer on, on whatever thread
     * @param stopped whether the database takes no more requests
     */
    public SessionBelongings(
            AtomicReference<Program> current,
            PartitionHomes homes,
            NodeServices services,
            Predicate<NodeId> isReached,
            BiConsumer<String, Consumer<TransactionResponse>> statements,
            AtomicBoolean stopped) {
        this.temporary = new TemporaryTables(current, homes, services, isReached, statements, stopped);
        this.locks = new AdvisoryLockTable(current, services, isReached, statements, stopped);
        this.clientIds = new HomeClientIds(current, homes);
    }

    /** The schemas of temporary tables. */
    public TemporarySchemas temporarySchemas() {
        return temporary;
    }

    /** The advisory locks. */
    public AdvisoryLocks advisoryLocks() {
        return locks;
    }

    /** The ids of clients that the node gives ones. */
    public ClientIds clientIds() {
        return clientIds;
    }

    /** Another version of the catalog is used from now on. */
    public void use(Program program) {
        temporary.use(program);
        locks.use(program);
    }
}
