/**
 * The end of a process after an error from which no thread recovers. Invariant: every thread recovers from an
 * {@link Error} in a stated way, or hands it to its uncaught exception handler. In a node's process that handler is
 * {@code LastResort}, which needs neither memory nor logging nor a class that is not loaded yet. A process on which
 * others wait notifies them first, if it still can. A request that broke a node must not be sent to the next one.
 */
@NullMarked
package dev.fulmar.foundation.failstop;

import org.jspecify.annotations.NullMarked;
