/**
 * Files. Invariant: unforced bytes may be lost, torn or reordered by a crash; forced ones are not. A name is durable
 * only once its directory was forced.
 */
@NullMarked
package dev.fulmar.foundation.storage;

import org.jspecify.annotations.NullMarked;
