package dev.fulmar.pmemlog.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.agent.real.IdleStrategy;
import dev.fulmar.foundation.agent.real.ThreadAgentRunner;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.storage.real.FileStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real threads and real files: histories of what threads did must be possible, and a restart must find their end. */
class StoreStress {
    private static final int WRITERS = 3;
    private static final int ACCOUNTS = 12;
    private static final int TRANSFERS = 200;
    private static final long MONEY = 1_000;

    @TempDir
    private Path directory = Path.of("");

    private final AtomicReference<Throwable> thrown = new AtomicReference<>();

    private interface Work {
        void run(StoreSession session, SeededRandom random);
    }

    private static void transfer(StoreSession session, SeededRandom random, long[] accounts, Isolation isolation) {
        long from = accounts[random.nextInt(ACCOUNTS)];
        long to = accounts[random.nextInt(ACCOUNTS)];
        session.run(isolation, transaction -> {
            transaction.writeLong(from, 0, transaction.readLong(from, 0) - 5);
            transaction.writeLong(to, 0, transaction.readLong(to, 0) + 5);
            return 0;
        });
    }

    private static long sum(Transaction transaction, long[] accounts) {
        return Arrays.stream(accounts).map(id -> transaction.readLong(id, 0)).sum();
    }

    private List<Thread> start(ObjectStore store, int count, Work work) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int seed = i;
            threads.add(Thread.ofPlatform()
                    .uncaughtExceptionHandler((thread, failure) -> thrown.set(failure))
                    .start(() -> {
                        try (StoreSession session = store.session()) {
                            work.run(session, new SeededRandom(seed));
                        }
                    }));
        }
        return threads;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static long[] accounts(ObjectStore store) {
        try (StoreSession session = store.session()) {
            return session.run(Isolation.SNAPSHOT, transaction -> {
                long[] ids = new long[ACCOUNTS];
                Arrays.setAll(ids, i -> transaction.create(StoreFixture.number(MONEY)));
                return ids;
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void noMomentShowsAPartOfATransfer(Isolation isolation) throws IOException, InterruptedException {
        long[] accounts;
        long[] end = new long[ACCOUNTS];
        try (ObjectStore store = StoreFixture.open(new FileStorage(directory), StoreFixture.SMALL)) {
            accounts = accounts(store);
            ThreadAgentRunner upkeep = new ThreadAgentRunner(store, new IdleStrategy(0, 0, 1_000_000), thrown::set);
            upkeep.start();
            AtomicBoolean ended = new AtomicBoolean();
            List<Thread> readers = start(store, 1, (session, random) -> {
                while (!ended.get()) {
                    long sum = session.run(Isolation.SNAPSHOT, transaction -> sum(transaction, accounts));
                    assertThat(sum).isEqualTo(ACCOUNTS * MONEY);
                }
            });
            join(start(store, WRITERS, (session, random) -> {
                for (int i = 0; i < TRANSFERS; i++) {
                    transfer(session, random, accounts, isolation);
                }
            }));
            ended.set(true);
            join(readers);
            upkeep.close();
            assertThat(thrown.get()).isNull();
            assertThat(store.counters().writingCommits()).isEqualTo(WRITERS * TRANSFERS + 1);
            try (StoreSession session = store.session()) {
                session.run(Isolation.LINEARIZABLE, transaction -> {
                    Arrays.setAll(end, i -> transaction.readLong(accounts[i], 0));
                    return 0;
                });
            }
        }
        try (ObjectStore store = StoreFixture.open(new FileStorage(directory), StoreFixture.SMALL);
                StoreSession session = store.session()) {
            session.run(Isolation.SNAPSHOT, transaction -> {
                for (int i = 0; i < ACCOUNTS; i++) {
                    assertThat(transaction.readLong(accounts[i], 0)).isEqualTo(end[i]);
                }
                return 0;
            });
        }
    }

    /** A step of a counter as its caller saw it. */
    private record Step(long before, long calledNanos, long returnedNanos) {}

    /**
     * Each step returns what it found. So the steps have one order only, by what they found; it must be without gaps,
     * and no step may come before one that had returned when it was called.
     */
    @ParameterizedTest
    @EnumSource(names = {"SERIALIZABLE", "LINEARIZABLE"})
    void theHistoryOfACounterHasOneOrder(Isolation isolation) throws InterruptedException, IOException {
        try (ObjectStore store = StoreFixture.open(new FileStorage(directory), StoreFixture.SMALL)) {
            long counter;
            try (StoreSession session = store.session()) {
                counter = session.run(isolation, transaction -> transaction.create(StoreFixture.number(0)));
            }
            ConcurrentLinkedQueue<Step> steps = new ConcurrentLinkedQueue<>();
            join(start(store, WRITERS, (session, random) -> {
                for (int i = 0; i < TRANSFERS; i++) {
                    boolean writes = random.nextInt(3) > 0;
                    long called = System.nanoTime();
                    long found = session.run(isolation, transaction -> {
                        long value = transaction.readLong(counter, 0);
                        if (writes) {
                            transaction.writeLong(counter, 0, value + 1);
                        }
                        return value;
                    });
                    steps.add(new Step(writes ? found : -1 - found, called, System.nanoTime()));
                }
            }));
            assertThat(thrown.get()).isNull();
            verify(List.copyOf(steps));
        }
    }

    private static void verify(List<Step> steps) {
        List<Step> writes = steps.stream()
                .filter(step -> step.before >= 0)
                .sorted(Comparator.comparingLong(Step::before))
                .toList();
        for (int i = 0; i < writes.size(); i++) {
            assertThat(writes.get(i).before).isEqualTo(i);
            if (i > 0) {
                assertThat(writes.get(i).returnedNanos).isGreaterThan(writes.get(i - 1).calledNanos);
            }
        }
        for (Step read : steps) {
            int found = (int) (-1 - read.before);
            if (read.before < 0 && found > 0) {
                assertThat(writes.get(found - 1).calledNanos).isLessThan(read.returnedNanos);
            }
            if (read.before < 0 && found < writes.size()) {
                assertThat(writes.get(found).returnedNanos).isGreaterThan(read.calledNanos);
            }
        }
    }

    /** Pairs of which at least one is 1: true in any order of transactions that look before they clear one. */
    @Test
    void serializableThreadsKeepWhatEachOfThemKeeps() throws IOException, InterruptedException {
        try (ObjectStore store = StoreFixture.open(new FileStorage(directory), StoreFixture.SMALL)) {
            long[] accounts = accounts(store);
            join(start(store, WRITERS, (session, random) -> {
                for (int i = 0; i < TRANSFERS; i++) {
                    int pair = random.nextInt(2) * 2;
                    int clear = pair + random.nextInt(2);
                    long sum = session.run(Isolation.SERIALIZABLE, transaction -> {
                        long left = transaction.readLong(accounts[pair], 0);
                        long right = transaction.readLong(accounts[pair + 1], 0);
                        boolean both = left > 0 && right > 0;
                        transaction.writeLong(accounts[clear], 0, both ? 0 : 1);
                        return left + right;
                    });
                    assertThat(sum).isPositive();
                }
            }));
            assertThat(thrown.get()).isNull();
        }
    }
}
