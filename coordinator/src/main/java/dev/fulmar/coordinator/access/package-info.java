/**
 * Access control. Invariant: every request passes {@link dev.fulmar.coordinator.access.AccessControl} before it does
 * anything. A request that no right allows by name is denied.
 */
@NullMarked
package dev.fulmar.coordinator.access;

import org.jspecify.annotations.NullMarked;
