/**
 * The composition root: every part of a node is made and connected here, and nowhere else. Invariant: it decides
 * nothing.
 */
@NullMarked
package dev.fulmar.node.wiring;

import org.jspecify.annotations.NullMarked;
