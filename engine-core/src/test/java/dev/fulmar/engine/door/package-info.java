/**
 * Subsystems that exist for tests only: each joins the engine through one door. Invariant: they use the ports alone
 * that a subsystem of its own module has; {@code SubsystemDoorsTest} holds them to it.
 */
@NullMarked
package dev.fulmar.engine.door;

import org.jspecify.annotations.NullMarked;
