package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A client that puts rows into tables while others change these, until it is told to rest. */
final class RowClient extends ThinkingClient {
    private static final long PATIENCE_NANOS = 12_000_000_000L;
    private static final long FIRST_CLIENT = 500;

    private final long number;
    private final SimulatedCluster cluster;
    private final ClusterAccess access;
    private final RandomSource random;
    private final CatalogKnowledge knowledge;
    private final AtomicLong lastRow;
    private NodeId home;
    private long lastRequest;

    RowClient(
            int number,
            SimulatedCluster cluster,
            ClusterAccess access,
            CatalogKnowledge knowledge,
            AtomicLong lastRow) {
        super(cluster.world(), "a client thinks of a row");
        this.number = FIRST_CLIENT + number;
        this.cluster = cluster;
        this.access = access;
        this.random = cluster.world().random("rows-" + number);
        this.knowledge = knowledge;
        this.lastRow = lastRow;
        this.home = cluster.idOf(number);
    }

    @Override
    long pauseNanos() {
        return random.nextInt(cluster.scenario().maxThinkNanos());
    }

    @Override
    void act() {
        List<ChangingTable> tables = knowledge.tables().stream()
                .filter(table -> !table.mayBeDropped())
                .toList();
        if (tables.isEmpty()) {
            think();
        } else {
            ChangingTable table = tables.get(random.nextInt(tables.size()));
            new Insertion(table, table.next(random, lastRow.incrementAndGet())).begin();
        }
    }

    /** A row that goes into a table. */
    private final class Insertion implements ClusterCall.Outcome {
        private final ChangingTable table;
        private final ChangingTable.Row row;
        private final @Nullable String procedure;
        private final ClusterCall call;

        Insertion(ChangingTable table, ChangingTable.Row row) {
            this.table = table;
            this.row = row;
            List<String> procedures = table.procedures();
            this.procedure = procedures.isEmpty() ? null : procedures.getLast();
            byte[] parameters = SimulatedDatabase.parameters(row.arguments());
            long id = ++lastRequest;
            TransactionRequest request = procedure == null
                    ? new TransactionRequest.AdHoc(number, id, 0, insert(table), parameters)
                    : new TransactionRequest.Call(number, id, 0, procedure, parameters);
            this.call = new ClusterCall(cluster, access, random, home, request, PATIENCE_NANOS, this);
        }

        void begin() {
            call.send();
        }

        @Override
        public void answered(TransactionResponse response, boolean isSure) {
            switch (response) {
                case Committed _ -> row.is(ChangingTable.RowState.THERE);
                case Failed failed -> failed(failed, isSure);
            }
            end();
        }

        private void failed(Failed failed, boolean isSure) {
            boolean isExpected = switch (failed.code()) {
                case CHECK_VIOLATION -> table.mayBreakCheck(row);
                case UNIQUE_VIOLATION -> table.mayBreakUnique(row);
                case UNKNOWN_OBJECT -> table.mayBeDropped();
                case UNKNOWN_PROCEDURE -> procedure != null && table.mayHaveLost(procedure);
                case DISK_FULL -> cluster.hasDisturbedDisk();
                default -> false;
            };
            if (!isExpected) {
                cluster.violation("row " + row + " was refused by " + table.name() + (isSure ? "" : " at last") + ": "
                        + failed.code() + " " + failed.message());
            } else {
                cluster.probes().reached(CatalogPath.ROW_REFUSED.name());
            }
            row.is(isSure ? ChangingTable.RowState.ABSENT : ChangingTable.RowState.UNKNOWN);
        }

        @Override
        public void unknown() {
            row.is(ChangingTable.RowState.UNKNOWN);
            end();
        }

        @Override
        public void noEffect() {
            row.is(ChangingTable.RowState.ABSENT);
            end();
        }

        private void end() {
            home = call.node();
            think();
        }
    }

    static String insert(ChangingTable table) {
        return "INSERT INTO " + table.name() + " (id, n, a) VALUES (?, ?, ?)";
    }
}
