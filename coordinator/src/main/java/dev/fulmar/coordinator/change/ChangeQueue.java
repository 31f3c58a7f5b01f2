package dev.fulmar.coordinator.change;

import static dev.fulmar.coordinator.change.HandOffPreparations.afterwards;

import dev.fulmar.coordinator.fiber.FiberFactory;
import dev.fulmar.coordinator.planning.PlanningClaim;
import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.DistributedCalls;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJar;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Queue that makes the catalog's changes one after another: compiles procedures for the next catalog, prepares rows,
 * and runs the {@link CatalogTransaction}. It compiles before the partitions are locked, because that takes long. Since
 * changes come one at a time, the catalog that was compiled for is still the newest then. Thread-safe.
 */
public final class ChangeQueue {
    /** Time that a change waits for partitions without a primary. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private static final long RETRY_NANOS = 100_000_000;

    /** The task of an entry. */
    private sealed interface Wish {
        record Change(EditSource source, CatalogEntry entry, ChangeHandle handle) implements Wish {}

        record Load(byte[] jar, ChangeHandle handle) implements Wish {}

        /** A change that another node is about to make, and who hears how far it is here. */
        record Foreign(long version, CatalogEntry entry, CatalogJournal journal) implements Wish {}

        /** A version that another node made. */
        record Adopt(Catalog catalog, ProcedureJars jars, List<StorageStep> steps) implements Wish {}

        /** Later versions do not count after all. */
        record FallBack(Catalog catalog, ProcedureJars jars) implements Wish {}

        /** Partitions that were not led here when the last version was made. */
        record Refresh() implements Wish {}
    }

    /** Makes the edit of a change when its turn has come, or says why there is none. */
    interface EditSource {
        CatalogEdit edit(Program program);
    }

    /**
     * @param claim who waits for what is planned for it
     * @param nanos since when, on the monotonic clock
     */
    private record Entry(Wish wish, PlanningClaim claim, Consumer<TransactionResponse> answer, long nanos) {}

    /** The program, storage steps and log entry of a prepared wish. */
    private record Prepared(Program next, List<StorageStep> steps, CatalogEntry entry) {}

    private final AtomicReference<Program> current;
    private final Consumer<Program> used;
    private final ProcedureLoader loader;
    private final LoadingLimits limits;
    private final NodeServices services;
    private final FiberFactory fibers;
    private final PlanningQueue planning;
    private final DistributedCalls transactions;
    private final PartitionRuntimes runtimes;
    private final CatalogJournal journal;
    private final PartitionHomes homes;
    private final EntryEdit edits;
    private final JointChanges joint = new JointChanges();
    private final ConcurrentLinkedDeque<Entry> waiting = new ConcurrentLinkedDeque<>();
    private final AtomicInteger open = new AtomicInteger();

    private final HandOffPreparations handOffs;
    private final Hindrances hindrances;

    /**
     * @param current the program that requests are routed by; replaced by every change
     * @param used told of every program that it is replaced by
     */
    public ChangeQueue(
            AtomicReference<Program> current,
            Consumer<Program> used,
            ProcedureLoader loader,
            LoadingLimits limits,
            NodeServices services,
            DistributedCalls transactions,
            PartitionRuntimes runtimes,
            CatalogJournal journal,
            PartitionHomes homes,
            SqlFrontend sql,
            PlanningQueue planning) {
        this.edits = new EntryEdit(sql, ChangeQueue::notOfCatalog);
        this.planning = planning;
        this.journal = journal;
        this.homes = homes;
        this.handOffs = new HandOffPreparations(homes);
        this.hindrances = new Hindrances(services.clock(), journal::hindered);
        this.current = current;
        this.used = used;
        this.loader = loader;
        this.limits = limits;
        this.services = services;
        this.fibers = services.fibers();
        this.transactions = transactions;
        this.runtimes = runtimes;
    }

    /** Changes the catalog; the answer comes on some thread. The entry is what the change was made from. */
    public void apply(
            CatalogChange change, CatalogEntry entry, ChangeHandle handle, Consumer<TransactionResponse> answer) {
        apply(change, entry, handle, ofNode(), answer);
    }

