/**
 * Users, roles and what they may. Invariant: whatever is not granted is denied, and a right ends with the object that
 * it is for.
 */
@NullMarked
package dev.fulmar.engine.catalog.access;

import org.jspecify.annotations.NullMarked;
