/**
 * Reconfigurations under load, as Squall §7 measures them: hot keys leave their partition, a node gives its keys away,
 * and keys change places. Invariant: a cell whose machine was too busy, or whose hot spot cost too
 * little, is void and judged by nothing.
 */
@NullMarked
package dev.fulmar.benchmarks.reconfiguration;

import org.jspecify.annotations.NullMarked;
