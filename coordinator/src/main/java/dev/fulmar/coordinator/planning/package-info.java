/**
 * Planning is work like any other: it waits in a queue with a bound, in turns between sessions, and ends when its
 * request's time is over or nobody waits for it. Invariants: what a request, another node's coordinator or a change of
 * the catalog asks for is planned by a planner's thread, before it goes to partitions; a session has one statement
 * under way at a time; every statement that is taken in is planned or refused, once.
 */
@NullMarked
package dev.fulmar.coordinator.planning;

import org.jspecify.annotations.NullMarked;
