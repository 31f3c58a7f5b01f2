/**
 * Which partition, and which bucket inside it, a key belongs to. Invariant: plans map ranges (of the key, or of its
 * hash) and never take a remainder, so that a range can change its owner without touching another; a plan never
 * changes, a new version replaces it.
 */
@NullMarked
package dev.fulmar.engine.partitioning;

import org.jspecify.annotations.NullMarked;
