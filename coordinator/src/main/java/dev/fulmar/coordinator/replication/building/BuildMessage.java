package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.id.PartitionId;

/** Message between a copy that is built and its source. Every message names the partition and the copy. */
public sealed interface BuildMessage {
    PartitionId partition();

    CopyId copy();

    /** Copy to source: an image is wanted. */
    record Begin(PartitionId partition, CopyId copy) implements BuildMessage {}

    /**
     * Copy to source: chunks from a number on are wanted, at most so many; none means that the copy is still there.
     *
     * @param again whether those of them that were sent are lost, as it seems
     */
    record Pull(PartitionId partition, CopyId copy, long next, int credit, boolean again) implements BuildMessage {}

    /** Copy to source: nothing more is wanted. */
    record End(PartitionId partition, CopyId copy) implements BuildMessage {}

    /** Source to copy: the image is fixed. */
    record Begun(PartitionId partition, CopyId copy, CopyOrigin origin) implements BuildMessage {}

    /** Source to copy: rows, which follow the fields. */
    record Chunk(PartitionId partition, CopyId copy, long number, boolean last) implements BuildMessage {}

    /** Source to copy: there is no image. */
    record Refused(PartitionId partition, CopyId copy, CopySource.Refusal reason) implements BuildMessage {}
}
