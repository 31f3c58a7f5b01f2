package dev.fulmar.pmemlog.log;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Scarcity;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.backup.BackupCopy;
import dev.fulmar.pmemlog.segment.LogControl;
import dev.fulmar.pmemlog.segment.SegmentHeader;
import dev.fulmar.pmemlog.segment.SegmentNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Has segments ready before the log needs them, in small steps, and uses the space of those that come back. Invariant:
 * a file bears a segment's name only once its space is allocated and its header is durable; the control file claims a
 * segment only once its name is durable, and gives one up before its name goes.
 */
public final class SegmentPreparer implements Agent {
    /**
     * Small writes: of a file that was written in large ones the kernel may later write back large pieces for small
     * changes.
     */
    private static final int PIECE_BYTES = 1 << 16;

    /** Bytes between two forces, so that no force takes long. */
    private static final int FORCE_BYTES = 1 << 20;

    private static final long RETRY_NANOS = 1_000_000_000;

    private final Storage storage;
    private final LogSettings settings;
    private final Clock clock;
    private final LogHealth health;
    private final SegmentSupply supply;
    private final StorageFile controlFile;
    private final Deque<String> spares = new ArrayDeque<>();
    private final ByteBuffer zeros;
    private final Deque<SegmentHeader> unarchived = new ArrayDeque<>();
    private final AtomicLong writtenBytes = new AtomicLong();
    private final AtomicLong reusedSegments = new AtomicLong();
    private final long logId;
    private LogControl control;
    private volatile @Nullable Storage archive;
    private volatile long mostArchivedBytes = Long.MAX_VALUE;
    private volatile @Nullable FulmarException archiveFailure;
    private long archiveRetryNanos;
    private @Nullable Filling filling;
    private boolean waitsForRoom;
    private long waitsSinceNanos;

    /** A new file on its way to its size. */
    private static final class Filling {
        private final String name;
        private final StorageFile file;
        private int filled;
        private int forced;

        Filling(String name, StorageFile file) {
            this.name = name;
            this.file = file;
        }
    }

    SegmentPreparer(
            Storage storage,
            LogSettings settings,
            Clock clock,
            LogHealth health,
            SegmentSupply supply,
            LogControl control,
            StorageFile controlFile) {
        this.storage = storage;
        this.settings = settings;
        this.clock = clock;
        this.health = health;
        this.supply = supply;
        this.control = control;
        this.logId = control.logId();
        this.controlFile = controlFile;
        this.zeros = ByteBuffer.allocateDirect(Math.min(PIECE_BYTES, settings.segmentBytes()));
    }

    /** Bytes written so far. For any thread. */
    AtomicLong writtenBytes() {
        return writtenBytes;
    }

    /** Segments made of former ones. For any thread. */
    AtomicLong reusedSegments() {
        return reusedSegments;
    }

    @Override
    public String roleName() {
        return "log preparer " + settings.directory();
    }

    /** A spare file of the right size, from an earlier life of the log. */
    void addSpare(String name) {
        spares.add(name);
    }

    @Override
    public int doWork() {
        if (health.failure() != null) {
            return 0;
        }
        try {
            return step();
        } catch (IOException e) {
            health.fail(LogHealth.ofDevice("preparation", settings.directory(), 0, e));
            return 1;
        }
    }

    private int step() throws IOException {
        SegmentHeader freed = supply.takeFreed();
        Storage keeping = archive;
        if (freed != null && keeping == null && unarchived.isEmpty()) {
            retire(freed);
            return 1;
        }
        if (freed != null) {
            unarchived.add(freed);
        }
        if (keeping != null && archiveOldest(keeping)) {
            return 1;
        }
        if (filling != null) {
            fill(filling);
            return 1;
        }
        if (supply.readyCount() >= settings.readySegments()) {
            return 0;
        }
        if (control.lastSegment() - control.firstSegment() + 1 >= settings.maxSegments()) {
            supply.shortage(limitReached());
            return 0;
        }
        if (waitsForRoom && clock.monotonicNanos() - waitsSinceNanos < RETRY_NANOS) {
            return 0;
        }
        String spare = spares.poll();
        if (spare != null) {
            adopt(spare);
            reusedSegments.incrementAndGet();
            return 1;
        }
        return beginFilling();
    }

