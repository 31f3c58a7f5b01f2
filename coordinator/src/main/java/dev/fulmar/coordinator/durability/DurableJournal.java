package dev.fulmar.coordinator.durability;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.CatalogJournal;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.log.LogLane;
import dev.fulmar.pmemlog.log.OperationLog;
import dev.fulmar.pmemlog.record.RecordKind;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The changes of the catalog, in a stream of their own. Changes come one at a time, each after the one before is durable. */
final class DurableJournal implements CatalogJournal {
    /** The stream of the catalog. */
    static final int STREAM = -2;

    static final int STATEMENT = 1;
    static final int JAR = 2;

    private record Waiting(long position, Runnable durable) {}

    private final OperationLog log;
    private final LogLane lane;
    private final PartitionLog records;
    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();
    private volatile int version;

    DurableJournal(OperationLog log, Runnable wakeLog) {
        this.log = log;
        this.lane = log.openLane(STREAM);
        this.records = new PartitionLog(lane, () -> version, wakeLog);
    }

    @Override
    public void append(long newVersion, CatalogEntry entry, Runnable durable) {
        FulmarException shortage = log.shortage();
        if (shortage != null) {
            throw new FulmarException(shortage.code(), String.valueOf(shortage.getMessage()), shortage);
        }
        Invariants.check(waiting.get() == null, "catalog changes come one at a time");
        version = Math.toIntExact(newVersion);
        long position = switch (entry) {
            case CatalogEntry.Statement(String text) ->
                records.bytes(RecordKind.CATALOG, STATEMENT, text.getBytes(StandardCharsets.UTF_8));
            case CatalogEntry.Jar(byte[] bytes) -> records.bytes(RecordKind.CATALOG, JAR, bytes);
            case CatalogEntry.Untold() ->
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED, "a durable database takes changes of the catalog as statements only");
        };
        waiting.set(new Waiting(position, durable));
        durable();
    }

    /** The lane's durable position moved. Any thread. */
    void durable() {
        Waiting change = waiting.get();
        if (change != null && change.position() <= lane.durablePosition() && waiting.compareAndSet(change, null)) {
            change.durable().run();
        }
    }
}
