/**
 * Checkpoints of partitions that go on working. Invariant: a checkpoint shows a partition as it was at one moment
 * between two transactions; it is fixed and read on the partition's thread in short pieces, and no transaction waits
 * for more than one of them.
 *
 * <p>Start reading at {@link dev.fulmar.engine.checkpoint.PartitionCheckpointSource}.
 */
@NullMarked
package dev.fulmar.engine.checkpoint;

import org.jspecify.annotations.NullMarked;
