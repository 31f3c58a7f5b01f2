package dev.fulmar.coordinator.change;

import dev.fulmar.coordinator.fiber.FiberFactory;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.DistributedCalls;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJar;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Makes one change of the catalog after the other. What takes long, compiling procedures for the new catalog, happens before the partitions
 * are locked; since changes come one at a time, the catalog that was compiled for is still the newest then. Thread-safe.
 */
public final class ChangeQueue {
    /** What is asked for. */
    private sealed interface Wish {
        record Change(CatalogChange change, CatalogEntry entry) implements Wish {}

        record Load(byte[] jar) implements Wish {}

        /** A version that another node made. */
        record Adopt(Catalog catalog, ProcedureJars jars, List<StorageStep> steps) implements Wish {}

        /** Partitions that were not led here when the last version was made. */
        record Refresh() implements Wish {}
    }

    private record Entry(Wish wish, Consumer<TransactionResponse> answer) {}

    /** What a wish comes to. */
    private record Prepared(Program next, List<StorageStep> steps, CatalogEntry entry) {}

    private final AtomicReference<Program> current;
    private final ProcedureLoader loader;
    private final LoadingLimits limits;
    private final FiberFactory fibers;
    private final DistributedCalls transactions;
    private final PartitionRuntimes runtimes;
    private final CatalogJournal journal;
    private final PartitionHomes homes;
    private final ConcurrentLinkedQueue<Entry> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();

    /** @param current the program that requests are routed by; replaced by every change */
    public ChangeQueue(
            AtomicReference<Program> current,
            ProcedureLoader loader,
            LoadingLimits limits,
            FiberFactory fibers,
            DistributedCalls transactions,
            PartitionRuntimes runtimes,
            CatalogJournal journal,
            PartitionHomes homes) {
        this.journal = journal;
        this.homes = homes;
        this.current = current;
        this.loader = loader;
        this.limits = limits;
        this.fibers = fibers;
        this.transactions = transactions;
        this.runtimes = runtimes;
    }

    /** Changes the catalog; the answer comes on some thread. The entry is what the change was made from. */
    public void apply(CatalogChange change, CatalogEntry entry, Consumer<TransactionResponse> answer) {
        enqueue(new Entry(new Wish.Change(change, entry), answer));
    }

    /** Brings a jar in; procedures from an earlier jar with the same classes are replaced. */
    public void load(byte[] jar, Consumer<TransactionResponse> answer) {
        enqueue(new Entry(new Wish.Load(jar), answer));
    }

    /** Takes on, in its turn, a version of the catalog that another node made. */
    public void adopt(Catalog catalog, ProcedureJars jars, List<StorageStep> steps) {
        adopt(new Wish.Adopt(catalog, jars, steps));
    }

    /** Partitions are led here from now on that may run with an earlier version of the catalog. */
    public void refresh() {
        adopt(new Wish.Refresh());
    }

    private void adopt(Wish wish) {
        enqueue(new Entry(wish, response -> {
            if (response instanceof TransactionResponse.Failed failed
                    && failed.code().category() == Category.RETRYABLE) {
                adopt(wish); // a partition went to another node meanwhile
            }
        }));
    }

    /** Changes that have no answer yet. */
    public int openCount() {
        return open.get();
    }

    private void enqueue(Entry entry) {
        waiting.add(entry);
        if (open.getAndIncrement() == 0) {
            startNext();
        }
    }

    private void startNext() {
        fibers.create("catalog-change", this::makeNext).start();
    }

    private void makeNext() {
        Entry entry = waiting.remove();
        Prepared prepared;
        try {
            prepared = prepare(entry.wish());
        } catch (FulmarException e) {
            finish(entry, Answers.failed(e));
            return;
        } catch (Throwable defect) { // whoever waits must hear of it, and the next change must get its turn
            finish(entry, Answers.defect(defect));
            return;
        }
        boolean isRefresh = entry.wish() instanceof Wish.Refresh;
        List<PartitionId> here = here();
        if (isRefresh ? here.isEmpty() : prepared.next() == current.get()) {
            finish(entry, CatalogTransaction.CHANGED);
            return;
        }
        if (here.isEmpty()) {
            switchOver(entry, prepared);
            return;
        }
        for (StorageStep step : prepared.steps()) {
            if (SlicedPreparation.isFor(step)) {
                prepareRows(entry, prepared, step);
                return;
            }
        }
        transact(entry, prepared);
    }

