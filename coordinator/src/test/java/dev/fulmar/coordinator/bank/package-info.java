/** Procedures for tests. Invariant: money is only moved. */
@NullMarked
package dev.fulmar.coordinator.bank;

import org.jspecify.annotations.NullMarked;
