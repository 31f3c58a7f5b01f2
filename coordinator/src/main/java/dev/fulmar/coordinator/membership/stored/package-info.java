/**
 * Records of the cluster's state as bytes, and their places as paths. Invariant: bytes of any content and length either
 * give a record that its constructor accepts or a {@link dev.fulmar.foundation.error.FulmarException} that says what an
 * operator can do; nothing else happens, and nothing is allocated for a length that was not checked. What a version
 * wrote, later versions read.
 */
@NullMarked
package dev.fulmar.coordinator.membership.stored;

import org.jspecify.annotations.NullMarked;
