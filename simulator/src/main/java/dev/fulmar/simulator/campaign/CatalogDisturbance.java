package dev.fulmar.simulator.campaign;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.ProbeCounts;
import dev.fulmar.simulator.workload.ProcedureEditions;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Changes the catalog while the clients run: replaces the procedures, and makes and drops indexes. */
final class CatalogDisturbance {
    private static final int KINDS = 7;

    private final SimulatedWorld world;
    private final SimulatedDatabase database;
    private final RandomSource random;
    private final int maxPauseNanos;
    private final HistoryRecorder recorder;
    private final Ledger ledger;
    private final ProbeCounts probes;
    private final Set<String> rebuilt = new TreeSet<>();
    private int extraIndexes;
    private boolean replacing;
    private long edition = ProcedureEditions.FIRST;

    /** @param maxPauseNanos between one change and the next */
    CatalogDisturbance(
            SimulatedWorld world,
            SimulatedDatabase database,
            int maxPauseNanos,
            HistoryRecorder recorder,
            Ledger ledger,
            ProbeCounts probes) {
        this.world = world;
        this.database = database;
        this.random = world.random("catalog");
        this.maxPauseNanos = maxPauseNanos;
        this.recorder = recorder;
        this.ledger = ledger;
        this.probes = probes;
    }

    /** Makes so many changes, with what belongs to them. */
    void start(int changes) {
        for (int i = 0; i < changes; i++) {
            switch (random.nextInt(KINDS)) {
                case 0 -> extraIndex();
                case 1 -> rebuild("entry_by_value", "entry (v)");
                case 2 -> rebuild("account_by_balance", "account (balance)");
                case 3, 4 -> rebuild("entry_by_key_and_value", "entry (k, v)");
                default -> replaceProcedures(2 + random.nextInt(3));
            }
        }
    }

    private void extraIndex() {
        String index = "extra_" + ++extraIndexes;
        change("CREATE INDEX " + index + " ON entry (n)", () -> change("DROP INDEX " + index, () -> {}));
    }

    /** Drops an index that statements use, and makes it anew from the rows; the same one not twice at a time. */
    private void rebuild(String index, String columns) {
        if (!rebuilt.add(index)) {
            extraIndex();
            return;
        }
        String make = "CREATE INDEX " + index + " ON " + columns;
        String again = index + "_" + ++extraIndexes;
        change(
                "CREATE INDEX " + again + " ON " + columns,
                () -> change("DROP INDEX " + index, () -> change(make, () -> change("DROP INDEX " + again, () -> {}))));
    }

    /**
     * Brings so many editions of the procedures in, one after another; a second author would wait for the first one.
     */
    private void replaceProcedures(int editions) {
        if (!replacing) {
            replacing = true;
            replaceNext(editions);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whoever hears of the answer notes what is wrong with it
    private void replaceNext(int remaining) {
        if (remaining == 0) {
            return;
        }
        ledger.sent();
        world.schedule(random.nextInt(maxPauseNanos), "procedures are replaced", () -> {
            long next = ++edition;
            HistoryRecorder.Pending record = recorder.invoke(0, List.of(ProcedureEditions.written(next)));
            database.database().loadClasses(ProcedureEditions.jar(next)).thenAccept(response -> {
                answered(response, "edition " + next, () -> {
                    record.ok(List.of(ProcedureEditions.written(next)), OptionalLong.empty());
                    probes.reached(RarePath.PROCEDURES_REPLACED.name());
                    replaceNext(remaining - 1);
                });
            });
        });
    }

    private void change(String ddl, Runnable then) {
        ledger.sent();
        TransactionRequest request = new TransactionRequest.AdHoc(0, 0, 0, ddl, SimulatedDatabase.parameters());
        world.schedule(
                random.nextInt(maxPauseNanos),
                "catalog change",
                () -> submit(
                        request,
                        response -> answered(response, ddl, () -> {
                            probes.reached(RarePath.CATALOG_CHANGE.name());
                            then.run();
                        })));
    }

    private void submit(TransactionRequest request, Consumer<TransactionResponse> hear) {
        database.database().submit(request, (asked, response) -> hear.accept(response));
    }

    private void answered(TransactionResponse response, String what, Runnable then) {
        ledger.answered();
        if (response instanceof Committed) {
            then.run();
        } else {
            ledger.violation(what + ": " + Replies.text(response));
        }
    }
}
