/**
 * Wishes of a serializability check's clients, and the meaning of their answers to a history. Invariant: every value is
 * appended by one wish only, and no class of this package knows whether the clients are simulated or real.
 */
@NullMarked
package dev.fulmar.simulator.workload;

import org.jspecify.annotations.NullMarked;
