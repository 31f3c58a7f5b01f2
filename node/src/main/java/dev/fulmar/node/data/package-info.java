/**
 * A node's directory on disk. Invariant: one process at a time has the directory open. It touches nothing in it before
 * the format and the database are verified.
 */
@NullMarked
package dev.fulmar.node.data;

import org.jspecify.annotations.NullMarked;
