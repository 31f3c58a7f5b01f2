/**
 * Starting and stopping. Invariant: parts stop in the reverse of the order in which they started, whatever fails on the
 * way.
 */
@NullMarked
package dev.fulmar.node.lifecycle;

import org.jspecify.annotations.NullMarked;
