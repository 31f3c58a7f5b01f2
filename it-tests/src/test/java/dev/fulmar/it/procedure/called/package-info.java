/** Stored procedures of each kind of result, which tests call by statements. */
@NullMarked
package dev.fulmar.it.procedure.called;

import org.jspecify.annotations.NullMarked;
