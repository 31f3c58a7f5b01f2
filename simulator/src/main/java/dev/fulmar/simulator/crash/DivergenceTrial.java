package dev.fulmar.simulator.crash;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.simulated.SimulatedDisk;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.checkpoint.CheckpointStore;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import dev.fulmar.pmemlog.segment.GroupHeader;
import dev.fulmar.pmemlog.segment.SegmentNames;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Starts a database on a copy of its disk with a false record in the log, all checksums right. The log says of one
 * command that it changed other rows than it did. The recovery takes that for a procedure which does something else
 * when it is called again, and must refuse.
 */
final class DivergenceTrial {
    private static final int DIGEST_OFFSET = 64;
    private static final int CHECKED_OFFSET = 4;

    private final CrashSetup setup;
    private final SimulatedWorld world;

    /** The first command that no checkpoint covers; that one is called again for sure. */
    private @Nullable Command command;

    private record Command(String file, long segment, int offset, int length, int blockBytes) {}

    DivergenceTrial(CrashSetup setup, SimulatedDisk disk, long nowNanos, long seed) {
        this.setup = setup;
        world = new SimulatedWorld(seed);
        world.runFor(nowNanos);
        world.disk(CrashSetup.NODE).become(disk);
    }

    /** Whether the log had a command that is called again. */
    boolean isPossible() {
        return command != null;
    }

    /** Does it; returns what is wrong, null if nothing is. */
    @Nullable String run() throws IOException {
        SimulatedProcess process = world.startProcess(CrashSetup.NODE);
        Command forged = find(process.storage());
        command = forged;
        if (forged == null) {
            return null;
        }
        forge(process.storage(), forged);
        List<String> ignored = new ArrayList<>();
        SimulatedDatabase database =
                setup.database(world, process, process.storage(), setup.order(), ignored::add, ignored::add);
        try {
            database.start();
            return "a command that does something else when it is called again is not noticed";
        } catch (FulmarException refusal) {
            String text = String.valueOf(refusal.getMessage());
            boolean tells = refusal.code() == ErrorCode.REPLAY_DIVERGED
                    && text.contains(forged.file)
                    && text.contains("offset " + forged.offset);
            return tells ? null : "of a command that went astray the start says only: " + refusal;
        } finally {
            process.kill();
            database.abandon();
        }
    }

    private static @Nullable Command find(Storage storage) {
        LogScan scan = LogReader.scan(storage, CrashSetup.LOG_DIRECTORY);
        scan.check();
        SortedMap<Integer, CheckpointPosition> covered =
                CheckpointStore.openToRead(storage, CrashSetup.CHECKPOINTS).positions();
        List<Command> commands = new ArrayList<>();
        scan.replay(stream -> stream >= 0, (record, segment, offset) -> {
            CheckpointPosition position = covered.getOrDefault(record.stream(), CheckpointPosition.START);
            if (record.kind() == RecordKind.COMMAND && record.sequence() > position.sequence()) {
                int block = scan.segments().getFirst().header().blockBytes();
                String file = SegmentNames.segment(CrashSetup.LOG_DIRECTORY, segment);
                commands.add(new Command(file, segment, offset, record.length(), block));
            }
        });
        return commands.isEmpty() ? null : commands.getFirst();
    }

    private static void forge(Storage storage, Command command) throws IOException {
        try (StorageFile file = storage.open(command.file)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size()).order(ByteOrder.LITTLE_ENDIAN);
            file.read(0, bytes);
            bytes.clear();
            int digest = command.offset + DIGEST_OFFSET;
            bytes.putLong(digest, ~bytes.getLong(digest));
            CRC32C checksum = new CRC32C();
            checksum.update(bytes.slice(command.offset + CHECKED_OFFSET, command.length - CHECKED_OFFSET));
            bytes.putInt(command.offset, (int) checksum.getValue());
            int place = groupOf(bytes, command);
            GroupHeader group = GroupHeader.read(bytes, place);
            if (group == null) {
                throw new IllegalStateException("a group that was there a moment ago is gone");
            }
            new GroupHeader(
                            group.logId(),
                            group.segment(),
                            group.offset(),
                            group.life(),
                            group.number(),
                            group.attested(),
                            group.recordCount(),
                            group.bodyBytes(),
                            GroupHeader.checksumOf(bytes, place + GroupHeader.BYTES, group.bodyBytes()))
                    .writeTo(bytes.slice(place, GroupHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN));
            file.write(0, bytes);
            file.force();
        }
    }

    /** Offset of the group that has the command: the last one that begins before it. */
    private static int groupOf(ByteBuffer bytes, Command command) {
        for (int place = command.offset / command.blockBytes * command.blockBytes; ; place -= command.blockBytes) {
            GroupHeader group = GroupHeader.read(bytes, place);
            if (group != null && group.segment() == command.segment && group.offset() == place) {
                return place;
            }
        }
    }
}
