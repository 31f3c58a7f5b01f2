/** Transactions over several nodes. */
@NullMarked
package dev.fulmar.coordinator.remote;

import org.jspecify.annotations.NullMarked;
