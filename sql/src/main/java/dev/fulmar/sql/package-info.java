/** SQL text to a typed plan to engine operators. Apache Calcite stays in here. */
@NullMarked
package dev.fulmar.sql;

import org.jspecify.annotations.NullMarked;
