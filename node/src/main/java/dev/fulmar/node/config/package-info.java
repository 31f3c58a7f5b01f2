/**
 * Settings of a node. Invariant: they are read and checked once, before anything starts, and never change afterwards.
 */
@NullMarked
package dev.fulmar.node.config;

import org.jspecify.annotations.NullMarked;
