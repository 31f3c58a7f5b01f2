package dev.fulmar.coordinator.durability;

import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, for a copy that begins to lead, what became of the transaction whose part is the last in its log without a
 * decision.
 */
@FunctionalInterface
public interface InDoubtResolver {
    /**
     * A part without a decision.
     *
     * @param base partition whose primary knows; null if none was named
     */
    record Doubt(
            TransactionId transaction,
            int attempt,
            @Nullable PartitionId base) {}

    /** Takes the verdict; for any thread, to be called once. */
    @FunctionalInterface
    interface Verdict {
        void decided(boolean commit, long commitTimestamp);
    }

    /**
     * A term begins. The partition executes nothing before the verdict.
     *
     * @param doubt null if all is decided; the verdict counts for nothing then
     */
    void promoted(PartitionId partition, @Nullable Doubt doubt, Verdict verdict);

    /**
     * For a database whose transactions all end where they begin: whoever asks for a decision that nobody has written
     * finds that there was none.
     */
    static InDoubtResolver undo() {
        return (partition, doubt, verdict) -> verdict.decided(false, 0);
    }
}
