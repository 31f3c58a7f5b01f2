@NullMarked
package dev.fulmar.postgres.setting;

import org.jspecify.annotations.NullMarked;
