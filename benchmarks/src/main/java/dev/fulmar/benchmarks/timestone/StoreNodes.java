package dev.fulmar.benchmarks.timestone;

import dev.fulmar.foundation.agent.real.IdleStrategy;
import dev.fulmar.foundation.agent.real.ThreadAgentRunner;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.time.real.SystemClock;
import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.pmemlog.checkpoint.CheckpointCounters;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogCounters;
import dev.fulmar.pmemlog.store.Isolation;
import dev.fulmar.pmemlog.store.ObjectStore;
import dev.fulmar.pmemlog.store.StoreEnvironment;
import dev.fulmar.pmemlog.store.StoreSession;
import dev.fulmar.pmemlog.store.StoreSettings;
import dev.fulmar.pmemlog.store.Transaction;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@link Nodes} in Fulmar's object store: keeps the lists, trees, hash tables and rows that the benchmark measures. The
 * structures are serializable as they are written: a removal writes the node that it removes.
 */
final class StoreNodes implements Nodes {
    /** Size of the checkpoint log: it turns over within a run of seconds. */
    static final long CLOG_BYTES = 4L << 20;

    private static final int MEBIBYTE = 1 << 20;
    private static final int IDLE_STEPS = 1_000;
    private static final IdleStrategy UPKEEP = new IdleStrategy(0, 0, 1_000_000);

    private final ObjectStore store;
    private final boolean wholeImages;
    private final @Nullable ThreadAgentRunner upkeep;
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();

    private StoreNodes(ObjectStore store, boolean wholeImages, boolean durable) {
        this.store = store;
        this.wholeImages = wholeImages;
        this.upkeep = durable ? new ThreadAgentRunner(store, UPKEEP, broken::set) : null;
        if (upkeep != null) {
            upkeep.start();
        }
    }

    /** @param wholeImages whether the log gets all of an object where a part of it changed */
    static StoreNodes durable(Backend backend, String directory, boolean wholeImages) {
        StoreEnvironment environment = new StoreEnvironment(backend.storage(), new SystemClock(), new SeededRandom(1));
        return new StoreNodes(
                ObjectStore.open(environment, settings(directory, backend.blockBytes())), wholeImages, true);
    }

    static StoreNodes inMemory() {
        return new StoreNodes(ObjectStore.inMemory(settings("memory", 64)), false, false);
    }

    private static StoreSettings settings(String directory, int blockBytes) {
        StoreSettings usual = StoreSettings.defaults(directory, blockBytes);
        return new StoreSettings(
                usual.log(),
                new CheckpointSettings(
                        directory + "-checkpoints", blockBytes, MEBIBYTE / 4, MEBIBYTE, CLOG_BYTES, MEBIBYTE),
                new CheckpointPolicy(8L * MEBIBYTE, 1L << 30, 10_000_000_000L, 50L * MEBIBYTE),
                usual.maxVersionBytes());
    }

    /**
     * Makes a checkpoint and writes back what is too much for the checkpoint log, so that the figures hold what was
     * still to be written.
     */
    void drain() {
        store.checkpoint();
        for (int idle = 0; idle < IDLE_STEPS; ) {
            idle = store.doWork() == 0 ? idle + 1 : 0;
        }
    }

    @Override
    public Access access() {
        return new StoreAccess(store.session());
    }

    @Override
    public Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("commits", (double) store.counters().writingCommits());
        figures.put("objectWrites", (double) store.counters().objectWrites());
        figures.put("objectBytes", (double) store.counters().objectBytes());
        figures.put("changedBytes", (double) store.counters().changedBytes());
        LogCounters log = store.logCounters();
        CheckpointCounters checkpoints = store.checkpointCounters();
        if (log != null && checkpoints != null) {
            figures.put("fences", (double) log.groups());
            figures.put("logBytes", (double) log.writtenBytes());
            figures.put("logRecordBytes", (double) log.recordBytes());
            figures.put("clogBytes", (double) checkpoints.clogBytes());
            figures.put("clogImages", (double) checkpoints.rowImages());
            figures.put("masterBytes", (double) checkpoints.masterBytes());
            figures.put("masterImages", (double) checkpoints.writtenBack());
            figures.put("superblockBytes", (double) checkpoints.superblockBytes());
        }
        return figures;
    }

    @Override
    public void close() {
        if (upkeep != null) {
            upkeep.close();
        }
        store.close();
        Throwable thrown = broken.get();
        if (thrown != null) {
            throw new IllegalStateException("the store's upkeep broke", thrown);
        }
    }

    private final class StoreAccess implements Access {
        private final StoreSession session;
        private long attempts;
        private long conflicts;

        StoreAccess(StoreSession session) {
            this.session = session;
        }

        @Override
        public <T> T run(boolean writes, Function<Body, T> body) {
            long attemptsBefore = attempts;
            T result = session.run(Isolation.SNAPSHOT, transaction -> {
                attempts++;
                return body.apply(new StoreBody(transaction));
            });
            conflicts += attempts - attemptsBefore - 1;
            return result;
        }

        @Override
        public long conflicts() {
            return conflicts;
        }

        @Override
        public void close() {
            session.close();
        }
    }

    private final class StoreBody implements Body {
        private final Transaction transaction;

        StoreBody(Transaction transaction) {
            this.transaction = transaction;
        }

        @Override
        public long word(long node, int word) {
            return transaction.readLong(node, word * Long.BYTES);
        }

        @Override
        public void word(long node, int word, long value) {
            if (wholeImages) {
                transaction.write(node, transaction.read(node));
            }
            transaction.writeLong(node, word * Long.BYTES, value);
        }

        @Override
        public long create(byte[] content) {
            return transaction.create(content);
        }

        @Override
        public void delete(long node) {
            transaction.delete(node);
        }

        @Override
        public void replace(long node, int offset, byte[] bytes) {
            if (wholeImages) {
                transaction.write(node, transaction.read(node));
            }
            transaction.update(node, offset, bytes);
        }

        @Override
        public long sum(long node, int bytes) {
            long sum = 0;
            for (int at = 0; at < bytes; at += Long.BYTES) {
                sum += transaction.readLong(node, at);
            }
            return sum;
        }
    }
}
