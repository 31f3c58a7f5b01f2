/**
 * What comes in and what goes out. Invariant: every request that was submitted is answered exactly once, whatever
 * happens, until the node itself dies. That holds for a client who is gone, too: what a request holds is given back
 * with its answer. A request that only reads, or that has no plan yet, is dropped then, and nothing is remembered of
 * it. One that writes is executed, and what came of it is there for a client who comes back.
 */
@NullMarked
package dev.fulmar.coordinator.request;

import org.jspecify.annotations.NullMarked;
