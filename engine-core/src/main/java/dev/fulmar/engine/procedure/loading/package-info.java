/**
 * The way from a jar or SQL to a procedure that can be called. Invariant: a registry is complete or is not made. Each
 * procedure of the catalog is loaded, compiled, scanned and woven, or the change that would bring it in is refused with
 * the reason.
 */
@NullMarked
package dev.fulmar.engine.procedure.loading;

import org.jspecify.annotations.NullMarked;
