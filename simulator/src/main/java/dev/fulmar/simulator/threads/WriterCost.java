package dev.fulmar.simulator.threads;

import com.sun.management.OperatingSystemMXBean;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.CallHandler;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.PreparedCall;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Cost of one reader, which scans everything again and again, to writers that keep the sites busy. Windows with and
 * without it take turns, so that other work of the machine falls on both.
 */
public final class WriterCost {
    private static final int PARTITIONS = 2;
    private static final int OUTSTANDING = 256;
    private static final int ROWS_STATEMENT = 50;
    private static final int BALANCE = 1000;
    private static final int TEXT_LENGTH = 64;
    private static final long FACTORS = 2_000;
    private static final String ENDLESS = "SELECT COUNT(*) FROM purse, factor WHERE purse.balance + factor.n < 0";
    private static final long MOST_WAIT_NANOS = 60_000_000_000L;

    private final int rows;
    private final int pairs;
    private final long windowMillis;

    /**
     * @param rows that the reader scans
     * @param pairs of windows, one without the reader and one with it
     */
    public WriterCost(int rows, int pairs, long windowMillis) {
        this.rows = rows;
        this.pairs = pairs;
        this.windowMillis = windowMillis;
    }

    /**
     * Measurements of the cost.
     *
     * @param share of the writers' rate that the reader took, in the median pair
     * @param shares of all pairs
     * @param processorShare how much of the processor time for a write beside the reader is the reader's, in the median
     *     pair; other work on the machine matters less to it
     * @param writesAlone and {@code writesBeside} per second, of each window
     * @param scans that came to their end
     * @param expired scans that were given up
     * @param longestScanMillis from the request to the answer
     * @param wrong scans that did not see one state
     * @param versionShare of the memory for versions that was taken at most
     */
    public record Outcome(
            double share,
            List<Double> shares,
            double processorShare,
            List<Double> writesAlone,
            List<Double> writesBeside,
            int scans,
            int expired,
            double longestScanMillis,
            int wrong,
            double versionShare) {}

    /** Measures. */
    public Outcome run() throws Exception {
        try (LocalDatabase database = start();
                FulmarClient writer = database.connect(OUTSTANDING);
                FulmarClient reader = database.connect(1)) {
            fill(writer);
            return measure(database, writer, reader);
        }
    }

    private void fill(FulmarClient client) throws Exception {
        client.execute(
                "CREATE TABLE purse (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, note VARCHAR(200) NOT NULL)");
        client.execute("PARTITION TABLE purse ON COLUMN id");
        client.execute(
                "CREATE PROCEDURE Deposit PARTITION ON TABLE purse COLUMN id PARAMETER 1 AS UPDATE purse SET balance = balance + ? WHERE id = ?");
        String note = "x".repeat(TEXT_LENGTH);
        List<CompletableFuture<CallResult>> filling = new ArrayList<>();
        for (int first = 0; first < rows; first += ROWS_STATEMENT) {
            StringBuilder sql = new StringBuilder("INSERT INTO purse VALUES ");
            List<Object> arguments = new ArrayList<>();
            for (int id = first; id < Math.min(rows, first + ROWS_STATEMENT); id++) {
                sql.append(id == first ? "(?, ?, ?)" : ", (?, ?, ?)");
                arguments.addAll(List.of((long) id, (long) BALANCE, note));
            }
            filling.add(client.executeAsync(sql.toString(), arguments.toArray()));
        }
        for (CompletableFuture<CallResult> each : filling) {
            each.get();
        }
    }

    /** Rates of a window. */
    private record Rate(double writesPerSecond, double processorNanos) {}

    private Outcome measure(LocalDatabase database, FulmarClient writer, FulmarClient reader) throws Exception {
        Writers writers = new Writers(writer.prepare("Deposit"));
        Thread writing = Thread.ofPlatform().start(writers);
        Scans scans = new Scans(reader);
        List<Rate> alone = new ArrayList<>();
        List<Rate> beside = new ArrayList<>();
        try {
            beside(database, writers, scans); // warm-up
            scans.forget();
            for (int pair = 0; pair < pairs; pair++) {
                boolean readerFirst = pair % 2 == 1;
                for (int half = 0; half < 2; half++) {
                    if ((half == 0) == readerFirst) {
                        beside.add(beside(database, writers, scans));
                    } else {
                        alone.add(alone(writers));
                    }
                }
            }
        } finally {
            writers.stopped.set(true);
            writing.join();
            writer.drain();
        }
        writers.check();
        List<Double> shares = new ArrayList<>();
        List<Double> processorShares = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            shares.add(1 - beside.get(pair).writesPerSecond / alone.get(pair).writesPerSecond);
            processorShares.add(1 - alone.get(pair).processorNanos / beside.get(pair).processorNanos);
        }
        return new Outcome(
                median(shares),
                List.copyOf(shares),
                median(processorShares),
                alone.stream().map(Rate::writesPerSecond).toList(),
                beside.stream().map(Rate::writesPerSecond).toList(),
                scans.complete,
                scans.expired,
                scans.longestNanos / 1e6,
                scans.wrong,
                highestVersionShare(database));
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /**
     * Beside writers, a reader that never ends: it must be expired before versions take more memory than they may.
     *
     * @return the most that they took, as a share of the cap
     */
    public double outlast() throws Exception {
        try (LocalDatabase database = start();
                FulmarClient writer = database.connect(OUTSTANDING);
                FulmarClient reader = database.connect(1)) {
            fill(writer);
            writer.execute("CREATE TABLE factor (n BIGINT NOT NULL PRIMARY KEY) REPLICATED");
            for (long n = 0; n < FACTORS; n++) {
                writer.execute("INSERT INTO factor VALUES (?)", n);
            }
            Writers writers = new Writers(writer.prepare("Deposit"));
            Thread writing = Thread.ofPlatform().start(writers);
            try {
                reader.execute(Consistency.STRICT, ENDLESS);
                throw new IllegalStateException("a reader outlasted all versions that may be kept for it");
            } catch (FulmarException failed) {
                if (failed.code() != ErrorCode.SNAPSHOT_TOO_OLD) {
                    throw new IllegalStateException("a reader was not expired but failed otherwise", failed);
                }
            } finally {
                writers.stopped.set(true);
                writing.join();
                writer.drain();
            }
            writers.check();
            return highestVersionShare(database);
        }
    }

