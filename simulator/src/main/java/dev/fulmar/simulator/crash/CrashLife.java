package dev.fulmar.simulator.crash;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.workload.ProcedureEditions;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One life of a database, from its recovery on, with its clients and their knowledge. */
final class CrashLife {
    private static final int CLIENTS = 4;
    private static final int MAX_THINK_NANOS = 200_000;
    private static final int MAX_CATALOG_PAUSE_NANOS = 1_500_000;
    private static final long MAX_EVENTS = 2_000_000;

    private final SimulatedWorld world;
    private final CrashWorkload workload;
    private final SimulatedDatabase database;
    private final CommitOrder order;
    private final long[] base;
    private final boolean movesKeys;
    private final @Nullable HistoryRecorder recorder;
    private final Consumer<String> violations;
    private final Map<Long, Ask> asks = new TreeMap<>();
    private final Map<Long, TransactionRequest> requests = new TreeMap<>();
    private final TreeMap<Long, Committed> acknowledged = new TreeMap<>();
    private final TreeSet<Long> open = new TreeSet<>();
    private final TreeMap<Long, Catalog> catalogs = new TreeMap<>();
    private final TreeMap<String, Integer> passingRows = new TreeMap<>();
    private long lastRequest;
    private long edition;
    private int working;
    private int catalogChanges;

    /**
     * @param base the workload's numbers at the beginning
     * @param lastRequest highest number of a request of an earlier life
     * @param recorder null if no history is kept
     */
    CrashLife(
            SimulatedWorld world,
            CrashSetup setup,
            SimulatedDatabase database,
            CommitOrder order,
            long[] base,
            long lastRequest,
            @Nullable HistoryRecorder recorder,
            Consumer<String> violations) {
        this.world = world;
        this.workload = setup.workload();
        this.movesKeys = setup.movesKeys();
        this.database = database;
        this.order = order;
        this.base = base.clone();
        this.lastRequest = lastRequest;
        this.recorder = recorder;
        this.violations = violations;
    }

    /** The states that a crash now may leave. */
    Expectation expectation() {
        List<List<CommitOrder.Commit>> orders = new ArrayList<>();
        for (int partition = 0; partition < workload.plan().partitionCount(); partition++) {
            orders.add(order.order(partition));
        }
        return new Expectation(workload, base, orders, asks, acknowledged.keySet(), open);
    }

    /**
     * The latest and the earliest requests that were answered with a commit and changed something. What changed nothing
     * may run again, for nobody remembers it.
     */
    List<TransactionRequest> acknowledgedEarlyAndLate(int most) {
        List<TransactionRequest> changing = new ArrayList<>();
        for (long id : acknowledged.keySet()) {
            TransactionRequest request = requests.get(id);
            Ask ask = asks.get(id);
            if (request != null && ask != null && changes(ask)) {
                changing.add(request);
            }
        }
        if (changing.size() <= most) {
            return changing;
        }
        List<TransactionRequest> chosen = new ArrayList<>(changing.subList(0, most / 2));
        chosen.addAll(changing.subList(changing.size() - most / 2, changing.size()));
        return chosen;
    }

    /** Whether it is what the request was answered at first. */
    boolean isFirstAnswer(long requestId, Committed again) {
        Committed first = acknowledged.get(requestId);
        return first != null
                && first.kind() == again.kind()
                && first.value() == again.value()
                && Arrays.equals(first.results(), again.results());
    }

    private boolean changes(Ask ask) {
        long[] numbers = new long[base.length];
        workload.apply(ask, numbers, partition -> true);
        return Arrays.stream(numbers).anyMatch(number -> number != 0);
    }

    long lastRequest() {
        return lastRequest;
    }

    int acknowledgedCount() {
        return acknowledged.size();
    }

    /** Changes of the catalog that were acknowledged. */
    int catalogChanges() {
        return catalogChanges;
    }

    /** The defect of a catalog that a crash now has left; null if it is right. */
    @Nullable String breach(Catalog recovered) {
        if (catalogs.isEmpty()) {
            return null;
        }
        Catalog newest = catalogs.lastEntry().getValue();
        if (recovered.version() < newest.version()) {
            return "the catalog has version " + recovered.version() + ", but " + newest.version() + " was acknowledged";
        }
        boolean same = recovered.tables().equals(newest.tables())
                && recovered.procedures().equals(newest.procedures())
                && recovered.functions().equals(newest.functions())
                && recovered.enumerations().equals(newest.enumerations());
        return recovered.version() == newest.version() && !same
                ? "the catalog of version " + newest.version() + " is another than was acknowledged"
                : null;
    }

    /** Rows that were acknowledged of tables that come and go, by the table's name. */
    SortedMap<String, Integer> passingRows() {
        return passingRows;
    }

    /** Starts the clients; each asks for so many things. */
    void begin(int asksEach, int catalogRounds) {
        catalogs.put(
                database.database().catalog().version(), database.database().catalog());
        for (int number = 1; number <= CLIENTS; number++) {
            working++;
            new Client(number, asksEach).think();
        }
        if (catalogRounds > 0) {
            working++;
            List<String> changes = new ArrayList<>();
            for (int round = 1; round <= catalogRounds; round++) {
                changes.addAll(workload.catalogChanges((int) (lastRequest % 100_000) * 10 + round));
            }
            changeCatalog(changes, world.random("catalog-" + lastRequest));
        }
    }

    /** Has the life go on until the task is run, too. */
    Runnable another() {
        working++;
        return () -> working--;
    }

