/**
 * A node's directory on disk. Invariant: one process at a time has it open, and nothing in it is touched before it is
 * known to be of this format and this database.
 */
@NullMarked
package dev.fulmar.node.data;

import org.jspecify.annotations.NullMarked;
