/** A database in virtual time. Invariant: whatever the database does, it does in an event of its simulated process. */
@NullMarked
package dev.fulmar.simulator.world;

import org.jspecify.annotations.NullMarked;
