/**
 * The engine: storage, execution and procedures of one node's partitions. Invariant: one thread at a time works on a
 * partition, and nothing below the partition's inbox takes a lock or makes a system call.
 */
@NullMarked
package dev.fulmar.engine;

import org.jspecify.annotations.NullMarked;