    private FulmarException limitReached() {
        return new FulmarException(
                ErrorCode.DISK_FULL,
                "the log in " + settings.directory() + " has " + settings.maxSegments() + " segments of "
                        + settings.segmentBytes()
                        + " bytes, its limit, and no checkpoint has made one of them needless;"
                        + " wait for a checkpoint, or allow the log more segments");
    }

    /**
     * Every segment is copied there before its space is used again. Fails if segments of another log are there already.
     * For any thread, best before anything is written.
     *
     * @param mostBytes what the archive may have; its oldest segments go for new ones, but the newest one stays
     */
    public void archiveTo(Storage target, long mostBytes) throws IOException {
        for (String last : target.list(settings.directory())) {
            if (SegmentNames.segmentNumber(last) >= 0) {
                checkOwn(target, settings.directory() + "/" + last);
            }
        }
        mostArchivedBytes = mostBytes;
        archive = target;
    }

    /**
     * Numbers of segments begin at 1 in each log: what another database, or the one before a restore, has archived must
     * not be overwritten.
     */
    private void checkOwn(Storage target, String name) throws IOException {
        if (!target.exists(name)) {
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(SegmentHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (StorageFile file = target.open(name)) {
            file.read(0, bytes);
        }
        SegmentHeader header = SegmentHeader.read(bytes.flip());
        if (header != null && header.logId() != logId) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the archive has " + name
                            + " of another database's log; give each database an archive of its own, a"
                            + " restored one too");
        }
    }

    /**
     * The reason for which segments cannot be archived now, so that the log grows; null while they can. For any thread.
     */
    public @Nullable FulmarException archiveFailure() {
        return archiveFailure;
    }

    private boolean archiveOldest(Storage target) throws IOException {
        SegmentHeader oldest = unarchived.peek();
        if (oldest == null || (archiveFailure != null && clock.monotonicNanos() - archiveRetryNanos < 0)) {
            return false;
        }
        String name = SegmentNames.segment(settings.directory(), oldest.number());
        try {
            checkOwn(target, name);
            new BackupCopy(storage, target, bytes -> {}).file(name);
            target.forceDirectory(settings.directory());
            pruneArchive(target);
        } catch (IOException e) {
            return archiveFails(Scarcity.isOfSpace(e) ? ErrorCode.DISK_FULL : ErrorCode.STORAGE_FAILURE, e);
        } catch (FulmarException e) {
            return archiveFails(e.code(), e);
        }
        archiveFailure = null;
        unarchived.remove();
        retire(oldest);
        return true;
    }

    /** Once the newest segment is there durably, the oldest ones beyond the archive's size go. */
    private void pruneArchive(Storage target) throws IOException {
        if (mostArchivedBytes == Long.MAX_VALUE) {
            return;
        }
        List<String> archived = target.list(settings.directory()).stream()
                .filter(name -> SegmentNames.segmentNumber(name) >= 0)
                .toList();
        long kept = Math.max(1, mostArchivedBytes / settings.segmentBytes());
        for (String name : archived.subList(0, (int) Math.max(0, archived.size() - kept))) {
            target.delete(settings.directory() + "/" + name);
        }
    }

    private boolean archiveFails(ErrorCode code, Exception cause) {
        archiveFailure = new FulmarException(
                code,
                "the log cannot be archived: " + cause.getMessage()
                        + "; it grows until that works again, which is tried once a second",
                cause);
        archiveRetryNanos = clock.monotonicNanos() + RETRY_NANOS;
        return false;
    }

    private void retire(SegmentHeader first) throws IOException {
        List<SegmentHeader> retired = new ArrayList<>();
        for (SegmentHeader next = first; next != null; next = archive == null ? supply.takeFreed() : null) {
            retired.add(next);
        }
        changeControl(retired.getLast().number() + 1, control.lastSegment());
        // As many as a checkpoint sets free will be needed until the next one; filling new ones would write all their
        // bytes again.
        int mostSpares = Math.max(settings.readySegments() + 1, retired.size());
        for (SegmentHeader segment : retired) {
            String name = SegmentNames.segment(settings.directory(), segment.number());
            if (settings.matches(segment) && spares.size() < mostSpares) {
                String spare = SegmentNames.spare(settings.directory(), segment.number());
                storage.rename(name, spare);
                spares.add(spare);
            } else {
                storage.delete(name);
            }
        }
        try {
            storage.forceDirectory(settings.directory());
        } catch (IOException e) {
            if (!Scarcity.isOfDescriptors(e)) {
                throw e;
            }
            // The next segment forces these names with its own; until then an opening deletes what comes back.
        }
        waitsForRoom = false;
        supply.shortage(null);
    }

