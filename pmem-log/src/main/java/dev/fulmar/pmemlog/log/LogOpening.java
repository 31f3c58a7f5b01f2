package dev.fulmar.pmemlog.log;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.foundation.storage.StorageNames;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.recovery.GroupPlace;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import dev.fulmar.pmemlog.recovery.LogVerdict;
import dev.fulmar.pmemlog.recovery.SegmentSummary;
import dev.fulmar.pmemlog.segment.LogControl;
import dev.fulmar.pmemlog.segment.SegmentNames;
import dev.fulmar.pmemlog.segment.StreamEnd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Opens a log where a scan says that it ends. Before the log may be used, everything that the scan found is made
 * durable: it may have been read from the operating system's memory, and what a reader has seen must not vanish.
 */
public final class LogOpening {
    private final Storage storage;
    private final Clock clock;
    private final LogSettings settings;
    private final LogScan scan;
    private final LogHealth health = new LogHealth();
    private final SegmentSupply supply = new SegmentSupply();
    private final LiveSegments live = new LiveSegments();
    private final SegmentPreparer preparer;
    private final StorageFile controlFile;
    private LogControl control;
    private int segmentCount;

    private LogOpening(Storage storage, Clock clock, RandomSource random, LogSettings settings, LogScan scan)
            throws IOException {
        this.storage = storage;
        this.clock = clock;
        this.settings = settings;
        this.scan = scan;
        LogControl known = scan.control();
        this.control = known != null ? known : new LogControl(random.nextLong(), 0, 1, 0);
        this.controlFile = storage.openSynchronous(SegmentNames.control(settings.directory()));
        claimSegments();
        this.preparer = new SegmentPreparer(storage, settings, clock, health, supply, control, controlFile);
        sweep();
    }

    /** Reads the log in the settings' directory, verifies it, and opens it. */
    public static OperationLog open(
            Storage storage, Clock clock, RandomSource random, LogSettings settings, DurabilityListener listener) {
        return open(storage, clock, random, settings, listener, LogReader.scan(storage, settings.directory()));
    }

    /** Opens the scanned log, which must be unchanged since the scan. Fails if it is corrupt. */
    public static OperationLog open(
            Storage storage,
            Clock clock,
            RandomSource random,
            LogSettings settings,
            DurabilityListener listener,
            LogScan scan) {
        scan.check();
        try {
            LogOpening opening = new LogOpening(storage, clock, random, settings, scan);
            opening.certifyEnd();
            OperationLog log = new OperationLog(opening, listener);
            opening.begin(log);
            return log;
        } catch (IOException e) {
            throw LogHealth.ofDevice("opening", settings.directory(), 0, e);
        }
    }

    LogSettings settings() {
        return settings;
    }

    Clock clock() {
        return clock;
    }

    LogHealth health() {
        return health;
    }

    SegmentSupply supply() {
        return supply;
    }

    SegmentPreparer preparer() {
        return preparer;
    }

    LiveSegments live() {
        return live;
    }

    SortedMap<Integer, StreamEnd> streamEnds() {
        return scan.streamEnds();
    }

    int life() {
        return scan.life() + 1;
    }

    long lastGroup() {
        return scan.lastGroup();
    }

    boolean endsClosed() {
        return scan.verdict() instanceof LogVerdict.Closed;
    }

    /**
     * Makes the control file say which segments there are. Empty segments at the end of the log that are not of the
     * settings' shape are given up.
     */
    private void claimSegments() throws IOException {
        segmentCount = scan.segments().size();
        for (int i = segmentCount - 1; i > scan.endSegmentIndex(); i--) {
            if (!settings.matches(scan.segments().get(i).header())) {
                segmentCount = i;
            }
        }
        long last = segmentCount == 0
                ? control.lastSegment()
                : scan.segments().get(segmentCount - 1).header().number();
        // A name that the scan saw may not be durable yet, and the control file claims none that is not.
        storage.forceDirectory(settings.directory());
        storage.forceDirectory(StorageNames.directoryOf(settings.directory()));
        control = new LogControl(control.logId(), control.version() + 1, control.firstSegment(), last);
        control.writeTo(controlFile);
    }

    /** Deletes what the log does not claim, and gives the preparer spare files that fit. */
    private void sweep() throws IOException {
        int spares = 0;
        for (String last : storage.list(settings.directory())) {
            String name = settings.directory() + "/" + last;
            long segment = SegmentNames.segmentNumber(last);
            boolean unclaimed = segment >= 0 && (segment < control.firstSegment() || segment > control.lastSegment());
            boolean spare = SegmentNames.spareNumber(last) >= 0;
            if (spare && spares <= settings.readySegments() && sizeOf(name) == settings.segmentBytes()) {
                preparer.addSpare(name);
                spares++;
            } else if (unclaimed || spare || SegmentNames.isPreparing(last)) {
                storage.delete(name);
            }
        }
    }

    private long sizeOf(String name) throws IOException {
        try (StorageFile file = storage.open(name)) {
            return file.size();
        }
    }

    /**
     * Writes the last group again and erases the bytes behind it. The group may have been read from memory that the
     * device never saw, and a group that is cut now must never come back.
     */
    private void certifyEnd() throws IOException {
        GroupPlace last = scan.lastGroupPlace();
        for (int i = 0; i < segmentCount; i++) {
            SegmentSummary segment = scan.segments().get(i);
            boolean holdsLast =
                    last != null && last.segment() == segment.header().number();
            boolean holdsEnd = i == scan.endSegmentIndex();
            if (holdsLast || holdsEnd) {
                try (StorageFile file = storage.openSynchronous(segment.file())) {
                    if (last != null && holdsLast) {
                        rewrite(file, last.offset(), last.bytes());
                    }
                    if (holdsEnd && scan.endOffset() < segment.header().segmentBytes()) {
                        file.write(
                                scan.endOffset(),
                                ByteBuffer.allocateDirect(segment.header().blockBytes()));
                    }
                }
            }
        }
    }

    private static void rewrite(StorageFile file, int offset, int bytes) throws IOException {
        ByteBuffer copy = ByteBuffer.allocateDirect(bytes);
        file.read(offset, copy);
        file.write(offset, copy.flip());
    }

    private void begin(OperationLog log) throws IOException {
        PreparedSegment current = null;
        SortedMap<Integer, Long> sequences = new TreeMap<>();
        for (int i = 0; i < segmentCount; i++) {
            SegmentSummary segment = scan.segments().get(i);
            if (i < scan.endSegmentIndex()) {
                live.add(segment.header(), segment.lastSequences());
            } else {
                PreparedSegment open =
                        new PreparedSegment(segment.file(), segment.header(), storage.openSynchronous(segment.file()));
                if (i == scan.endSegmentIndex()) {
                    current = open;
                    sequences = segment.lastSequences();
                } else {
                    supply.offer(open);
                }
            }
        }
        log.begin(current, scan.endOffset(), sequences);
    }
}
