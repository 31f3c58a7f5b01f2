package dev.fulmar.reconfig.peer;

import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;

/** A message between the nodes of a reconfiguration. */
sealed interface PeerMessage {
    /** Takes a step at the primary of a partition. */
    record Step(long number, PartitionId partition, DestinationStep step) implements PeerMessage {}

    /** Hands a bucket over, at the node that makes the changes of the catalog. */
    record HandOver(long number, HandOff handOff) implements PeerMessage {}

    /** Changes the state of a reconfiguration, at the node that makes the changes of the catalog. */
    record Retarget(long number, TargetChange change) implements PeerMessage {}

    /** Asks whether the node reads the messages of moves; one that does not ends the link instead of an answer. */
    record Forms(long number) implements PeerMessage {}

    /** The request with the number is done. */
    record Done(long number, long rows) implements PeerMessage {}

    /** The request with the number failed. */
    record Failed(long number, ErrorCode code, String text) implements PeerMessage {}

    /** The sender has moved so much. */
    record Progress(MoveFigures figures) implements PeerMessage {}

    /** The sender, which leads the source of a move, tells how far that is. */
    record Moved(RangeReport report) implements PeerMessage {}
}
