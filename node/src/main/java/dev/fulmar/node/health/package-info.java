/**
 * Questions of a supervisor of nodes: whether transactions commit here, and whether the process goes on at all.
 * Invariants: however many ask, partitions get one probe a second at most; a probe writes nothing; whether the process
 * lives depends on its own threads alone, never on a device, ZooKeeper or other nodes.
 */
@NullMarked
package dev.fulmar.node.health;

import org.jspecify.annotations.NullMarked;
