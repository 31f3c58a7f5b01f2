package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Port by which a reconfiguration submits a {@link ReconfigurationStep}: the partition's primary executes and logs it
 * between two transactions. The database implements it. Thread-safe.
 */
public interface ReconfigurationLog {
    /**
     * The reason for which the log of this node takes no steps at the moment, as a full disk; null while it takes them.
     * Steps that it has taken already wait for as long as the reason holds. For any thread.
     */
    @Nullable FulmarException refusal();

    /**
     * The reason for which the log of this node is to take no rows at the moment. It would have no space soon for what
     * cannot be put off, as a pause. Null while it may take rows. For any thread.
     */
    @Nullable FulmarException scarcity();

    /**
     * Takes the step at the next moment when no transaction is under way in the partition, and writes its record there.
     * The listener is told once, on the partition's thread; never if the node or the partition stops before. Nothing
     * behind the step commits until each backup in sync has taken it.
     */
    void write(PartitionId partition, ReconfigurationStep step, StepListener listener);

    /**
     * Shows the inspector the primary's data at the next moment when no transaction is under way. It changes nothing
     * that a copy has, so there is no record. Never if the node or the partition stops before.
     *
     * @param refused told instead, on the partition's thread, that another node leads the partition
     */
    void inspect(PartitionId partition, Consumer<PartitionData> inspector, Consumer<FulmarException> refused);

    /**
     * Shows the inspector the primary's data as the other does, in a slice of the site's time. All long reading
     * together gets a share of that.
     *
     * @param haste for how long the next one waits
     */
    void inspectInTurn(
            PartitionId partition,
            SliceHaste haste,
            Consumer<PartitionData> inspector,
            Consumer<FulmarException> refused);

    /**
     * Shows the inspector the primary's data as the first does, and tells the listener once it is safe. All copies in
     * sync have each commit in it then; before, another primary may begin to lead without some of them.
     */
    void inspectOnceSafe(PartitionId partition, Consumer<PartitionData> inspector, StepListener listener);
}
