/**
 * Checkpoints: images of rows from which a recovery starts, so that it replays only the end of the operation log.
 * Invariants:
 *
 * <ul>
 *   <li><b>A checkpoint holds once the superblock says so.</b> The superblock names only data that were forced before.
 *       Data that it names are never overwritten, and data that it does not name are never read.
 *   <li><b>The checkpoint log comes first.</b> A slot of the master heap is written only from an entry of the
 *       checkpoint log that the superblock names. The entry stays until the slot was forced. A torn slot is repaired
 *       from it, and a slot that is bad without such an entry is corruption.
 *   <li><b>Space is used again.</b> Segments of the checkpoint log go once all newest images in them are in the master
 *       heap. Slots and extents of the master heap are given to other rows.
 *   <li><b>Space is given back.</b> An extent without rows has no slots from the next checkpoint on. Once that holds,
 *       the file system gets its space. It gets slots again only once the checkpoint log has no entry for those that it
 *       had.
 * </ul>
 *
 * <p>Start reading at {@link dev.fulmar.pmemlog.checkpoint.CheckpointStore} and
 * {@link dev.fulmar.pmemlog.checkpoint.Checkpointer}.
 */
@NullMarked
package dev.fulmar.pmemlog.checkpoint;

import org.jspecify.annotations.NullMarked;
