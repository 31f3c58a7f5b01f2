package dev.fulmar.benchmarks.survival;

import dev.fulmar.benchmarks.survival.procedure.Extend;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Clients that load the node until it ends. They append to one chain and to several, update all partitions, read, and
 * change the catalog.
 */
final class Load {
    private static final int APPENDERS = 2;
    private static final int WINDOW = 12;
    private static final int MOST_CHAINS = 5;
    private static final int CHECKPOINT_LOOK_MILLIS = 40;
    private static final String[] SINGLE = {"ExtendCommand", "ExtendValues", "ExtendEither"};

    private final Chapter chapter;
    private final FulmarClient client;
    private final Witness witness;
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    Load(Chapter chapter, FulmarClient client, Witness witness) {
        this.chapter = chapter;
        this.client = client;
        this.witness = witness;
    }

    void start(SplittableRandom random, CatalogChanges changes) {
        for (int i = 0; i < APPENDERS; i++) {
            SplittableRandom own = random.split();
            begin("appender-" + i, () -> append(own));
        }
        SplittableRandom many = random.split();
        begin("many", () -> appendMany(many));
        SplittableRandom reader = random.split();
        begin("reader", () -> read(reader));
        SplittableRandom changer = random.split();
        begin("catalog", () -> changes.run(client, witness, over, changer));
        begin("checkpoints", this::watchCheckpoints);
    }

    private void begin(String name, Runnable task) {
        threads.add(Thread.ofPlatform().name("survival-" + name).start(() -> {
            try {
                task.run();
            } catch (FulmarException late) {
                witness.problem(name + " ended: " + late.code() + " " + late.getMessage());
            }
        }));
    }

    /** The node is gone: ends the clients, and waits for them. */
    void finish() throws InterruptedException {
        over.set(true);
        client.close(); // else calls that were not sent would wait for another connection
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the handler takes every outcome
    private void append(SplittableRandom random) {
        Semaphore window = new Semaphore(WINDOW);
        while (!over.get()) {
            window.acquireUninterruptibly();
            long chain = chain(random);
            Append append = witness.begin(chain);
            client.callAsync(SINGLE[random.nextInt(SINGLE.length)], chain, append.number(), chapter.note(random))
                    .whenComplete((result, failure) -> {
                        if (result != null) {
                            long told = result.longValue();
                            append.acknowledged(told / Extend.EDITIONS, told % Extend.EDITIONS);
                        } else {
                            failed(append, failure);
                        }
                        window.release();
                    });
        }
        window.acquireUninterruptibly(WINDOW);
    }

    private void failed(Append append, Throwable failure) {
        if (!(failure instanceof FulmarException known)) {
            witness.problem("an append failed without a code: " + failure);
        } else if (!witness.leavesOpen(known, "an append")) {
            append.hadNoEffect();
        }
    }

    private void appendMany(SplittableRandom random) {
        while (!over.get()) {
            if (random.nextInt(4) == 0) {
                pulse();
                continue;
            }
            long[] chains = random.longs(1, chapter.chains() + 1L)
                    .distinct()
                    .limit(2 + random.nextInt(Math.min(MOST_CHAINS, chapter.chains()) - 1))
                    .toArray();
            Append append = witness.begin(chains);
            try {
                CallResult result = client.call("ExtendMany", chains, append.number(), chapter.note(random));
                append.acknowledged(0, result.longValue());
            } catch (FulmarException failure) {
                failed(append, failure);
            }
        }
    }

    private void pulse() {
        try {
            CallResult result = client.execute("UPDATE pulse SET v = v + 1");
            if (result.longValue() == Schema.PULSES) {
                witness.pulseAcknowledged();
            } else {
                witness.problem("an update of all " + Schema.PULSES + " pulses changed " + result.longValue());
            }
        } catch (FulmarException failure) {
            if (witness.leavesOpen(failure, "a pulse")) {
                witness.pulseUnknown();
            }
        }
    }

    private void read(SplittableRandom random) {
        while (!over.get()) {
            try {
                switch (random.nextInt(3)) {
                    case 0 -> {
                        long chain = chain(random);
                        noteLinks(client.execute("SELECT k, links FROM chain WHERE k = ?", chain)
                                .table());
                    }
                    case 1 ->
                        noteLinks(client.execute("SELECT k, links FROM chain").table());
                    default -> {
                        Consistency consistency = random.nextBoolean() ? Consistency.STRICT : Consistency.SNAPSHOT;
                        notePulse(client.execute(consistency, Schema.READ_PULSES)
                                .table()
                                .first());
                    }
                }
                witness.readDone();
            } catch (FulmarException failure) {
                witness.leavesOpen(failure, "a read");
            }
        }
    }

    private void noteLinks(ResultTable rows) {
        while (rows.next()) {
            witness.sawLinks(rows.getLong(0), rows.getLong(1));
        }
    }

    private void notePulse(ResultTable row) {
        if (row.getLong(0) != Schema.PULSES || row.getLong(1) != row.getLong(2)) {
            witness.problem("a reader saw a part of an update: " + row.getLong(0) + " pulses from " + row.getLong(1)
                    + " to " + row.getLong(2));
        }
        witness.sawPulse(row.getLong(1));
    }

    private void watchCheckpoints() {
        while (!over.get()) {
            try {
                ResultTable figures = client.call("@Statistics", "CHECKPOINT").table();
                if (figures.next()) {
                    witness.sawCheckpoint(String.valueOf(figures.getString(figures.column("STATE"))));
                }
                TimeUnit.MILLISECONDS.sleep(CHECKPOINT_LOOK_MILLIS);
            } catch (FulmarException failure) {
                witness.leavesOpen(failure, "a look at the checkpoints");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private long chain(SplittableRandom random) {
        return 1L + random.nextInt(chapter.chains());
    }
}
