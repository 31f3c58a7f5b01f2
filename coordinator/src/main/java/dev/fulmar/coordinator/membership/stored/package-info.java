/**
 * Records of the cluster's state as bytes, and their places as paths. Invariant: bytes of any content and length give a
 * record that its constructor accepts, or a {@link dev.fulmar.foundation.error.FulmarException} that says what an
 * operator can do. Nothing else happens, and nothing is allocated for a length that was not checked. Later versions
 * read all records of earlier ones.
 */
@NullMarked
package dev.fulmar.coordinator.membership.stored;

import org.jspecify.annotations.NullMarked;
