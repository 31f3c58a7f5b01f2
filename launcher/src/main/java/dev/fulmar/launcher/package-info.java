/** The command line: every subcommand and experiment, no logic of its own. */
@NullMarked
package dev.fulmar.launcher;

import org.jspecify.annotations.NullMarked;
