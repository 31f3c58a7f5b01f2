/**
 * Building a copy of a partition while its primary goes on: an image of the partition at one position of its log,
 * pulled in chunks, and after it the log from there on, as any copy that follows gets it. A copy is told by its life,
 * so each attempt to build one is another copy.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>An image shows the partition as it was behind one record of its log, at a moment without a transaction: rows
 *       with their numbers, what is remembered of requests, the numbers that the next rows get, the version of the
 *       catalog, the clock, and the {@linkplain dev.fulmar.coordinator.replication.EpochHistory terms} of the log.
 *       Nothing behind that record is in it, and nothing before is missing.
 *   <li>There is one image for a copy, and never another one, however late it is asked for again: chunks of two would
 *       make a copy of neither.
 *   <li>The source works in slices between transactions, keeps a bounded number of chunks, and only as long as the
 *       target goes on pulling. Each target has an image of its own; what one does concerns no other.
 *   <li>The records behind the image's position can be read until the target says that it follows, or a bound is met,
 *       and then the build is given up.
 *   <li>What the target had stays until the primary has said that it counts for nothing and never will again: the
 *       stored record does not name it, no change of the record that is under way does, and it is not taken in any
 *       more. The copy itself cannot know: it may be named by a change of which it has not heard. A source has an image
 *       for a target only then, and one of an older epoch than the copy has heard of is not believed.
 *   <li>A target begins with nothing, and what it has counts for nothing until the image is whole and as durable as the
 *       database asks. Only then is there a {@linkplain dev.fulmar.coordinator.replication.CopyState state} with which
 *       it may join. A process that ends before that forgets all of it: the next attempt has another life.
 *   <li>What comes over the network is checked before it acts: a chunk that is none ends the link, and puts nothing
 *       where it does not belong.
 * </ul>
 *
 * <p>Start reading at {@link dev.fulmar.coordinator.replication.building.CopySource} and {@link
 * dev.fulmar.coordinator.replication.building.CopyTarget}.
 */
@NullMarked
package dev.fulmar.coordinator.replication.building;

import org.jspecify.annotations.NullMarked;
