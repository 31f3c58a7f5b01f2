/**
 * The SQL shell. Invariant: a statement's failure never ends an interactive shell, and always gives a script an error
 * as its end.
 */
@NullMarked
package dev.fulmar.launcher.shell;

import org.jspecify.annotations.NullMarked;
