/**
 * Replay of records: at a start from the node's own log, and on a copy from its primary's messages.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Recovery gives exactly a prefix of the commits of every partition. The prefix contains all that was
 *       acknowledged, with multi-partition transactions whole or absent.
 *   <li>Where a participant's stream goes on after a PREPARE without a DECISION, the attempt was undone.
 *   <li>A recovery writes the DECISION of each part that was in doubt before any other record.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.durability.recovery;

import org.jspecify.annotations.NullMarked;
