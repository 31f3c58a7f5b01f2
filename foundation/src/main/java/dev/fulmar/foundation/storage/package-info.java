/**
 * Files. Invariant: what was not forced may be lost, torn or reordered by a crash; what was forced is not, and a name
 * is durable only once its directory was forced.
 */
@NullMarked
package dev.fulmar.foundation.storage;

import org.jspecify.annotations.NullMarked;
