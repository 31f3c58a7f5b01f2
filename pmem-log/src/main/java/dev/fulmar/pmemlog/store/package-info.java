/**
 * A durable transactional store of versioned objects, for programs that want the TOC log without the database.
 * Invariants:
 *
 * <ul>
 *   <li>A commit is visible to others only once it is durable and every commit with a smaller timestamp is visible. The
 *       horizon of visible timestamps, the <i>watermark</i>, moves over whole commits. A snapshot is the watermark at a
 *       moment.
 *   <li>Readers take no lock and never wait. Writers of different objects share nothing but the clock and the log's
 *       groups.
 *   <li>A timestamp is drawn while the objects to write are locked. So the order of timestamps is an order in which the
 *       commits could have run one by one (serializable). The log is replayed in the same order.
 *   <li>A checkpoint is a snapshot. Recovery takes it and then, in the order of their timestamps, the records with
 *       greater ones.
 *   <li>A version is dropped only when no snapshot, a checkpoint's included, can still ask for it.
 * </ul>
 */
@NullMarked
package dev.fulmar.pmemlog.store;

import org.jspecify.annotations.NullMarked;
