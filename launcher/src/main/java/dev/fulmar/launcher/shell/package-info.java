/** The SQL shell. Invariant: a statement's failure never ends an interactive shell, and always ends a script with an error. */
@NullMarked
package dev.fulmar.launcher.shell;

import org.jspecify.annotations.NullMarked;
