package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.DatabaseFigures;
import dev.fulmar.coordinator.TableContents;
import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.planning.PlanningFigures;
import dev.fulmar.coordinator.portal.PortalFigures;
import dev.fulmar.coordinator.session.SessionFigures;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partition.counter.PartitionCounters;
import dev.fulmar.engine.partition.counter.SiteCounters;
import dev.fulmar.node.health.Readiness;
import dev.fulmar.node.jmx.FigureSource;
import dev.fulmar.node.jmx.ProcedureFigures;
import dev.fulmar.node.jmx.TableFigures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Source of the database's figures for the MXBeans. */
final class DatabaseFigureSource implements FigureSource {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Database database;
    private final ClientState clients;
    private final DatabaseFigures figures;
    private final MemoryBudget memory;
    private final Readiness readiness;
    private volatile List<TableFigures> tables = List.of();

    /** Question to the partitions that is not answered yet; for the sampling thread only. */
    private @Nullable CompletableFuture<List<TableContents>> question;

    DatabaseFigureSource(Database database, ClientState clients, MemoryBudget memory, Readiness readiness) {
        this.database = database;
        this.clients = clients;
        this.figures = database.figures();
        this.memory = memory;
        this.readiness = readiness;
    }

    /** Asks the partitions what the tables hold, unless they still owe an answer. */
    void askForTables() {
        CompletableFuture<List<TableContents>> open = question;
        if (open == null || open.isDone()) {
            CompletableFuture<List<TableContents>> asked = figures.tables();
            question = asked.whenComplete((contents, failure) -> {
                if (contents != null) {
                    tables =
                            contents.stream().map(DatabaseFigureSource::figures).toList();
                }
            });
        }
    }

    @Override
    public int siteCount() {
        return figures.siteCount();
    }

    @Override
    public SiteCounters site(int site) {
        return figures.site(site);
    }

    @Override
    public DurabilityMode durability() {
        Durability durability = database.durability();
        return durability == null ? DurabilityMode.NONE : durability.mode();
    }

    @Override
    public int partitionCount() {
        return figures.partitionCount();
    }

    @Override
    public int partitionsWithKeys() {
        return database.plans().newest().partitionsWithKeys();
    }

    @Override
    public PartitionCounters partition(int partition) {
        return figures.partition(partition);
    }

    @Override
    public int queueDepth(int partition) {
        return figures.queueDepth(partition);
    }

    @Override
    public double snapshotOldestSeconds(int partition) {
        return figures.snapshotOldestNanos(partition) / NANOS_PER_SECOND;
    }

    @Override
    public int liveTransactions() {
        return figures.liveTransactions();
    }

    @Override
    public boolean servesTransactions() {
        return readiness.isReady();
    }

    @Override
    public SessionFigures sessions() {
        return clients.sessions();
    }

    @Override
    public PortalFigures portals() {
        return clients.portals();
    }

    @Override
    public PlanningFigures planning() {
        return figures.planning();
    }

    @Override
    public long catalogVersion() {
        return database.catalog().version();
    }

    @Override
    public long memoryUsedBytes() {
        return memory.usedBytes();
    }

    @Override
    public long memoryLimitBytes() {
        return memory.limitBytes();
    }

    @Override
    public List<ProcedureFigures> procedures() {
        return figures.procedures().stream()
                .map(procedure -> new ProcedureFigures(
                        procedure.name(), procedure.committed(), procedure.failed(), procedure.latency()))
                .toList();
    }

    @Override
    public List<TableFigures> tables() {
        return tables;
    }

    private static TableFigures figures(TableContents contents) {
        Table table = contents.table();
        String partitioning = table.isReplicated() || table.hasRowId()
                ? ""
                : table.columns().get(table.partitioningColumn().getAsInt()).name();
        return new TableFigures(
                table.name(), partitioning, table.indexes().size(), contents.rows(), contents.memoryBytes());
    }
}
