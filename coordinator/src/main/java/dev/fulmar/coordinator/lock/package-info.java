/**
 * Which partitions a multi-partition transaction has asked for. The locks themselves are the partitions' own (see
 * {@code dev.fulmar.engine.partition}); there is no lock that spans partitions. Invariant: whoever was asked is told
 * the end of the attempt.
 */
@NullMarked
package dev.fulmar.coordinator.lock;

import org.jspecify.annotations.NullMarked;
