package dev.fulmar.simulator.threads;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.CallHandler;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.Consistency;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.PreparedCall;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one reader that scans everything, again and again, costs writers that keep the sites busy: windows with and without it take turns, so that
 * whatever else the machine does falls on both.
 */
public final class WriterCost {
    private static final int PARTITIONS = 2;
    private static final int OUTSTANDING = 256;
    private static final int ROWS_STATEMENT = 50;
    private static final int BALANCE = 1000;
    private static final int TEXT_LENGTH = 64;

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
     * What was measured.
     *
     * @param share of the writers' rate that the reader took, in the median pair
     * @param writesAlone and {@code writesBeside} per second, of each window
     * @param scans that came to their end
     * @param expired scans that were given up
     * @param longestScanMillis from the request to the answer
     * @param wrong scans that did not see one state
     * @param versionShare of the memory for versions that was taken at most
     */
    public record Outcome(
            double share,
            List<Double> writesAlone,
            List<Double> writesBeside,
            int scans,
            int expired,
            double longestScanMillis,
            int wrong,
            double versionShare) {}

    /** Measures. */
    public Outcome run() throws Exception {
        try (LocalDatabase database = LocalDatabase.start(
                        Map.of("partitions", Integer.toString(PARTITIONS), "sites", "2", "jmx", "false"));
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

    private Outcome measure(LocalDatabase database, FulmarClient writer, FulmarClient reader) throws Exception {
        Writers writers = new Writers(writer.prepare("Deposit"));
        Thread writing = Thread.ofPlatform().start(writers);
        Scans scans = new Scans(reader);
        List<Double> alone = new ArrayList<>();
        List<Double> beside = new ArrayList<>();
        double versionShare = 0;
        window(writers); // warm-up
        for (int pair = 0; pair < pairs; pair++) {
            boolean readerFirst = pair % 2 == 1;
            for (int half = 0; half < 2; half++) {
                if ((half == 0) == readerFirst) {
                    scans.start();
                    beside.add(window(writers));
                    versionShare = Math.max(versionShare, versionShare(database));
                    scans.stop();
                } else {
                    alone.add(window(writers));
                }
            }
        }
        writers.stopped.set(true);
        writing.join();
        writer.drain();
        List<Double> shares = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            shares.add(1 - beside.get(pair) / alone.get(pair));
        }
        shares.sort(null);
        return new Outcome(
                shares.get(pairs / 2),
                List.copyOf(alone),
                List.copyOf(beside),
                scans.complete,
                scans.expired,
                scans.longestNanos / 1e6,
                scans.wrong,
                versionShare);
    }

    private static double versionShare(LocalDatabase database) {
        double share = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            share = Math.max(share, database.database().figures().versionShare(partition));
        }
        return share;
    }

    /** Writes of one window, per second. */
    private double window(Writers writers) throws InterruptedException {
        long before = writers.committed.get();
        long startNanos = System.nanoTime();
        Thread.sleep(windowMillis);
        long nanos = System.nanoTime() - startNanos;
        return (writers.committed.get() - before) * 1e9 / nanos;
    }

    /** Changes purses as fast as the database takes it. */
    private final class Writers implements Runnable, CallHandler {
        final AtomicLong committed = new AtomicLong();
        final AtomicBoolean stopped = new AtomicBoolean();
        private final PreparedCall deposit;
        private final SplittableRandom random = new SplittableRandom(1);

        Writers(PreparedCall deposit) {
            this.deposit = deposit;
        }

        @Override
        public void run() {
            while (!stopped.get()) {
                deposit.start().with(1L).with((long) random.nextInt(rows)).send(this);
            }
        }

        @Override
        public void completed(CallResult result) {
            committed.incrementAndGet();
        }

        @Override
        public void failed(FulmarException error) {
            throw error;
        }
    }

    /** Scans everything while it is told to. */
    private final class Scans {
        private static final String SCAN = "SELECT COUNT(*), SUM(balance), SUM(CHAR_LENGTH(note)) FROM purse";

        private final FulmarClient client;
        private final AtomicBoolean running = new AtomicBoolean();
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
            thread = Thread.ofPlatform().start(this::scan);
        }

        void stop() throws InterruptedException {
            running.set(false);
            Thread scanning = thread;
            if (scanning != null) {
                scanning.join(TimeUnit.MINUTES.toMillis(1));
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