    /** What takes long is done while transactions run; on the partitions' threads, which must not go on with the change. */
    private void prepareRows(Entry entry, Prepared prepared, StorageStep step) {
        new SlicedPreparation(
                        here().stream().map(runtimes::of).toList(),
                        step,
                        failure -> fibers.create("catalog-change", () -> {
                                    if (failure == null) {
                                        transact(entry, prepared);
                                    } else {
                                        SlicedPreparation.discard(runtimes);
                                        finish(entry, Answers.failed(failure));
                                    }
                                })
                                .start())
                .start();
    }

    private void transact(Entry entry, Prepared prepared) {
        transactions.run(
                new CatalogTransaction(
                        runtimes,
                        here(),
                        prepared.steps(),
                        prepared.next(),
                        current::set,
                        journalOf(entry),
                        prepared.entry()),
                (response, restarts) -> {
                    if (prepared.steps().stream().anyMatch(SlicedPreparation::isFor)) {
                        SlicedPreparation.discard(
                                runtimes); // what was not used: the change failed, or a log made it there
                    }
                    finish(entry, response);
                });
    }

    /** What another node made is written down already. */
    private CatalogJournal journalOf(Entry entry) {
        return switch (entry.wish()) {
            case Wish.Change _, Wish.Load _ -> journal;
            case Wish.Adopt _, Wish.Refresh _ -> CatalogJournal.none();
        };
    }

    /** No partition is led here that would have to change. */
    private void switchOver(Entry entry, Prepared prepared) {
        try {
            journalOf(entry).append(prepared.next().catalog().version(), prepared.entry(), () -> {
                current.set(prepared.next());
                finish(entry, CatalogTransaction.CHANGED);
            });
        } catch (FulmarException e) {
            finish(entry, Answers.failed(e));
        }
    }

    private List<PartitionId> here() {
        List<PartitionId> here = new ArrayList<>();
        for (int partition = 0; partition < runtimes.count(); partition++) {
            if (homes.takesChanges(partition)) {
                here.add(new PartitionId(partition));
            }
        }
        return here;
    }

    private void finish(Entry entry, TransactionResponse response) {
        entry.answer().accept(response);
        if (open.decrementAndGet() != 0) {
            startNext();
        }
    }

    private Prepared prepare(Wish wish) {
        journal.check();
        Program program = current.get();
        return switch (wish) {
            case Wish.Adopt(Catalog catalog, ProcedureJars jars, List<StorageStep> steps) ->
                new Prepared(
                        catalog.version() > program.catalog().version() ? next(program, catalog, jars) : program,
                        steps,
                        new CatalogEntry.Untold());
            case Wish.Refresh _ -> new Prepared(program, List.of(), new CatalogEntry.Untold());
            case Wish.Change(CatalogChange change, CatalogEntry text) -> {
                CatalogEdit edit = CatalogEdit.of(resolved(change, program.jars()), program.catalog());
                boolean changes = edit.catalog() != program.catalog();
                yield new Prepared(
                        changes ? next(program, edit.catalog(), program.jars()) : program, edit.steps(), text);
            }
            case Wish.Load(byte[] bytes) -> {
                ProcedureJar jar = ProcedureJar.of(bytes, limits);
                Catalog catalog = ProcedureJars.replaced(program.catalog(), jar);
                yield new Prepared(
                        next(program, catalog, program.jars().with(jar)), List.of(), new CatalogEntry.Jar(bytes));
            }
        };
    }

    private Program next(Program program, Catalog catalog, ProcedureJars jars) {
        ProcedureRegistry registry = loader.load(catalog, jars, program.registry());
        return program.next(registry, jars);
    }

    /** Finds out which jar a procedure's class comes from. */
    public static CatalogChange resolved(CatalogChange change, ProcedureJars jars) {
        return change instanceof CatalogChange.CreateProcedure create
                ? new CatalogChange.CreateProcedure(jars.resolve(create.definition()), create.replace())
                : change;
    }
}
