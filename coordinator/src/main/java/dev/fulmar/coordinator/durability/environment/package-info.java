/**
 * Settings and services of a database's durability, as its node gives them, and the figures of its recovery.
 *
 * <p>Invariant:
 *
 * <ul>
 *   <li>A setting is checked once, where the record is made; nothing behind it checks again.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.durability.environment;

import org.jspecify.annotations.NullMarked;
