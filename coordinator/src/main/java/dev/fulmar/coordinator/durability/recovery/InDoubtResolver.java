package dev.fulmar.coordinator.durability.recovery;

import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import org.jspecify.annotations.Nullable;

/** Resolves the in-doubt part of a copy that begins to lead: the last part in its log without a decision. */
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
     * For a database whose transactions all end where they begin: a copy that asks for an unwritten decision finds that
     * there was none.
     */
    static InDoubtResolver undo() {
        return (partition, doubt, verdict) -> verdict.decided(false, 0);
    }
}
