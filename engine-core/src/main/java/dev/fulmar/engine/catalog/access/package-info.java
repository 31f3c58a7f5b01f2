/**
 * Users, roles and their rights. Invariant: access that is not granted is denied, and a right ends with the object that
 * it is for.
 */
@NullMarked
package dev.fulmar.engine.catalog.access;

import org.jspecify.annotations.NullMarked;
