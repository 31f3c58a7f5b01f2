/**
 * The locks of a multi-partition transaction, as its coordinator knows them. The locks themselves are the partitions'
 * own (see {@code dev.fulmar.engine.partition}); no lock spans partitions. Invariant: every partition that was asked
 * for its lock is notified of the end of the attempt.
 */
@NullMarked
package dev.fulmar.coordinator.lock;

import org.jspecify.annotations.NullMarked;