    /** Changes the catalog for a client that waits for the planning of the change only for a limited time. */
    public void apply(
            CatalogChange change,
            CatalogEntry entry,
            ChangeHandle handle,
            PlanningClaim claim,
            Consumer<TransactionResponse> answer) {
        enqueue(new Wish.Change(program -> edit(change, program), entry, handle), claim, answer);
    }

    /** Makes the changes of a transaction as one, if they can be made still. */
    public void join(
            CatalogEntry.Joint entry, ChangeHandle handle, PlanningClaim claim, Consumer<TransactionResponse> answer) {
        EditSource source = program -> joint.edit(handle, () -> edits.of(entry, program.catalog(), program.jars()));
        enqueue(new Wish.Change(source, entry, handle), claim, answer);
    }

    /** Says whether the changes of a transaction were made under the handle. If not they never will be. */
    public void ask(ChangeHandle handle, Consumer<TransactionResponse> answer) {
        EditSource source = _ -> {
            throw joint.refuse(handle);
        };
        enqueue(new Wish.Change(source, new CatalogEntry.Untold(), handle), ofNode(), answer);
    }

    /** Compiles the procedures for a catalog that is none yet; fails if one cannot run with it. */
    public void compile(Catalog catalog, Program program) {
        next(program, catalog, program.jars());
    }

    private PlanningClaim ofNode() {
        return PlanningClaim.ofNode(this);
    }

    /** Brings a jar in; procedures from an earlier jar with the same classes are replaced. */
    public void load(byte[] jar, ChangeHandle handle, PlanningClaim claim, Consumer<TransactionResponse> answer) {
        enqueue(new Wish.Load(jar, handle), claim, answer);
    }

    /** Whether the change that was asked for under the handle is made, and in use. */
    public boolean isMade(ChangeHandle handle) {
        long version = versionMadeUnder(handle);
        return version != 0 && version <= current.get().catalog().version();
    }

    private long versionMadeUnder(ChangeHandle handle) {
        return handle.isNone() ? 0 : journal.versionMadeUnder(handle);
    }

    /**
     * Tries, in its turn, a change that another node is about to make, up to where the journal logs it. The journal
     * says when it counts.
     *
     * @param version to which it leads
     */
    public void tryOut(long version, CatalogEntry entry, CatalogJournal foreign, Consumer<TransactionResponse> answer) {
        enqueue(new Wish.Foreign(version, entry, foreign), ofNode(), answer);
    }

    /** Takes on, in its turn, a version of the catalog that another node made. */
    public void adopt(Catalog catalog, ProcedureJars jars, List<StorageStep> steps) {
        adopt(new Wish.Adopt(catalog, jars, steps));
    }

    /**
     * Returns, in its turn, to a version of the catalog, if a later one is in use. No partition is led here then. A
     * later version that comes into use before that turn is settled, so it stays.
     */
    public void fallBack(Catalog catalog, ProcedureJars jars) {
        if (catalog.version() < current.get().catalog().version()) {
            adopt(new Wish.FallBack(catalog, jars));
        }
    }

    /** Partitions are led here from now on that may run with an earlier version of the catalog. */
    public void refresh() {
        adopt(new Wish.Refresh());
    }

    private void adopt(Wish wish) {
        enqueue(wish, ofNode(), response -> {});
    }

    public HandOffPreparations handOffs() {
        return handOffs;
    }

    /** Changes that have no answer yet. */
    public int openCount() {
        return open.get();
    }

    private void enqueue(Wish wish, PlanningClaim claim, Consumer<TransactionResponse> answer) {
        waiting.add(new Entry(wish, claim, answer, services.clock().monotonicNanos()));
        if (open.getAndIncrement() == 0) {
            startNext();
        }
    }

    private void startNext() {
        make(waiting.remove());
    }

    private void make(Entry entry) {
        planning.submitSurely(entry.claim(), () -> makeNext(entry), refusal -> finish(entry, Answers.failed(refusal)));
    }

