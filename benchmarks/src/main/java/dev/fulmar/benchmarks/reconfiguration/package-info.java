/**
 * Reconfigurations under load: hot keys that leave their partition, a node that gives its keys away, and keys that
 * change places, as Squall §7 measures them. Invariant: a cell whose machine was too busy, or whose hot spot cost too
 * little, is void and judged by nothing.
 */
@NullMarked
package dev.fulmar.benchmarks.reconfiguration;

import org.jspecify.annotations.NullMarked;
