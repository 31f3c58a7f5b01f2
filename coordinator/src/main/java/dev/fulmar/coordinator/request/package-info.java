/**
 * Requests and their answers. Invariant: every request that was submitted is answered exactly once, until the node
 * itself dies. That holds for the request of a client that is gone, too: its answer gives back the resources that it
 * holds. A request that only reads, or has no plan yet, is dropped then, and nothing is remembered of it. A request
 * that writes is executed, and its outcome is kept for a client that comes back.
 */
@NullMarked
package dev.fulmar.coordinator.request;

import org.jspecify.annotations.NullMarked;
