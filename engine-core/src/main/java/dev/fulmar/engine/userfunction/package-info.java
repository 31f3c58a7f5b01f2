/**
 * Functions of users: what a catalog knows of them, and the port to their code. Invariant: the result
 * of a function follows from its arguments and from the version of the catalog alone. So all copies of a partition
 * compute the same.
 *
 * <p>A plan names a function by its {@link dev.fulmar.engine.userfunction.UserFunction}. The loader of procedures binds
 * that to its code before a statement runs. So a plan keeps one version of the code for as long as it lives.
 */
@NullMarked
package dev.fulmar.engine.userfunction;

import org.jspecify.annotations.NullMarked;
