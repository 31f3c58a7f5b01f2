/**
 * What clients of a serializability check ask for, and what its answers mean to a history. Invariant: every value is
 * appended by one wish only, and nothing here knows whether the clients are simulated or real.
 */
@NullMarked
package dev.fulmar.simulator.workload;

import org.jspecify.annotations.NullMarked;
