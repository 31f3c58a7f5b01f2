@NullMarked
package dev.fulmar.postgres.dialect;

import org.jspecify.annotations.NullMarked;
