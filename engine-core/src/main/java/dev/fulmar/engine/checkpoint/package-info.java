/**
 * Checkpoints of partitions that go on working. Invariant: a checkpoint shows a partition as it was at one moment
 * between two transactions. The partition's thread fixes and reads it in short pieces, and no transaction waits for
 * more than one of them.
 *
 * <p>Start reading at {@link dev.fulmar.engine.checkpoint.PartitionCheckpointSource}.
 */
@NullMarked
package dev.fulmar.engine.checkpoint;

import org.jspecify.annotations.NullMarked;
