/**
 * Who may do what. Invariant: every request passes {@link dev.fulmar.coordinator.access.AccessControl} before it does
 * anything, and whatever it does not allow by name is denied.
 */
@NullMarked
package dev.fulmar.coordinator.access;

import org.jspecify.annotations.NullMarked;
