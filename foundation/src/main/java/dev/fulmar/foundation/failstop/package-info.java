/**
 * How a process ends when one of its threads meets what nothing recovers from. Invariant: every thread recovers from an
 * {@link Error} in a stated way, or hands it to its uncaught exception handler; in the process of a node that is
 * {@code LastResort}, which needs neither memory nor logging nor a class that is not loaded yet. A process that others
 * wait for tells them first, if it still can: a request that broke a node must not be sent to the next one.
 */
@NullMarked
package dev.fulmar.foundation.failstop;

import org.jspecify.annotations.NullMarked;