    private int beginFilling() throws IOException {
        String name = SegmentNames.preparing(settings.directory(), control.lastSegment() + 1);
        try {
            filling = new Filling(name, storage.open(name));
        } catch (IOException e) {
            refuse(name, 0, e);
        }
        return 1;
    }

    private void fill(Filling file) throws IOException {
        boolean filled;
        try {
            zeros.clear().limit(Math.min(zeros.capacity(), settings.segmentBytes() - file.filled));
            int piece = zeros.remaining();
            file.file.write(file.filled, zeros);
            file.filled += piece;
            writtenBytes.addAndGet(piece);
            filled = file.filled == settings.segmentBytes();
            if (filled || file.filled - file.forced >= FORCE_BYTES) {
                file.file.force();
                file.forced = file.filled;
            }
        } catch (IOException e) {
            file.file.close();
            filling = null;
            refuse(file.name, file.filled, e);
            return;
        }
        if (filled) {
            file.file.close();
            filling = null;
            adopt(file.name);
        }
    }

    /** A file that cannot get its space is deleted, for others need what it got. */
    private void refuse(String name, int offset, IOException cause) throws IOException {
        if (Scarcity.isOfSpace(cause)) {
            storage.delete(name);
            waitForRoom(name, offset, cause);
        } else if (Scarcity.isOfDescriptors(cause)) {
            waitForRoom(name, offset, cause);
        } else {
            health.fail(LogHealth.ofDevice("preparation", name, offset, cause));
        }
    }

    private void waitForRoom(String name, int offset, IOException cause) {
        waitsForRoom = true;
        waitsSinceNanos = clock.monotonicNanos();
        supply.shortage(LogHealth.noRoom(name, offset, cause));
    }

    /** The file, whose space is allocated, stays for the next attempt if it only could not be opened. */
    private void keepForLater(String name, IOException cause) throws IOException {
        if (!Scarcity.isOfDescriptors(cause)) {
            throw cause;
        }
        spares.add(name);
        waitForRoom(name, 0, cause);
    }

    /** Makes the file, whose space is allocated, the next segment. */
    private void adopt(String name) throws IOException {
        SegmentHeader header = new SegmentHeader(
                control.logId(), control.lastSegment() + 1, settings.segmentBytes(), settings.blockBytes());
        String segment = SegmentNames.segment(settings.directory(), header.number());
        StorageFile file;
        try {
            file = storage.openSynchronous(name);
        } catch (IOException e) {
            keepForLater(name, e);
            return;
        }
        file.write(0, header.toBlock());
        writtenBytes.addAndGet(settings.blockBytes());
        storage.rename(name, segment);
        try {
            storage.forceDirectory(settings.directory());
        } catch (IOException e) {
            if (Scarcity.isOfDescriptors(e)) {
                storage.rename(segment, name);
                file.close();
            }
            keepForLater(name, e);
            return;
        }
        changeControl(control.firstSegment(), header.number());
        supply.offer(new PreparedSegment(segment, header, file));
        waitsForRoom = false;
        supply.shortage(null);
    }

    private void changeControl(long firstSegment, long lastSegment) throws IOException {
        control = new LogControl(control.logId(), control.version() + 1, firstSegment, lastSegment);
        control.writeTo(controlFile);
        writtenBytes.addAndGet(LogControl.WRITTEN_BYTES);
    }

    @Override
    public void onClose() {
        try {
            if (filling != null) {
                filling.file.close();
                filling = null;
            }
            PreparedSegment unused = supply.take();
            while (unused != null) {
                unused.file().close();
                unused = supply.take();
            }
            controlFile.close();
        } catch (IOException e) {
            health.fail(LogHealth.ofDevice("closing", settings.directory(), 0, e));
        }
    }
}