    private static LocalDatabase start() {
        return LocalDatabase.start(Map.of("partitions", Integer.toString(PARTITIONS), "sites", "2", "jmx", "false"));
    }

    private static double highestVersionShare(LocalDatabase database) {
        double share = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            share = Math.max(share, database.database().figures().highestVersionShare(partition));
        }
        return share;
    }

    /** The rate without the reader. */
    private Rate alone(Writers writers) throws InterruptedException {
        Begin begin = new Begin(writers);
        Thread.sleep(windowMillis);
        return begin.until();
    }

    /**
     * The rate beside the reader: from its first request until its last scan has ended and all versions that it needed
     * are given back.
     */
    private Rate beside(LocalDatabase database, Writers writers, Scans scans) throws InterruptedException {
        Begin begin = new Begin(writers);
        scans.start();
        Thread.sleep(windowMillis);
        scans.stop();
        while (holdsVersions(database)) {
            if (System.nanoTime() - begin.nanos > TimeUnit.MILLISECONDS.toNanos(windowMillis) + MOST_WAIT_NANOS) {
                throw new IllegalStateException("versions are kept although their readers are gone");
            }
            Thread.sleep(1);
        }
        return begin.until();
    }

    private static boolean holdsVersions(LocalDatabase database) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            if (database.database().figures().versionBytes(partition) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Beginning of a window. */
    private static final class Begin {
        private final Writers writers;
        private final long nanos = System.nanoTime();
        private final long processorNanos = processorNanos();
        private final long committed;

        Begin(Writers writers) {
            this.writers = writers;
            this.committed = writers.committed.get();
        }

        /** The rate since then. */
        Rate until() {
            writers.check();
            double writes = writers.committed.get() - committed;
            return new Rate(
                    writes * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - nanos),
                    (processorNanos() - processorNanos) / writes);
        }

        /** Of this process, which both the database and its clients are in. */
        private static long processorNanos() {
            return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                    .getProcessCpuTime();
        }
    }

    /** Changes purses as fast as the database takes it. */
    private final class Writers implements Runnable, CallHandler {
        final AtomicLong committed = new AtomicLong();
        final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final PreparedCall deposit;
        private final SplittableRandom random = new SplittableRandom(1);

        Writers(PreparedCall deposit) {
            this.deposit = deposit;
        }

        @Override
        public void run() {
            try {
                while (!stopped.get()) {
                    deposit.start().with(1L).with((long) random.nextInt(rows)).send(this);
                }
            } catch (RuntimeException | Error broken) {
                failure.compareAndSet(null, broken);
            }
        }

        @Override
        public void completed(CallResult result) {
            committed.incrementAndGet();
        }

        @Override
        public void failed(FulmarException error) {
            failure.compareAndSet(null, error);
        }

        void check() {
            Throwable known = failure.get();
            if (known != null) {
                throw new IllegalStateException("a write failed", known);
            }
        }
    }

    /** Scans everything while it is told to. */
    private final class Scans {
        private static final String SCAN = "SELECT COUNT(*), SUM(balance), SUM(CHAR_LENGTH(note)) FROM purse";

        private final FulmarClient client;
        private final AtomicBoolean running = new AtomicBoolean();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private @Nullable Thread thread;
        private int complete;
        private int expired;
        private int wrong;
        private long longestNanos;
        private long lastMoney;

        Scans(FulmarClient client) {
            this.client = client;
        }

        void start() {
            running.set(true);
            thread = Thread.ofPlatform().start(this::scanUntilStopped);
        }

        /** Waits for the scan that is under way; fails if anything went wrong that may not. */
        void stop() throws InterruptedException {
            running.set(false);
            Thread scanning = thread;
            if (scanning != null && !scanning.join(Duration.ofNanos(MOST_WAIT_NANOS))) {
                throw new IllegalStateException("a scan does not end");
            }
            Throwable known = failure.get();
            if (known != null) {
                throw new IllegalStateException("a scan failed", known);
            }
        }

        /** Forgets the scans of the warm-up. */
        void forget() {
            complete = 0;
            expired = 0;
            longestNanos = 0;
        }

        private void scanUntilStopped() {
            try {
                scan();
            } catch (RuntimeException | Error broken) {
                failure.compareAndSet(null, broken);
            }
        }

        private void scan() {
            while (running.get()) {
                long startNanos = System.nanoTime();
                try {
                    CallResult result = client.execute(Consistency.STRICT, SCAN);
                    var row = result.table().first();
                    long money = row.getLong(1);
                    if (row.getLong(0) != rows || row.getLong(2) != (long) rows * TEXT_LENGTH || money < lastMoney) {
                        wrong++;
                    }
                    lastMoney = money;
                    complete++;
                } catch (FulmarException failed) {
                    if (failed.code() != ErrorCode.SNAPSHOT_TOO_OLD) {
                        throw failed;
                    }
                    expired++;
                }
                longestNanos = Math.max(longestNanos, System.nanoTime() - startNanos);
            }
        }
    }
}
