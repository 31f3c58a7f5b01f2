/**
 * The node's figures for Prometheus. Invariant: nothing can be changed here, and where others can reach it nobody reads
 * without the token.
 */
@NullMarked
package dev.fulmar.node.metrics;

import org.jspecify.annotations.NullMarked;
