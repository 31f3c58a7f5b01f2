/**
 * The maps from a key to its partition, and to its bucket inside that. Invariant: plans map ranges of the key, or of
 * its hash, and never take a remainder. So a range can change its owner without touching another. A plan never changes;
 * a new version replaces it.
 */
@NullMarked
package dev.fulmar.engine.partitioning;

import org.jspecify.annotations.NullMarked;
