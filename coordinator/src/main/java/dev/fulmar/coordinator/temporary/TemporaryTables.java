package dev.fulmar.coordinator.temporary;

import dev.fulmar.coordinator.membership.detection.LostNodes;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The schemas of temporary tables. A node drops those of its own sessions that are over, and so what an earlier life of
 * it has left behind. Those of a node that is lost are dropped by the node that makes the changes of the catalog. A
 * drop is safe at any moment, for a name is used once: a session whose tables are dropped finds none. Thread-safe.
 */
public final class TemporaryTables implements TemporarySchemas {
    private static final long PAUSE_NANOS = 1_000_000_000;

    /** So long a node that is not reached keeps its sessions' tables. */
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final AtomicReference<Program> current;
    private final PartitionHomes homes;
    private final NodeServices services;
    private final RandomSource random;
    private final LostNodes lost;
    private final BiConsumer<String, Consumer<TransactionResponse>> statements;
    private final AtomicBoolean stopped;
    private final ReentrantLock drawing = new ReentrantLock();
    private final Set<String> open = new ConcurrentSkipListSet<>();
    private final Set<String> busy = new ConcurrentSkipListSet<>();

    private final AtomicBoolean watching = new AtomicBoolean();

    /**
     * @param isReached whether a node is reached now
     * @param statements runs one, and hands its answer on, on whatever thread
     * @param stopped whether the database takes no more requests
     */
    public TemporaryTables(
            AtomicReference<Program> current,
            PartitionHomes homes,
            NodeServices services,
            Predicate<NodeId> isReached,
            BiConsumer<String, Consumer<TransactionResponse>> statements,
            AtomicBoolean stopped) {
        this.current = current;
        this.homes = homes;
        this.services = services;
        this.random = services.random().split("temporary tables");
        this.lost = new LostNodes(isReached, services.clock(), services.scheduler(), PATIENCE_NANOS);
        this.statements = statements;
        this.stopped = stopped;
    }

    @Override
    public String begin() {
        drawing.lock();
        try {
            String schema = SchemaName.temporary(services.node().number(), random.nextLong());
            Invariants.check(open.add(schema), "no two sessions have temporary tables in one schema");
            return schema;
        } finally {
            drawing.unlock();
        }
    }

    @Override
    public void end(String schema) {
        Invariants.check(open.remove(schema), "a session leaves the schema of its temporary tables once");
        use(current.get());
    }

    /** Another version of the catalog is used from now on. */
    public void use(Program program) {
        boolean isLeft = program.catalog().temporarySchemas().stream().anyMatch(schema -> !open.contains(schema));
        if (isLeft && !stopped.get() && watching.compareAndSet(false, true)) {
            services.scheduler().schedule(PAUSE_NANOS, this::look);
        }
    }

    private void look() {
        watching.set(false);
        if (stopped.get()) {
            return;
        }
        Program program = current.get();
        program.catalog().temporarySchemas().stream()
                .filter(schema -> !open.contains(schema) && isToDrop(SchemaName.nodeOf(schema)))
                .filter(busy::add)
                .forEach(schema -> statements.accept(removal(schema), _ -> busy.remove(schema)));
        use(program); // until there are none: what could not be dropped now is tried again
    }

    /** Whether what a session of the node has left behind is dropped here, and now. */
    private boolean isToDrop(int node) {
        return node == services.node().number() || (homes.changesCatalog() && lost.isLost(node));
    }

    private static String removal(String schema) {
        return TemporaryMark.added("DROP SCHEMA IF EXISTS \"" + schema + "\" CASCADE", schema);
    }
}
