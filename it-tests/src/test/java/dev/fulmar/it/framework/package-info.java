/** Frameworks that people use over PostgreSQL's driver, as they are. */
@NullMarked
package dev.fulmar.it.framework;

import org.jspecify.annotations.NullMarked;