    private void makeNext(Entry entry) {
        Prepared prepared;
        try {
            prepared = prepare(entry.wish());
        } catch (FulmarException e) {
            finishFailed(entry, Answers.failed(e));
            return;
        } catch (Throwable defect) { // whoever waits must hear of it, and the next change must get its turn
            finish(entry, Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
            return;
        }
        boolean isRefresh = entry.wish() instanceof Wish.Refresh;
        List<PartitionId> here = here();
        if (isRefresh ? here.isEmpty() : prepared.next() == current.get()) {
            finishUnchanged(entry, Answers.CHANGED);
            return;
        }
        Consumer<@Nullable FulmarException> goesOn = failure -> goOn(entry, prepared, failure);
        boolean mayFail = entry.wish() instanceof Wish.Change || entry.wish() instanceof Wish.Foreign;
        List<HandOff> leaving = mayFail ? handOffs.of(prepared.steps()) : List.of();
        if (entry.wish() instanceof Wish.Foreign) {
            Runnable announces = () -> announce(entry, prepared, goesOn);
            prepareRows(prepared, afterwards(goesOn, () -> handOffs.prepare(leaving, afterwards(goesOn, announces))));
        } else if (leaving.isEmpty()) {
            BothEnded both = new BothEnded(goesOn);
            prepareRows(prepared, both);
            announce(entry, prepared, both);
        } else { // calls wait once this is prepared, so it comes last
            announce(entry, prepared, afterwards(goesOn, () -> handOffs.prepare(leaving, goesOn)));
        }
    }

    private void finishUnchanged(Entry entry, TransactionResponse response) {
        switch (entry.wish()) {
            case Wish.Change _, Wish.Load _ ->
                journal.confirm(() -> finish(entry, response), lost -> finish(entry, Answers.failed(lost)));
            case Wish.Foreign _, Wish.Adopt _, Wish.FallBack _, Wish.Refresh _ -> finish(entry, response);
        }
    }

    /**
     * Answers with a failure; one that blames the request waits until this node is confirmed as the catalog's primary.
     * A former primary may have judged by a catalog or rows that others have changed since.
     */
    private void finishFailed(Entry entry, TransactionResponse response) {
        if (response instanceof TransactionResponse.Failed failed
                && failed.code().category() == Category.USER) {
            journalOf(entry).withdraw(); // while it is confirmed, nobody waits for the change
            finishUnchanged(entry, response);
        } else {
            finish(entry, response);
        }
    }

    /**
     * Prepares rows, which takes long, while transactions run. The end may be reported on a partition's thread, which
     * must not go on with the change.
     */
    private void prepareRows(Prepared prepared, Consumer<@Nullable FulmarException> ended) {
        List<PartitionId> here = here();
        Optional<StorageStep> sliced = SlicedPreparation.of(prepared.steps());
        if (sliced.isPresent() && !here.isEmpty()) {
            new SlicedPreparation(
                            here.stream().map(runtimes::of).toList(),
                            sliced.get(),
                            prepared.next().catalog().version(),
                            partition -> homes.takesChanges(partition.number()),
                            ended)
                    .start();
            return;
        }
        ended.accept(null);
    }

    private void announce(Entry entry, Prepared prepared, Consumer<@Nullable FulmarException> ended) {
        journalOf(entry).announce(prepared.next().catalog().version(), prepared.entry(), ended);
    }

    private void goOn(Entry entry, Prepared prepared, @Nullable FulmarException failure) {
        fibers.create("catalog-change", () -> {
                    if (failure != null) {
                        SlicedPreparation.discard(runtimes);
                        finishFailed(entry, Answers.failed(failure));
                    } else if (here().isEmpty()) {
                        switchOver(entry, prepared);
                    } else {
                        transact(entry, prepared);
                    }
                })
                .start();
    }

    private void transact(Entry entry, Prepared prepared) {
        CatalogJournal told = journalOf(entry);
        transactions.run(
                new CatalogTransaction(
                        runtimes,
                        here(),
                        prepared.steps(),
                        prepared.next(),
                        program -> use(entry, program),
                        told,
                        prepared.entry()),
                journal.isShared() ? prepared.next().catalog().version() : 0,
                live -> told.begun(why -> live.cancel(why.code(), String.valueOf(why.getMessage()))),
                (response, restarts) -> {
                    if (prepared.steps().stream().anyMatch(SlicedPreparation::isFor)) {
                        SlicedPreparation.discard(
                                runtimes); // what was not used: the change failed, or a log made it there
                    }
                    finishFailed(entry, response);
                });
    }

    /** The journal of an entry; a version that another node made is logged already. */
    private CatalogJournal journalOf(Entry entry) {
        return switch (entry.wish()) {
            case Wish.Change _, Wish.Load _ -> journal;
            case Wish.Foreign foreign -> foreign.journal();
            case Wish.Adopt _, Wish.FallBack _, Wish.Refresh _ -> CatalogJournal.none();
        };
    }

    /** No partition is led here that would have to change. */
    private void switchOver(Entry entry, Prepared prepared) {
        try {
            journalOf(entry)
                    .append(
                            prepared.next().catalog().version(),
                            prepared.entry(),
                            List.of(),
                            0,
                            _ -> {
                                use(entry, prepared.next());
                                finish(entry, Answers.CHANGED);
                            },
                            lost -> finish(entry, Answers.failed(lost)));
        } catch (FulmarException e) {
            finish(entry, Answers.failed(e));
        }
    }

    private void use(Entry entry, Program next) {
        Invariants.check(
                entry.wish() instanceof Wish.FallBack
                        || next.catalog().version() >= current.get().catalog().version(),
                "a coordinator's changes of the catalog lead to later versions");
        current.set(next);
        used.accept(next);
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
        if (!(response instanceof TransactionResponse.Committed)) {
            journalOf(entry).withdraw();
            if (response instanceof TransactionResponse.Failed failed && isWorthAnotherTry(entry, failed)) {
                hindrances.met(entry, entry.nanos(), failed);
                services.scheduler().schedule(RETRY_NANOS, () -> again(entry));
                return;
            }
        }
        entry.answer().accept(response);
        int left = open.decrementAndGet();
        Invariants.check(left >= 0, "a coordinator ends each change of the catalog once");
        if (left != 0) {
            startNext();
        }
    }

    /**
     * A client's change may fail for want of one that waits behind it and is due in any case, so that one goes first.
     */
    private void again(Entry entry) {
        Optional<Entry> first = isDue(entry.wish())
                ? Optional.empty()
                : waiting.stream().filter(other -> isDue(other.wish())).findFirst();
        first.ifPresent(due -> {
            waiting.remove(due);
            waiting.addFirst(entry);
        });
        make(first.orElse(entry));
    }

    /** Whether it follows from a version that counts. Those are done in their order, however often they are tried. */
    private static boolean isDue(Wish wish) {
        return switch (wish) {
            case Wish.Adopt _, Wish.FallBack _, Wish.Refresh _ -> true;
            case Wish.Change _, Wish.Load _, Wish.Foreign _ -> false;
        };
    }

    private boolean isWorthAnotherTry(Entry entry, TransactionResponse.Failed failed) {
        return switch (entry.wish()) {
            // Where partitions are about to be led by other nodes, a change waits for these.
            case Wish.Change _, Wish.Load _ ->
                failed.code() == ErrorCode.NOT_CONNECTED
                        && homes.changesCatalog()
                        && services.clock().monotonicNanos() - entry.nanos() < PATIENCE_NANOS;
            // It counts, whatever hinders it here: a partition that went to another node meanwhile, or too little
            // memory. Later versions wait, for their steps go on from this one.
            case Wish.Adopt _, Wish.FallBack _, Wish.Refresh _ -> true;
            case Wish.Foreign _ -> false;
        };
    }

    private Prepared prepare(Wish wish) {
        Program program = current.get();
        if (wish instanceof Wish.Change || wish instanceof Wish.Load) {
            journal.check();
            if (!homes.knowsCatalog()) {
                throw notYet(); // before rows are prepared in vain
            }
        }
        return switch (wish) {
            case Wish.Foreign(long version, CatalogEntry text, var _) -> foreign(version, text, program);
            case Wish.Adopt(Catalog catalog, ProcedureJars jars, List<StorageStep> steps) ->
                new Prepared(
                        catalog.version() > program.catalog().version() ? next(program, catalog, jars) : program,
                        steps,
                        new CatalogEntry.Untold());
            case Wish.FallBack(Catalog catalog, ProcedureJars jars) ->
                new Prepared(
                        catalog.version() < program.catalog().version() ? next(program, catalog, jars) : program,
                        List.of(),
                        new CatalogEntry.Untold());
            case Wish.Refresh _ -> new Prepared(program, List.of(), new CatalogEntry.Untold());
            case Wish.Change(EditSource source, CatalogEntry text, ChangeHandle handle) ->
                versionMadeUnder(handle) == 0
                        ? changed(source.edit(program), text.askedUnder(handle), program)
                        : madeBefore(handle, program);
            case Wish.Load(byte[] bytes, ChangeHandle handle) ->
                versionMadeUnder(handle) == 0
                        ? loaded(bytes, new CatalogEntry.Jar(bytes).askedUnder(handle), program)
                        : madeBefore(handle, program);
        };
    }

    /** A change that is asked for again. */
    private Prepared madeBefore(ChangeHandle handle, Program program) {
        if (!isMade(handle)) {
            throw notYet(); // it may not count
        }
        return new Prepared(program, List.of(), new CatalogEntry.Untold());
    }

    private static CatalogEdit edit(CatalogChange change, Program program) {
        if (change instanceof CatalogChange.UsePlan usePlan) {
            program.checkSuccessor(usePlan.plan());
        }
        return CatalogEdit.of(EntryEdit.resolved(change, program.jars()), program.catalog());
    }

    private Prepared changed(CatalogEdit edit, CatalogEntry text, Program program) {
        boolean changes = edit.catalog() != program.catalog();
        return new Prepared(changes ? next(program, edit.catalog(), program.jars()) : program, edit.steps(), text);
    }

    private Prepared loaded(byte[] bytes, CatalogEntry entry, Program program) {
        ProcedureJar jar = ProcedureJar.of(bytes, limits);
        Catalog replaced = ProcedureJars.replaced(program.catalog(), jar);
        // Nodes know changes by the version to which they lead, so each leads to one.
        Catalog catalog =
                journal.isShared() && replaced == program.catalog() ? replaced.withAccess(replaced.access()) : replaced;
        return new Prepared(next(program, catalog, program.jars().with(jar)), List.of(), entry);
    }

    private Prepared foreign(long version, CatalogEntry entry, Program program) {
        if (!homes.knowsCatalog()) {
            throw notYet();
        }
        if (version <= program.catalog().version()) {
            throw changedMeanwhile();
        }
        Prepared prepared = foreign(entry instanceof CatalogEntry.Asked asked ? asked.what() : entry, program);
        if (prepared.next().catalog().version() != version) {
            throw notYet();
        }
        return prepared;
    }

    private Prepared foreign(CatalogEntry entry, Program program) {
        if (entry instanceof CatalogEntry.Jar(byte[] bytes)) {
            return loaded(bytes, entry, program);
        }
        if (entry instanceof CatalogEntry.Plan plan) {
            program.checkSuccessor(plan.plan());
        }
        return changed(edits.of(entry, program.catalog(), program.jars()), entry, program);
    }

    private static FulmarException notOfCatalog() {
        return new FulmarException(ErrorCode.MALFORMED_REQUEST, "a node sent a statement that changes no catalog");
    }

    private static FulmarException notYet() {
        return new FulmarException(
                ErrorCode.NOT_CONNECTED,
                "a node that leads partitions does not have the newest catalog yet; nothing was changed, send the"
                        + " statement again");
    }

    /**
     * A former primary of the catalog announced the change; to refuse its statement would say what it does not know.
     */
    private static FulmarException changedMeanwhile() {
        return new FulmarException(
                ErrorCode.NOT_CONNECTED,
                "another node has changed the catalog meanwhile; nothing was changed, send the statement again");
    }

    private Program next(Program program, Catalog catalog, ProcedureJars jars) {
        ProcedureRegistry registry = loader.load(catalog, jars, program.registry());
        return program.next(registry, jars);
    }
}
