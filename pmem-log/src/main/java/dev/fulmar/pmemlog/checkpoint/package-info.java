/**
 * Checkpoints: images of rows from which a recovery starts, so that it replays only the end of the operation log.
 * Invariants:
 *
 * <ul>
 *   <li><b>A checkpoint holds once the superblock says so.</b> What the superblock names was forced before; nothing
 *       that it names is overwritten, and nothing that it does not name is read.
 *   <li><b>The checkpoint log comes first.</b> A slot of the master heap is written only from an entry of the
 *       checkpoint log that the superblock names, and the entry stays until the slot was forced: a torn slot is
 *       repaired from it, and a slot that is bad without such an entry is corruption.
 *   <li><b>Space is used again.</b> Segments of the checkpoint log go once all that is newest in them is in the master
 *       heap; slots and extents of the master heap are given to other rows.
 * </ul>
 *
 * <p>Start reading at {@link dev.fulmar.pmemlog.checkpoint.CheckpointStore} and
 * {@link dev.fulmar.pmemlog.checkpoint.Checkpointer}.
 */
@NullMarked
package dev.fulmar.pmemlog.checkpoint;

import org.jspecify.annotations.NullMarked;
