/**
 * A partition's turn: messages in, transactions one after another, replies out. Invariant: everything of a
 * {@link dev.fulmar.engine.partition.Partition} is touched by the thread of its
 * {@link dev.fulmar.engine.partition.Site} only, and nothing here waits. Others talk to it through its
 * {@link dev.fulmar.engine.partition.PartitionInbox}.
 *
 * <p>Rules of the lock: at most one multi-partition transaction holds the partition. Requests queue by transaction id,
 * the oldest first; an older request makes a younger holder yield (its changes are undone at once) unless that one has
 * voted. Single-partition transactions need no lock: they run when nobody holds it, in arrival order with the requests
 * for it, and after the holder's vote speculatively: their timestamps and replies wait for the holder's decision, and
 * its abort undoes and requeues them.
 *
 * <p>Readers of snapshots need no lock: {@link dev.fulmar.engine.partition.SnapshotReaders}.
 *
 * <p>Start reading at {@link dev.fulmar.engine.partition.PartitionExecutor}.
 */
@NullMarked
package dev.fulmar.engine.partition;

import org.jspecify.annotations.NullMarked;
