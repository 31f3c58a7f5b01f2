package dev.fulmar.coordinator;

import dev.fulmar.coordinator.planning.PlanningFigures;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.coordinator.transaction.ProcedureFigures;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.Site;
import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.partition.counter.PartitionCounters;
import dev.fulmar.engine.partition.counter.SiteCounters;
import dev.fulmar.engine.table.TableCheck;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The counters and gauges of a database, for monitoring. Every call reads the newest figures; any thread. */
public final class DatabaseFigures {
    private final PartitionRuntimes runtimes;
    private final List<Site> sites;
    private final Supplier<Program> program;
    private final IntSupplier liveTransactions;
    private final long versionBytes;
    private final Supplier<PlanningFigures> planning;

    DatabaseFigures(
            PartitionRuntimes runtimes,
            List<Site> sites,
            Supplier<Program> program,
            IntSupplier liveTransactions,
            long versionBytes,
            Supplier<PlanningFigures> planning) {
        this.runtimes = runtimes;
        this.sites = sites;
        this.program = program;
        this.liveTransactions = liveTransactions;
        this.versionBytes = versionBytes;
        this.planning = planning;
    }

    /**
     * The calls of one procedure on all partitions.
     *
     * @param distributed calls that ran as multi-partition transactions; part of the others
     * @param restarts attempts of those that were undone for an older transaction
     * @param latency from the arrival of a request to its reply
     */
    public record Procedure(
            String name, long committed, long failed, long distributed, long restarts, LatencyHistogram latency) {}

    public int partitionCount() {
        return runtimes.count();
    }

    public PartitionCounters partition(int partition) {
        return runtimes.all().get(partition).partition().counters();
    }

    /** Requests that wait for the partition, roughly. */
    public int queueDepth(int partition) {
        return runtimes.all().get(partition).partition().inbox().depth();
    }

    /** Age of the oldest reader of a snapshot at the partition, 0 if there is none. */
    public long snapshotOldestNanos(int partition) {
        Partition shown = runtimes.all().get(partition).partition();
        return shown.counters().snapshotsActive.get() == 0
                ? 0
                : Math.max(
                        0,
                        shown.clock().monotonicNanos()
                                - shown.counters().snapshotsOldestNanos.get());
    }

    /** Memory that versions take at the partition for readers of snapshots. */
    public long versionBytes(int partition) {
        return partition(partition).versionBytes.get();
    }

    /** The most of the memory for versions that they have taken at the partition so far, as a share of the cap. */
    public double highestVersionShare(int partition) {
        return (double) partition(partition).versionBytesHighest.get() / versionBytes;
    }

    public PlanningFigures planning() {
        return planning.get();
    }

    public int siteCount() {
        return sites.size();
    }

    public SiteCounters site(int site) {
        return sites.get(site).counters();
    }

    /** Messages and transactions that all sites have handled: it grows while they have work. */
    public long handled() {
        long handled = 0;
        for (int site = 0; site < sites.size(); site++) {
            handled += sites.get(site).counters().handled.get();
        }
        return handled;
    }

    /** Multi-partition transactions under way. */
    public int liveTransactions() {
        return liveTransactions.getAsInt();
    }

    /** Every procedure that there is or was, and ad hoc SQL. */
    public List<Procedure> procedures() {
        List<String> names = program.get().names();
        List<Procedure> procedures = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            procedures.add(procedure(names.get(i), i));
        }
        return procedures;
    }

    /**
     * The sizes of all tables, as the partitions report between two transactions; never completes once the database has
     * stopped.
     */
    public CompletableFuture<List<TableContents>> tables() {
        return TableContents.of(program.get().catalog().withoutPending(), runtimes);
    }

    /**
     * Contradictions between indexes and their tables; empty if there are none. Each partition checks between two
     * transactions, which wait for it. Never completes once the database has stopped.
     */
    public CompletableFuture<List<String>> tableDefects() {
        Collection<Table> tables = program.get().catalog().tables().values();
        List<CompletableFuture<List<String>>> found = new ArrayList<>();
        for (PartitionRuntime runtime : runtimes.all()) {
            CompletableFuture<List<String>> defects = new CompletableFuture<>();
            runtime.partition().inbox().put((PartitionTask)
                    partition -> defects.complete(TableCheck.defects(runtime.storage(), tables)));
            found.add(defects);
        }
        return CompletableFuture.allOf(found.toArray(CompletableFuture[]::new))
                .thenApply(done -> found.stream()
                        .flatMap(defects -> defects.join().stream())
                        .toList());
    }

    /** Time from the arrival of a request to its reply, of all calls on the partitions of this node. */
    public LatencyHistogram latency() {
        LatencyHistogram latency = new LatencyHistogram();
        for (PartitionRuntime runtime : runtimes.all()) {
            for (ProcedureFigures figures : runtime.figures()) {
                latency.add(figures.latency);
            }
        }
        return latency;
    }

    private Procedure procedure(String name, int index) {
        long committed = 0;
        long failed = 0;
        long distributed = 0;
        long restarts = 0;
        LatencyHistogram latency = new LatencyHistogram();
        for (PartitionRuntime runtime : runtimes.all()) {
            ProcedureFigures[] figures = runtime.figures();
            if (index < figures.length) {
                committed += figures[index].committed.get();
                failed += figures[index].failed.get();
                distributed += figures[index].distributed.get();
                restarts += figures[index].restarts.get();
                latency.add(figures[index].latency);
            }
        }
        return new Procedure(name, committed, failed, distributed, restarts, latency);
    }
}
