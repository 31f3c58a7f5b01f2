/**
 * What comes in and what goes out. Invariant: every request that was submitted is answered exactly once, whatever happens, until the
 * node itself dies.
 */
@NullMarked
package dev.fulmar.coordinator.request;

import org.jspecify.annotations.NullMarked;
