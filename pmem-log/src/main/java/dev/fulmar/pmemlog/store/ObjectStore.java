package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.checkpoint.CheckpointCounters;
import dev.fulmar.pmemlog.checkpoint.CheckpointPressure;
import dev.fulmar.pmemlog.checkpoint.CheckpointStore;
import dev.fulmar.pmemlog.checkpoint.Checkpointer;
import dev.fulmar.pmemlog.log.DurabilityListener;
import dev.fulmar.pmemlog.log.LogCounters;
import dev.fulmar.pmemlog.log.LogOpening;
import dev.fulmar.pmemlog.log.OperationLog;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A durable transactional store of versioned objects. Objects are bytes with an id. Each thread has a
 * {@link StoreSession} with a log of its own.
 *
 * <p>The store is also the agent of its upkeep: run it on a thread of its own, so that checkpoints happen beside the
 * transactions. Without, writers do the upkeep when the log is nearly full.
 */
public final class ObjectStore implements Agent, AutoCloseable {
    private final StoreSettings settings;
    private final Timeline timeline = new Timeline();
    private final ObjectTable objects = new ObjectTable();
    private final StoreCounters counters = new StoreCounters();
    private final StoreCheckpoints dirty = new StoreCheckpoints(timeline, objects, this::visibleSequences);
    private final List<StoreSession> sessions = new CopyOnWriteArrayList<>();
    private final Queue<StoreSession> freeSessions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger sessionCount = new AtomicInteger();
    private final Map<Integer, Long> recoveredSequences = new TreeMap<>();
    private @Nullable StoreLog log;

    private ObjectStore(StoreSettings settings) {
        this.settings = settings;
    }

    /** Opens the store in the settings' directories, or a new one where there is none, and recovers it. */
    public static ObjectStore open(StoreEnvironment environment, StoreSettings settings) {
        ObjectStore store = new ObjectStore(settings);
        store.recover(environment);
        return store;
    }

    /** A store that keeps nothing: what durability costs shows beside it. */
    public static ObjectStore inMemory(StoreSettings settings) {
        return new ObjectStore(settings);
    }

    private void recover(StoreEnvironment environment) {
        LogScan scan = LogReader.scan(environment.storage(), settings.log().directory());
        scan.check();
        CheckpointStore checkpoints =
                CheckpointStore.open(environment.storage(), settings.checkpoints(), environment.random());
        StoreRecovery recovery = new StoreRecovery(objects, dirty);
        long covered = recovery.load(checkpoints);
        long last = recovery.replay(scan);
        OperationLog operations = LogOpening.open(
                environment.storage(),
                environment.clock(),
                environment.random(),
                settings.log(),
                DurabilityListener.none(),
                scan);
        scan.streamEnds().forEach((stream, end) -> recoveredSequences.put(stream, end.sequence()));
        timeline.beginAt(last);
        dirty.beginAt(covered, operations::release);
        Checkpointer checkpointer = new Checkpointer(
                checkpoints, List.of(dirty), settings.policy(), pressure(operations), environment.clock(), dirty);
        log = new StoreLog(operations, checkpoints, checkpointer);
    }

    private static CheckpointPressure pressure(OperationLog operations) {
        return new CheckpointPressure() {
            @Override
            public long logBytes() {
                return operations.counters().recordBytes();
            }

            /** Objects are in memory whether they are dirty or not. */
            @Override
            public long dirtyBytes() {
                return 0;
            }

            @Override
            public boolean logIsFull() {
                return operations.shortage() != null;
            }
        };
    }

    private Map<Integer, Long> visibleSequences() {
        Map<Integer, Long> sequences = new TreeMap<>(recoveredSequences);
        for (StoreSession session : sessions) {
            if (session.visibleSequence() > 0) {
                sequences.put(session.stream(), session.visibleSequence());
            }
        }
        return sequences;
    }

    /** A session for the calling thread, until it is closed. */
    public StoreSession session() {
        StoreSession session = freeSessions.poll();
        if (session == null) {
            int stream = sessionCount.getAndIncrement();
            StoreLog storeLog = log;
            PartitionLogBuffer lane = storeLog == null ? null : storeLog.openLane(stream);
            session = new StoreSession(this, stream, lane, timeline.newPlace());
            sessions.add(session);
        }
        return session;
    }

    void free(StoreSession session) {
        freeSessions.add(session);
    }

    Timeline timeline() {
        return timeline;
    }

    ObjectTable objects() {
        return objects;
    }

    StoreCheckpoints dirty() {
        return dirty;
    }

    @Nullable StoreLog log() {
        return log;
    }

    long maxVersionBytes() {
        return settings.maxVersionBytes();
    }

    /** Counters of transactions. */
    public StoreCounters counters() {
        return counters;
    }

    /** Counters of the log; null for a store in memory. */
    public @Nullable LogCounters logCounters() {
        StoreLog storeLog = log;
        return storeLog == null ? null : storeLog.log().counters();
    }

    /** Counters of checkpoints; null for a store in memory. */
    public @Nullable CheckpointCounters checkpointCounters() {
        StoreLog storeLog = log;
        return storeLog == null ? null : storeLog.checkpointer().counters();
    }

    /** Bytes of superseded versions that are kept for snapshots, about. */
    public long versionBytes() {
        return timeline.versionBytes();
    }

    /** The failure after which nothing is committed any more; null while the store works. */
    public @Nullable FulmarException failure() {
        StoreLog storeLog = log;
        return storeLog == null ? null : storeLog.failure();
    }

    /** Makes a checkpoint of what is committed now. Its thread does the work. */
    public void checkpoint() {
        StoreLog storeLog = log;
        if (storeLog != null) {
            storeLog.checkpoint();
        }
    }

    @Override
    public int doWork() {
        StoreLog storeLog = log;
        return storeLog == null || storeLog.failure() != null ? 0 : storeLog.drive();
    }

    @Override
    public String roleName() {
        return "store " + settings.log().directory();
    }

    /** After the last transaction and after its runner. */
    @Override
    public void close() {
        StoreLog storeLog = log;
        if (storeLog != null) {
            storeLog.close();
        }
    }
}
