/**
 * The planning of statements, as queued work. A statement waits in a bounded queue, in which sessions take turns. Its
 * planning ends early when its request's time is over or its client no longer waits.
 *
 * <p>Invariants: planner threads plan the statements of requests, of other nodes' coordinators and of changes of the
 * catalog before they go to partitions. A session has one statement under way at a time. Every accepted statement is
 * planned or refused, once.
 */
@NullMarked
package dev.fulmar.coordinator.planning;

import org.jspecify.annotations.NullMarked;
