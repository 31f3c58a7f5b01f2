/**
 * Reading a procedure's class files before they are loaded: what they use, and whether it is safe and repeatable.
 * Invariant: the scan works by an allow-list; code that it does not understand is refused.
 */
@NullMarked
package dev.fulmar.engine.procedure.scan;

import org.jspecify.annotations.NullMarked;
