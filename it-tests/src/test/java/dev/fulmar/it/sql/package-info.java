/** SQL as a user meets it: statements and their answers, on one partition and on several. */
@NullMarked
package dev.fulmar.it.sql;

import org.jspecify.annotations.NullMarked;
