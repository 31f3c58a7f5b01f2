@NullMarked
package dev.fulmar.sql.text;

import org.jspecify.annotations.NullMarked;
