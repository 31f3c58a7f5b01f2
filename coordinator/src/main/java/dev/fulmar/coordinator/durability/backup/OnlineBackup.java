package dev.fulmar.coordinator.durability.backup;

import dev.fulmar.coordinator.durability.checkpoint.Checkpoints;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.backup.BackupCopy;
import dev.fulmar.pmemlog.backup.BackupManifest;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.checkpoint.Checkpointer;
import dev.fulmar.pmemlog.log.DurableEnd;
import dev.fulmar.pmemlog.log.OperationLog;
import dev.fulmar.pmemlog.segment.LogControl;
import dev.fulmar.pmemlog.segment.SegmentNames;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Agent that makes a backup while the database works. It has a checkpoint made, holds back later ones, copies the files
 * of the checkpoints, makes a cut, and copies the log up to it. Transactions go on all the time; the log only gives up
 * no space meanwhile. A step copies one file.
 */
public final class OnlineBackup implements Agent {
    /** Property of a manifest: commits up to this timestamp are in the backup. */
    static final String TIMESTAMP = "timestamp";

    /** Property of a manifest: a state before this timestamp cannot be had from the backup. */
    static final String EARLIEST = "earliest";

    private final Checkpoints checkpoints;
    private final OperationLog log;
    private final Storage source;
    private final Storage target;
    private final SortedMap<String, String> properties;
    private final LongFunction<BackupCut> cutter;
    private final Clock clock;
    private final BackupFigures figures;
    private final Runnable copiedFile;
    private final BackupCopy copy;
    private final Deque<String> files = new ArrayDeque<>();
    private final long beginNanos;
    private Step step = Step.BEGIN;
    private long roundsBefore;
    private long earliest;
    private @Nullable BackupCut cut;
    private @Nullable DurableEnd end;
    private boolean closed;

    private enum Step {
        BEGIN,
        CHECKPOINT,
        HOLD,
        COPY_CHECKPOINTS,
        CUT,
        COPY_LOG,
        FINISH,
        OVER
    }

    /**
     * @param properties what the manifest is to say beside the times
     * @param alsoFiles small files that do not change and belong to the backup
     * @param cutter makes a cut, not before the timestamp
     */
    public OnlineBackup(
            Checkpoints checkpoints,
            OperationLog log,
            Storage source,
            Storage target,
            SortedMap<String, String> properties,
            List<String> alsoFiles,
            LongFunction<BackupCut> cutter,
            Clock clock,
            BackupFigures figures) {
        this.checkpoints = checkpoints;
        this.log = log;
        this.source = source;
        this.target = target;
        this.properties = new TreeMap<>(properties);
        this.files.addAll(alsoFiles);
        this.cutter = cutter;
        this.clock = clock;
        this.figures = figures;
        this.copiedFile = this::checkOpen;
        this.copy = new BackupCopy(source, target, bytes -> {
            figures.copied(bytes);
            copiedFile.run();
        });
        this.beginNanos = clock.monotonicNanos();
    }

    @Override
    public String roleName() {
        return "backup " + figures.directory();
    }

    private void checkOpen() {
        if (closed) {
            throw new FulmarException(ErrorCode.NODE_STOPPING, "the node stops; take the backup again when it runs");
        }
        checkLog();
    }

