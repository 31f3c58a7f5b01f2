/**
 * A partition's turn: messages in, transactions one after another, replies out. Invariant: only the thread of its
 * {@link dev.fulmar.engine.partition.Site} touches anything of a {@link dev.fulmar.engine.partition.Partition}, and
 * nothing in this package waits. Other threads talk to it through its
 * {@link dev.fulmar.engine.partition.PartitionInbox}.
 *
 * <p>Rules of the lock: at most one multi-partition transaction holds the partition. Requests queue by transaction id,
 * the oldest first. An older request makes a younger holder yield, whose changes are undone at once, unless that one
 * has voted. Single-partition transactions need no lock. They run when the lock is free, in arrival order with the
 * requests for it. After a holder's vote they run speculatively: their timestamps and replies wait for the holder's
 * decision, and its abort undoes and requeues them.
 *
 * <p>A transaction whose data is not here is undone and waits outside the inbox:
 * {@link dev.fulmar.engine.partition.AwaitedData}.
 *
 * <p>Readers of snapshots need no lock: {@link dev.fulmar.engine.partition.SnapshotReaders}.
 *
 * <p>Start reading at {@link dev.fulmar.engine.partition.PartitionExecutor}.
 */
@NullMarked
package dev.fulmar.engine.partition;

import org.jspecify.annotations.NullMarked;
