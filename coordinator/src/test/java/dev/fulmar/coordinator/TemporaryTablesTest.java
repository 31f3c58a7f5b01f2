package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.change.CatalogEdit;
import dev.fulmar.coordinator.fiber.SteppedFibers;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.routing.Route;
import dev.fulmar.coordinator.temporary.TemporaryTables;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.NodeServices;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The moments at which a node drops temporary tables. */
class TemporaryTablesTest {
    private static final long SECOND = 1_000_000_000;
    private static final String OF_THIS_NODE = SchemaName.temporary(1, 7);
    private static final String OF_ANOTHER = SchemaName.temporary(2, 7);

    private final ManualScheduler time = new ManualScheduler();
    private final AtomicReference<Program> current = new AtomicReference<>(Program.empty(PartitionPlan.hash(1)));
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Set<NodeId> reached = new TreeSet<>();
    private final List<String> dropped = new ArrayList<>();
    private boolean isBusy;
    private boolean changesCatalog = true;

    private final TemporaryTables tables = new TemporaryTables(
            current,
            homes(),
            new NodeServices(new NodeId(1), time, time, new SeededRandom(3), new SteppedFibers(), () -> -1),
            reached::contains,
            this::run,
            stopped);

    private PartitionHomes homes() {
        return new PartitionHomes() {
            @Override
            public Route route(int partition) {
                return Route.LOCAL;
            }

            @Override
            public boolean changesCatalog() {
                return changesCatalog;
            }

            @Override
            public void pass(int partition, TransactionRequest request, ResponseSink sink) {
                throw new AssertionError(request);
            }
        };
    }

    private void run(String sql, Consumer<TransactionResponse> then) {
        dropped.add(TemporaryMark.of(sql));
        then.accept(isBusy ? new Failed(ErrorCode.SERVER_BUSY, "busy; try again") : Answers.CHANGED);
    }

    /** The catalog has these tables from now on. */
    private void have(String... names) {
        Catalog catalog = Catalog.empty();
        for (String name : names) {
            catalog = CatalogEdit.of(SteppedDatabase.table(name), catalog).catalog();
        }
        ProcedureLoader loader = new ProcedureLoader(new TinySql(), any -> null, time, LoadingLimits.DEFAULT);
        current.set(Program.empty(PartitionPlan.hash(1))
                .next(loader.load(catalog, ProcedureJars.NONE, ProcedureRegistry.empty()), ProcedureJars.NONE));
        tables.use(current.get());
    }

    @Test
    void tablesStayAsLongAsTheirSession() {
        String schema = tables.begin();
        assertThat(tables.begin()).isNotEqualTo(schema);
        have(schema + ".T", "T");
        time.advance(10 * SECOND);
        assertThat(dropped).isEmpty();
        tables.end(schema);
        time.advance(2 * SECOND);
        assertThat(dropped).contains(schema);
        have("T");
        time.advance(2 * SECOND);
        assertThat(time.taskCount()).isZero();
    }

    @Test
    void oneThatIsMadeBehindTheEndOfItsSessionGoesToo() {
        String schema = tables.begin();
        tables.end(schema);
        have(schema + ".T");
        time.advance(2 * SECOND);
        assertThat(dropped).contains(schema);
    }

    @Test
    void whatAnEarlierLifeHasLeftIsDroppedUntilItIsGone() {
        isBusy = true;
        have(OF_THIS_NODE + ".T");
        time.advance(3 * SECOND);
        assertThat(dropped).hasSizeGreaterThan(1).containsOnly(OF_THIS_NODE);
    }

    @Test
    void tablesOfAnotherNodeGoOnceItIsLostForLong() {
        reached.add(new NodeId(2));
        have(OF_ANOTHER + ".T");
        time.advance(100 * SECOND);
        assertThat(dropped).isEmpty();
        reached.clear();
        time.advance(50 * SECOND);
        reached.add(new NodeId(2));
        time.advance(5 * SECOND);
        reached.clear();
        time.advance(50 * SECOND);
        assertThat(dropped).isEmpty();
        time.advance(20 * SECOND);
        assertThat(dropped).contains(OF_ANOTHER);
    }

    @Test
    void oneNodeDropsThoseOfALostOne() {
        changesCatalog = false;
        have(OF_ANOTHER + ".T");
        time.advance(200 * SECOND);
        assertThat(dropped).isEmpty();
    }

    @Test
    void aSchemaThatAUserHasMadeStays() {
        Catalog catalog = Catalog.empty().withSchemas(new TreeSet<>(Set.of(OF_THIS_NODE)));
        assertThat(CatalogEdit.of(SteppedDatabase.table(OF_THIS_NODE + ".T"), catalog)
                        .catalog()
                        .temporarySchemas())
                .isEmpty();
    }

    @Test
    void aDatabaseThatStopsDropsNothing() {
        have(OF_THIS_NODE + ".T");
        stopped.set(true);
        time.advance(5 * SECOND);
        assertThat(dropped).isEmpty();
        assertThat(time.taskCount()).isZero();
    }
}
