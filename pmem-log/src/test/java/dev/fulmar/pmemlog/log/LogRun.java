package dev.fulmar.pmemlog.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.CrashingStorage;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import dev.fulmar.pmemlog.recovery.LogVerdict;
import dev.fulmar.pmemlog.recovery.StreamSummary;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lives of a log under a random load, one after the other on one disk, each but the last ended by a crash. */
final class LogRun {
    static final String DIRECTORY = "data/olog";
    static final LogSettings SETTINGS =
            new LogSettings(DIRECTORY, 8 * 1024, 512, 2 * 1024, 3 * 1024, 1024, 6, 1, 50_000_000);

    private static final NodeId NODE = new NodeId(0);
    private static final int STREAMS = 3;

    private final SimulatedWorld world;
    private final SeededRandom random;
    private final Set<CrashingStorage.Bug> bugs;
    private final List<StreamModel> streams = new ArrayList<>();
    private final Map<Reached, Integer> reached = new EnumMap<>(Reached.class);
    private final String context;
    private long nextId = 1;
    private int life;
    private boolean wasClosed;

    /** What a campaign must have come across. */
    enum Reached {
        APPENDED,
        EPOCH,
        GROUP_OF_MANY,
        ROTATION,
        REUSE,
        IDLE_SEAL,
        SHORTAGE,
        CLOSED,
        CUT_NOTHING,
        CUT_SOMETHING,
        LOST_UNACKNOWLEDGED
    }

    LogRun(long seed, Set<CrashingStorage.Bug> bugs, String context) {
        this.world = new SimulatedWorld(seed);
        this.random = world.random("load");
        this.bugs = bugs;
        this.context = "seed " + seed + ", " + context;
        for (int stream = 0; stream < STREAMS; stream++) {
            streams.add(new StreamModel(stream));
        }
    }

    Map<Reached, Integer> reached() {
        return reached;
    }

    private void reach(Reached point) {
        reached.merge(point, 1, Integer::sum);
    }

    /** A life that ends after so many points, or in order if there are no more; returns the points that it passed. */
    long live(int steps, long crashAfter, boolean powerFailure) {
        life++;
        SimulatedProcess process = world.startProcess(NODE);
        CrashingStorage storage = new CrashingStorage(process).with(bugs);
        storage.crashAfter(crashAfter, powerFailure);
        wasClosed = false;
        try {
            recover(storage);
            OperationLog log = LogOpening.open(storage, process.clock(), random, SETTINGS, DurabilityListener.none());
            for (StreamModel stream : streams) {
                stream.certify();
                stream.use(log.openLane(streams.indexOf(stream)));
            }
            work(log, steps);
            boolean hasSpace = log.shortage() == null;
            log.onClose();
            wasClosed = hasSpace;
            reach(Reached.CLOSED);
            log.preparer().onClose();
            process.kill();
        } catch (CrashingStorage.Crash e) {
            assertThat(process.isAlive()).isFalse();
        }
        return storage.points();
    }

    /** Reads what the lives so far have left, and checks it. */
    void check() {
        life++;
        recover(new CrashingStorage(world.startProcess(NODE)));
    }

    private void recover(CrashingStorage storage) {
        LogScan scan = LogReader.scan(storage, DIRECTORY);
        String where = context + ", life " + life;
        switch (scan.verdict()) {
            case LogVerdict.Empty empty -> assertThat(life).as(where).isPositive();
            case LogVerdict.Closed closed -> {}
            case LogVerdict.Cut cut -> {
                assertThat(wasClosed).as(where).isFalse();
                reach(cut.found().equals("nothing") ? Reached.CUT_NOTHING : Reached.CUT_SOMETHING);
            }
            case LogVerdict.Corrupt corrupt -> throw new AssertionError(where + ": " + corrupt);
        }
        Map<Integer, StreamSummary> summaries = scan.streams();
        for (StreamModel model : streams) {
            int stream = streams.indexOf(model);
            List<StreamModel.Entry> recovered = new ArrayList<>();
            scan.replay(wanted -> wanted == stream, (record, segment, offset) -> {
                assertThat(record.stream()).isEqualTo(stream);
                recovered.add(StreamModel.read(record));
            });
            int before = model.size();
            StreamSummary summary = summaries.getOrDefault(stream, new StreamSummary(0, 0, 0));
            model.recover(recovered, summary.baseSequence(), where);
            if (model.size() < before) {
                reach(Reached.LOST_UNACKNOWLEDGED);
            }
        }
    }

    private void work(OperationLog log, int steps) {
        for (int i = 0; i < steps; i++) {
            StreamModel stream = streams.get(random.nextInt(STREAMS));
            try {
                step(log, stream);
            } catch (FulmarException e) {
                assertThat(e.code()).as(context).isEqualTo(ErrorCode.DISK_FULL);
                reach(Reached.SHORTAGE);
                streams.forEach(any -> any.release(log, any.durableSequence()));
            }
        }
        count(log.counters());
    }

    private void count(LogCounters counters) {
        if (counters.rotations() > 0) {
            reach(Reached.ROTATION);
        }
        if (counters.rotations() > SETTINGS.maxSegments()) {
            reach(Reached.REUSE);
        }
        if (counters.seals() > 1) {
            reach(Reached.IDLE_SEAL);
        }
        if (counters.largestGroupRecords() > 1) {
            reach(Reached.GROUP_OF_MANY);
        }
        assertThat(counters.fences()).as(context).isEqualTo(counters.groups() + counters.seals());
    }

    private void step(OperationLog log, StreamModel stream) {
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3, 4, 5 -> append(stream, random.nextInt(200));
            case 6 -> append(stream, random.nextInt(2_900));
            case 7, 8, 9 -> log.doWork();
            case 10, 11 -> log.preparer().doWork();
            case 12 -> world.runFor(SETTINGS.sealAfterIdleNanos());
            case 13 -> stream.release(log, stream.durableSequence() - random.nextInt(5));
            case 14 -> {
                log.doWork();
                log.preparer().doWork();
                log.preparer().doWork();
            }
            default -> {
                if (random.nextInt(4) == 0 && stream.beginEpoch(nextId++, random.nextInt(4))) {
                    reach(Reached.EPOCH);
                }
            }
        }
    }

    private void append(StreamModel stream, int payloadBytes) {
        if (stream.append(RecordKind.VALUES, nextId++, payloadBytes)) {
            reach(Reached.APPENDED);
        }
    }
}
