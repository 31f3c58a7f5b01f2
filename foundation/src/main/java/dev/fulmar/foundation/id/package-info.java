/**
 * Identities that every module shares. Invariant: an id is a value, ordered as DESIGN's transaction order demands, and
 * never an object identity.
 */
@NullMarked
package dev.fulmar.foundation.id;

import org.jspecify.annotations.NullMarked;