    @Override
    public int doWork() {
        if (step == Step.OVER) {
            return 0;
        }
        try {
            checkLog();
            Step next = switch (step) {
                case BEGIN -> begin();
                case CHECKPOINT -> awaitCheckpoint();
                case HOLD -> awaitHold();
                case COPY_CHECKPOINTS -> copyFile() ? step : cut();
                case CUT -> awaitCut();
                case COPY_LOG -> copyFile() ? step : copyEnd();
                case FINISH -> finish();
                case OVER -> step;
            };
            Invariants.check(
                    next == step || next.compareTo(step) == 1,
                    "a backup takes the steps of its copying in their order");
            boolean moved = next != step || step == Step.COPY_CHECKPOINTS || step == Step.COPY_LOG;
            step = next;
            return moved ? 1 : 0;
        } catch (IOException e) {
            fail("the backup in " + figures.directory() + " could not be written: " + e.getMessage()
                    + "; check the device and take it again into another directory");
        } catch (FulmarException e) {
            fail(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) { // a database goes on without its backup
            fail("the backup in " + figures.directory() + " met a defect: " + e + "; please report this");
        }
        return 1;
    }

    /**
     * The log is held until it is copied; before that a checkpoint, which is what this waits for, may bring it space.
     */
    private void checkLog() {
        FulmarException failure = log.failure();
        if (failure != null) {
            throw failure;
        }
        FulmarException shortage = log.shortage();
        if (shortage != null && isHolding()) {
            throw new FulmarException(
                    ErrorCode.DISK_FULL,
                    "the log needs the space that the backup keeps it from using again (" + shortage.getMessage()
                            + "); take the backup again at a quieter time, or to a faster device",
                    shortage);
        }
    }

    private boolean isHolding() {
        return switch (step) {
            case BEGIN, CHECKPOINT, FINISH, OVER -> false;
            case HOLD, COPY_CHECKPOINTS, CUT, COPY_LOG -> true;
        };
    }

    private void fail(String why) {
        resume();
        step = Step.OVER;
        figures.failed(why + discard());
    }

    /** Others may need the space of what is no backup; says what could not be removed. */
    private String discard() {
        try {
            for (String directory : List.of(log.settings().directory(), checkpoints.directory())) {
                for (String name : target.list(directory)) {
                    target.delete(directory + "/" + name);
                }
            }
            return "";
        } catch (IOException e) {
            return "; what was copied could not be removed: " + e.getMessage();
        }
    }

    private void resume() {
        log.resume();
        checkpoints.checkpointer().resume();
    }

    private Step begin() {
        roundsBefore = checkpoints.counters().rounds();
        checkpoints.request();
        return Step.CHECKPOINT;
    }

    /** A fresh checkpoint makes the log of the backup short. One that is not possible is not needed. */
    private Step awaitCheckpoint() {
        Checkpointer checkpointer = checkpoints.checkpointer();
        boolean failed = checkpointer.failure() != null;
        if (!failed && checkpoints.counters().rounds() == roundsBefore) {
            FulmarException shortage = checkpointer.shortage();
            if (shortage != null) {
                throw shortage;
            }
            return step;
        }
        log.hold();
        checkpointer.hold();
        return Step.HOLD;
    }

    private Step awaitHold() throws IOException {
        if (!checkpoints.checkpointer().isHeld() || log.heldEnd() == null) {
            return step;
        }
        files.addAll(checkpoints.files());
        for (CheckpointPosition position : checkpoints.newestPositions().values()) {
            earliest = Math.max(earliest, position.commitTimestamp());
        }
        figures.total(bytesOfFiles());
        figures.state(BackupFigures.State.COPYING_CHECKPOINTS);
        return Step.COPY_CHECKPOINTS;
    }

    private long bytesOfFiles() throws IOException {
        long bytes = 0;
        for (String name : files) {
            try (StorageFile file = source.open(name)) {
                bytes += file.size();
            }
        }
        return bytes;
    }

    /** False if there is none left. */
    private boolean copyFile() throws IOException {
        String name = files.poll();
        if (name == null) {
            return false;
        }
        copy.file(name);
        return true;
    }

    private Step cut() {
        figures.state(BackupFigures.State.CUTTING);
        BackupCut made = cutter.apply(earliest);
        cut = made;
        made.begin();
        return Step.CUT;
    }

    private Step awaitCut() throws IOException {
        BackupCut made = cut;
        if (made == null || !made.isDurable()) {
            return step;
        }
        DurableEnd durable = log.heldEnd();
        if (durable == null) {
            return step;
        }
        end = durable;
        String directory = log.settings().directory();
        for (long segment = durable.firstSegment(); segment < durable.lastSegment(); segment++) {
            files.add(SegmentNames.segment(directory, segment));
        }
        figures.total(figures.copiedBytes()
                + (durable.lastSegment() - durable.firstSegment() + 1)
                        * log.settings().segmentBytes());
        figures.timestamp(made.timestamp());
        figures.state(BackupFigures.State.COPYING_LOG);
        return Step.COPY_LOG;
    }

    /** The segment that is being written, as far as it counts, and a control file that knows of no other. */
    private Step copyEnd() throws IOException {
        DurableEnd last = end;
        if (last == null) {
            return step;
        }
        String directory = log.settings().directory();
        copy.beginning(SegmentNames.segment(directory, last.lastSegment()), last.offset());
        String control = SegmentNames.control(directory);
        LogControl known;
        try (StorageFile file = source.open(control)) {
            known = LogControl.readFrom(file).control();
        }
        if (known == null) {
            throw new FulmarException(ErrorCode.CORRUPTION, control + " cannot be read; restore it from a copy");
        }
        try (StorageFile file = target.openSynchronous(control)) {
            new LogControl(known.logId(), known.version() + 1, last.firstSegment(), last.lastSegment()).writeTo(file);
        }
        copy.written(control);
        resume();
        return Step.FINISH;
    }

    private Step finish() throws IOException {
        target.forceDirectory(log.settings().directory());
        target.forceDirectory(checkpoints.directory());
        target.forceDirectory("");
        properties.put(TIMESTAMP, Long.toString(figures.timestamp()));
        properties.put(EARLIEST, Long.toString(earliest));
        new BackupManifest(properties, copy.files()).writeTo(target);
        figures.done(clock.monotonicNanos() - beginNanos);
        return Step.OVER;
    }

    @Override
    public void onClose() {
        closed = true;
        if (step != Step.OVER) {
            fail("the node stopped; take the backup again when it runs");
        }
    }
}
