package dev.fulmar.pmemlog.recovery;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.pmemlog.recovery.LogScan.End;
import dev.fulmar.pmemlog.recovery.LogVerdict.Corrupt;
import dev.fulmar.pmemlog.segment.LogControl;
import dev.fulmar.pmemlog.segment.SegmentHeader;
import dev.fulmar.pmemlog.segment.SegmentNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads a log's files and verifies them, changing nothing. */
public final class LogReader {
    private final Storage storage;
    private final String directory;
    private final List<String> remarks = new ArrayList<>();
    private @Nullable LogControl control;

    private LogReader(Storage storage, String directory) {
        this.storage = storage;
        this.directory = directory;
    }

    /** Reads the log in the directory. Fails only if a file cannot be read; what it holds is the scan's verdict. */
    public static LogScan scan(Storage storage, String directory) {
        return new LogReader(storage, directory).scan();
    }

    private LogScan scan() {
        List<Long> numbers = new ArrayList<>();
        boolean hasControl;
        try {
            for (String name : storage.list(directory)) {
                long number = SegmentNames.segmentNumber(name);
                if (number >= 0) {
                    numbers.add(number);
                }
            }
            hasControl = storage.exists(SegmentNames.control(directory));
        } catch (IOException e) {
            throw unreadable(directory, e);
        }
        if (hasControl) {
            readControl();
        }
        LogControl known = control;
        if (known == null) {
            return numbers.isEmpty()
                    ? empty()
                    : corrupt(SegmentNames.control(directory), 0, missingControl(hasControl));
        }
        numbers.removeIf(number -> number < known.firstSegment());
        return scanSegments(known, numbers);
    }

    private static String missingControl(boolean exists) {
        return exists ? "neither copy of the log's control data can be read" : "the file is missing";
    }

    private void readControl() {
        String name = SegmentNames.control(directory);
        try (StorageFile file = storage.open(name)) {
            LogControl.Found found = LogControl.readFrom(file);
            control = found.control();
            if (found.damaged() >= 0) {
                remarks.add("a copy of the control data is damaged in " + name + " at offset " + found.damaged());
            }
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    private LogScan scanSegments(LogControl known, List<Long> numbers) {
        long last = Math.max(known.lastSegment(), numbers.isEmpty() ? 0 : numbers.getLast());
        for (long number = known.firstSegment(); number <= last; number++) {
            int index = (int) (number - known.firstSegment());
            if (index >= numbers.size() || numbers.get(index) != number) {
                return corrupt(SegmentNames.segment(directory, number), 0, "the file is missing");
            }
        }
        if (numbers.isEmpty()) {
            return empty();
        }
        List<SegmentHeader> headers = new ArrayList<>();
        for (long number : numbers) {
            String name = SegmentNames.segment(directory, number);
            try (SegmentReader reader = new SegmentReader(storage, name)) {
                SegmentHeader header = reader.header();
                if (header == null || header.number() != number || header.logId() != known.logId()) {
                    return corrupt(name, 0, "this is not the header of the segment, or the file is too short");
                }
                headers.add(header);
            }
        }
        ChainReader chain = new ChainReader(storage, directory, headers);
        LogVerdict verdict = chain.read();
        return new LogScan(storage, directory, verdict, remarks, known, chain.segments(), chain.streams(), chain.end());
    }

    private LogScan empty() {
        return withoutSegments(new LogVerdict.Empty());
    }

    private LogScan corrupt(String file, int offset, String reason) {
        return withoutSegments(new Corrupt(file, offset, reason));
    }

    private LogScan withoutSegments(LogVerdict verdict) {
        Map<Integer, StreamHistory> none = new TreeMap<>();
        return new LogScan(storage, directory, verdict, remarks, control, List.of(), none, new End(0, null, 0, 0, 0));
    }

    private static FulmarException unreadable(String name, IOException cause) {
        return new FulmarException(
                ErrorCode.STORAGE_FAILURE,
                "cannot read " + name + ": " + cause.getMessage() + "; check the device, then start again",
                cause);
    }
}
