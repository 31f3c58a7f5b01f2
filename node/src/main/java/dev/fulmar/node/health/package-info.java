/**
 * Questions of a supervisor of nodes: whether transactions commit here, and whether the process goes on at all.
 * Invariants: partitions get one probe a second at most, however many clients ask, and a probe writes nothing. Liveness
 * depends on the process's own threads alone, never on a device, ZooKeeper or other nodes.
 */
@NullMarked
package dev.fulmar.node.health;

import org.jspecify.annotations.NullMarked;