    /** Runs the clients until the last has ended; the observer is called between any two events. */
    void finish(Runnable between) {
        for (long limit = world.executedEvents() + MAX_EVENTS;
                working > 0 && database.process().isAlive(); ) {
            if (world.executedEvents() >= limit || !world.step()) {
                throw new IllegalStateException("the database stands still");
            }
            between.run();
        }
    }

    private void changeCatalog(List<String> changes, SeededRandom random) {
        if (changes.isEmpty()) {
            working--;
            return;
        }
        String change = changes.getFirst();
        world.schedule(random.nextInt(MAX_CATALOG_PAUSE_NANOS), "catalog change", () -> {
            if (database.process().isAlive()) {
                submitChange(change, response -> {
                    if (response instanceof Committed) {
                        Catalog now = database.database().catalog();
                        catalogChanges += catalogs.put(now.version(), now) == null ? 1 : 0;
                    } else {
                        violations.accept(change + ": " + response);
                    }
                    changeCatalog(changes.subList(1, changes.size()), random);
                });
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whoever hears of the answer notes what is wrong with it
    private void submitChange(String change, Consumer<TransactionResponse> hear) {
        Consumer<TransactionResponse> alive = response -> {
            if (database.process().isAlive()) {
                hear.accept(response);
            }
        };
        if (change.equals(CrashWorkload.NEXT_EDITION)) {
            long next = ++edition;
            HistoryRecorder.@Nullable Pending record = recorder == null
                    ? null
                    : recorder.invoke(0, List.of(ProcedureEditions.written(ProcedureEditions.FIRST + next)));
            database.database()
                    .loadClasses(workload.jar(next))
                    .thenAccept(response -> alive.andThen(told -> {
                                if (record != null && database.process().isAlive()) {
                                    record.ok(
                                            List.of(ProcedureEditions.written(ProcedureEditions.FIRST + next)),
                                            OptionalLong.empty());
                                }
                            })
                            .accept(response));
            return;
        }
        if (change.startsWith(CrashWorkload.PASSING_ROW)) {
            addPassingRow(change, alive);
            return;
        }
        TransactionRequest request = new TransactionRequest.AdHoc(0, 0, 0, change, SimulatedDatabase.parameters());
        database.database().submit(request, (asked, response) -> alive.accept(response));
    }

    /** A commit as those of clients are, which changes no number. */
    private void addPassingRow(String statement, Consumer<TransactionResponse> hear) {
        long id = ++lastRequest;
        asks.put(id, new Ask(statement, true, new Object[0], false, null));
        open.add(id);
        TransactionRequest request =
                new TransactionRequest.AdHoc(CLIENTS + 1, id, 0, statement, SimulatedDatabase.parameters());
        database.database().submit(request, (asked, response) -> {
            if (database.process().isAlive()) {
                open.remove(id);
                if (response instanceof Committed committed) {
                    acknowledged.put(id, committed);
                    passingRows.merge(CrashWorkload.passingTable(statement), 1, Integer::sum);
                }
            }
            hear.accept(response);
        });
    }

    /** One request at a time. */
    private final class Client {
        private final int number;
        private final Supplier<Ask> source;
        private final SeededRandom random;
        private int remaining;

        Client(int number, int asks) {
            this.number = number;
            this.remaining = asks;
            this.source = workload.asks(world.random("asks-" + number + "-" + lastRequest));
            this.random = world.random("client-" + number + "-" + lastRequest);
        }

        void think() {
            if (remaining-- == 0) {
                working--;
                return;
            }
            world.schedule(random.nextInt(MAX_THINK_NANOS), "client " + number, this::ask);
        }

        private void ask() {
            if (!database.process().isAlive()) {
                return;
            }
            Ask ask = source.get();
            Wish wish = ask.wish();
            HistoryRecorder.@Nullable Pending record =
                    recorder == null || wish == null ? null : recorder.invoke(number, wish.writes());
            byte[] parameters = SimulatedDatabase.parameters(ask.arguments());
            long id = ++lastRequest;
            asks.put(id, ask);
            open.add(id);
            TransactionRequest request = ask.isStatement()
                    ? new TransactionRequest.AdHoc(number, id, 0, ask.text(), parameters)
                    : new TransactionRequest.Call(number, id, 0, ask.text(), parameters);
            requests.put(id, request);
            database.database().submit(request, (asked, response) -> answered(id, ask, record, response));
        }

        private void answered(
                long id, Ask ask, HistoryRecorder.@Nullable Pending record, TransactionResponse response) {
            if (!database.process().isAlive()) {
                return;
            }
            open.remove(id);
            switch (response) {
                case Committed committed -> {
                    acknowledged.put(id, committed);
                    ok(ask, record, committed);
                }
                case Failed(var code, String message, var _) -> {
                    if (record != null) {
                        record.failed();
                    }
                    boolean isMoved = movesKeys && code.category() == ErrorCode.Category.RETRYABLE;
                    if (!ask.mayRollBack() && !isMoved) {
                        violations.accept("an unexpected failure of " + ask.text() + ": " + code + " " + message);
                    }
                }
            }
            think();
        }

        private void ok(Ask ask, HistoryRecorder.@Nullable Pending record, Committed committed) {
            Wish wish = ask.wish();
            if (record == null || wish == null) {
                return;
            }
            try {
                record.ok(wish.done(Replies.decode(committed)), OptionalLong.empty());
            } catch (IllegalStateException wrong) {
                violations.accept("a wrong answer to " + ask.text() + ": " + wrong.getMessage());
            }
        }
    }
}
