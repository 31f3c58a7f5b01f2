package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The tables that statements of several steps are making, which no client sees yet: CREATE TABLE AS, and ALTER TABLE
 * where it places rows anew. The node that makes the changes of
 * the catalog drops those that no statement of its own is making. Their statements ended with a node, or with its turn
 * to make changes. A drop is safe at any moment, for a name is used once: the statement of a table that was dropped can
 * only fail. Thread-safe.
 */
final class UnfinishedTables {
    private static final long PAUSE_NANOS = 1_000_000_000;

    private final AtomicReference<Program> current;
    private final PartitionHomes homes;
    private final Scheduler scheduler;
    private final RandomSource random;
    private final BiConsumer<String, Runnable> statements;
    private final ReentrantLock drawing = new ReentrantLock();
    private final Set<String> busy = new ConcurrentSkipListSet<>();
    private final AtomicBoolean watching = new AtomicBoolean();
    private final AtomicReference<@Nullable Object> turn = new AtomicReference<>();
    private volatile boolean stopped;

    /** @param statements runs one, and then what it is given with it, on whatever thread */
    UnfinishedTables(
            AtomicReference<Program> current,
            PartitionHomes homes,
            Scheduler scheduler,
            RandomSource random,
            BiConsumer<String, Runnable> statements) {
        this.current = current;
        this.homes = homes;
        this.scheduler = scheduler;
        this.random = random;
        this.statements = statements;
    }

    /** A name for a table that a statement of this node begins to make. */
    String begin() {
        drawing.lock();
        try {
            // The version tells the names of one life of a node from those of the next, even where both draw the same
            // numbers.
            String name = SchemaName.pending(
                    random.nextLong() + current.get().catalog().version());
            busy.add(name);
            return name;
        } finally {
            drawing.unlock();
        }
    }

    /** Ends the statement; the table that it may have left behind is dropped. */
    void end(String name) {
        busy.remove(name);
        use(current.get());
    }

    /**
     * Takes the turn of a statement that writes as many rows as it reads at one snapshot; false while another has it.
     * Two at once would end each other's snapshots.
     */
    boolean takeTurn(Object statement) {
        return statement.equals(turn.get()) || turn.compareAndSet(null, statement);
    }

    /** Gives the turn back, if the statement has it. */
    void endTurn(Object statement) {
        turn.compareAndSet(statement, null);
    }

    /** The version of the catalog that is used from now on. */
    Program used(Program program) {
        use(program);
        return program;
    }

    private void use(Program program) {
        if (!in(program).isEmpty() && watching.compareAndSet(false, true)) {
            scheduler.schedule(PAUSE_NANOS, this::look);
        }
    }

    void stop() {
        stopped = true;
    }

    /**
     * The failure of a change on the table that this node makes itself. It knows whether the table was dropped: then
     * another node makes the changes of the catalog now.
     *
     * @param shown name that a client knows instead
     */
    Failed failureHere(String name, String shown, Failed failed) {
        return current.get().catalog().tables().containsKey(name)
                ? renamed(name, shown, failed)
                : failure(name, shown, failed);
    }

    /**
     * The failure of a statement that runs wherever its rows go: if the table was dropped, this node may be the last to
     * know.
     */
    static Failed failure(String name, String shown, Failed failed) {
        boolean isTakenAway =
                failed.code() == ErrorCode.UNKNOWN_OBJECT && failed.message().contains(name);
        return isTakenAway
                ? new Failed(
                        ErrorCode.NOT_CONNECTED,
                        "another node makes the changes of the catalog now; nothing was changed, send the statement again")
                : renamed(name, shown, failed);
    }

    /** Puts the name that a client knows into the failure. */
    static Failed renamed(String name, String shown, Failed failed) {
        return new Failed(failed.code(), failed.message().replace(name, shown));
    }

    private void look() {
        watching.set(false);
        if (stopped) {
            return;
        }
        Program program = current.get();
        if (homes.changesCatalog()) {
            in(program).stream()
                    .filter(busy::add)
                    .forEach(name -> statements.accept(CreateTableAsPlan.removal(name), () -> busy.remove(name)));
        }
        use(program); // until there are none: what could not be dropped now is tried again, perhaps by another node
    }

    private static List<String> in(Program program) {
        return program.catalog().pending().stream().map(Table::name).toList();
    }
}
