/**
 * Subsystems that exist for tests only: each joins the database through one door. Invariant: they use the ports alone
 * that a subsystem of its own module has; {@code SubsystemDoorsTest} holds them to it.
 */
@NullMarked
package dev.fulmar.coordinator.door;

import org.jspecify.annotations.NullMarked;
