/**
 * Building of a copy of a partition while its primary goes on. The copy pulls an image of the partition at one position
 * of its log, in chunks. After that it gets the log from there on, as any copy that follows. A copy is told by its
 * life, so each attempt to build one is another copy.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>An image shows the partition as it was behind one record of its log, at a moment without a transaction. It has
 *       rows with their numbers, remembered outcomes of requests, and the numbers that the next rows get. It also has
 *       the version of the catalog, the clock, and the
 *       {@linkplain dev.fulmar.coordinator.replication.EpochHistory terms} of the log. Nothing behind that record is in
 *       it, and nothing before is missing.
 *   <li>There is one image for a copy, and never another one, however late it is asked for again. Chunks of two would
 *       make a copy of neither.
 *   <li>The source works in slices between transactions, keeps a bounded number of chunks, and only as long as the
 *       target goes on pulling. Each target has an image of its own; what one does concerns no other.
 *   <li>The records behind the image's position can be read until the target says that it follows. If a bound is met
 *       before, the build is given up.
 *   <li>The target's former copy stays until the primary has said that it counts for nothing and never will again. Then
 *       the stored record does not name it, no change of the record under way does, and it is not taken in any more.
 *       The copy itself cannot know: it may be named by a change of which it has not heard. A source has an image for a
 *       target only then, and one of an older epoch than the copy has heard of is not believed.
 *   <li>A target begins with nothing, and what it has counts for nothing until the image is whole and as durable as the
 *       database asks. Only then is there a {@linkplain dev.fulmar.coordinator.replication.CopyState state} with which
 *       it may join. A process that ends before that forgets all of it: the next attempt has another life.
 *   <li>Messages of the network are checked before they act. A chunk that is none ends the link, and puts nothing where
 *       it does not belong.
 * </ul>
 *
 * <p>Start reading at {@link dev.fulmar.coordinator.replication.building.CopySource} and
 * {@link dev.fulmar.coordinator.replication.building.CopyTarget}.
 */
@NullMarked
package dev.fulmar.coordinator.replication.building;

import org.jspecify.annotations.NullMarked;
