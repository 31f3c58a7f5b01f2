/**
 * Portals: results of any size that clients fetch in parts. Invariant: a portal ends with its connection, with its last
 * part, or when it is not fetched from for too long. Nothing of it is left then but why it ended, for as long again.
 */
@NullMarked
package dev.fulmar.coordinator.portal;

import org.jspecify.annotations.NullMarked;
