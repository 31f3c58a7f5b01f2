/**
 * What is handed out works without what it was made from. Invariant: these tests run the archive in a directory of its
 * own.
 */
@NullMarked
package dev.fulmar.it.packaging;

import org.jspecify.annotations.NullMarked;
