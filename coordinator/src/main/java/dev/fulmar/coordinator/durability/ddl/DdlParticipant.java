package dev.fulmar.coordinator.durability.ddl;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.CatalogJournal;
import dev.fulmar.coordinator.durability.ddl.ChangeFormat.Attempt;
import dev.fulmar.coordinator.durability.ddl.ChangeFormat.Message;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Participant in a change of the catalog that another node makes. As a journal it tells the queue of changes when to go
 * on: instead of being written the change waits for the catalog stream. Methods are for the catalog's thread unless
 * they say otherwise.
 */
final class DdlParticipant implements CatalogJournal {
    private final DdlCoordinator changes;
    private final NodeId maker;
    private final Attempt attempt;
    private final byte[] kept;
    private final long version;
    private boolean isAborted;

    /** The last term of this node in which it waits for the word that it came to nothing. */
    private long voidEpoch;

    private long askedNanos;
    private long soughtNanos;
    private @Nullable Consumer<@Nullable FulmarException> announced;
    private @Nullable LongConsumer durable;
    private @Nullable Consumer<FulmarException> lost;

    /** Ends the transaction that locks the partitions here. */
    private @Nullable Consumer<FulmarException> running;

    DdlParticipant(DdlCoordinator changes, NodeId maker, Attempt attempt, byte[] kept) {
        this.changes = changes;
        this.maker = maker;
        this.attempt = attempt;
        this.kept = kept;
        this.version = LittleEndian.getInt(kept, 0);
    }

    NodeId maker() {
        return maker;
    }

    Attempt attempt() {
        return attempt;
    }

    long version() {
        return version;
    }

    byte[] kept() {
        return kept;
    }

    boolean isReady() {
        return durable != null;
    }

    /** Whether the word that it came to nothing is not waited for yet in this term. */
    boolean beginsToWait(long epoch) {
        boolean isNew = epoch != voidEpoch;
        voidEpoch = epoch;
        return isNew;
    }

    /** Something was heard of it, or said. */
    void heard(long nowNanos) {
        askedNanos = nowNanos;
        soughtNanos = nowNanos;
    }

    /** Whether it is time to ask its maker, or the node that makes the changes now, what became of it. */
    boolean takeAsk(long nowNanos, long patienceNanos) {
        boolean isDue = nowNanos - askedNanos >= patienceNanos;
        askedNanos = isDue ? nowNanos : askedNanos;
        return isDue;
    }

    /** Whether it is time to ask others. */
    boolean takeSeek(long nowNanos, long patienceNanos) {
        boolean isDue = nowNanos - soughtNanos >= patienceNanos;
        soughtNanos = isDue ? nowNanos : soughtNanos;
        return isDue;
    }

    private static FulmarException nothing() {
        return new FulmarException(
                ErrorCode.NOT_CONNECTED, "the change of the catalog came to nothing at another node");
    }

    @Override
    public void announce(long newVersion, CatalogEntry entry, Consumer<@Nullable FulmarException> ended) {
        changes.run(() -> {
            if (isAborted) {
                ended.accept(nothing());
            } else {
                announced = ended;
                changes.tell(this, new Message.Announced(attempt));
            }
        });
    }

    @Override
    public void begun(Consumer<FulmarException> end) {
        changes.run(() -> {
            if (isAborted) {
                end.accept(nothing());
            } else {
                running = end;
            }
        });
    }

    /** The maker wants the partitions locked. */
    void proceed() {
        Consumer<@Nullable FulmarException> waiting = announced;
        announced = null;
        if (waiting != null) {
            waiting.accept(null);
        }
    }

    @Override
    public void append(
            long newVersion,
            CatalogEntry entry,
            List<PartitionId> tried,
            long promised,
            LongConsumer newDurable,
            Consumer<FulmarException> newLost) {
        changes.run(() -> {
            if (isAborted) {
                newLost.accept(nothing());
            } else {
                durable = newDurable;
                lost = newLost;
                // Nodes of earlier versions know no such timestamp, and have no part in such changes.
                long told = entry.keepsTables() ? promised : 0;
                changes.tell(this, new Message.Ready(attempt, changes.served(tried), told));
            }
        });
    }

    @Override
    public void append(
            long newVersion,
            CatalogEntry entry,
            long promised,
            LongConsumer newDurable,
            Consumer<FulmarException> newLost) {
        append(newVersion, entry, List.of(), promised, newDurable, newLost);
    }

    @Override
    public boolean isShared() {
        return true;
    }

    /** The change counts, since the timestamp or earlier. */
    void commit(long timestamp) {
        Invariants.check(!isAborted, "a participant makes no change of the catalog that came to nothing");
        LongConsumer waiting = durable;
        durable = null;
        if (waiting != null) {
            waiting.accept(timestamp);
        }
    }

    /** The change never will count. */
    void abort() {
        Invariants.check(!isAborted, "a participant gives up a change of the catalog once");
        isAborted = true;
        durable = null;
        Consumer<@Nullable FulmarException> preparing = announced;
        Consumer<FulmarException> waiting = lost;
        Consumer<FulmarException> locking = running;
        announced = null;
        lost = null;
        running = null;
        if (preparing != null) {
            preparing.accept(nothing());
        } else if (waiting != null) {
            waiting.accept(nothing());
        } else if (locking != null) {
            locking.accept(nothing()); // one partition's lock, or vote, may not come, and the others are locked
        }
    }

    /** The queue is done with it. For any thread. */
    void answered(TransactionResponse response) {
        if (response instanceof TransactionResponse.Failed(ErrorCode code, String text, var _)) {
            changes.tell(this, new Message.Failed(attempt, code, text));
            changes.run(() -> changes.forget(this));
        }
    }
}
