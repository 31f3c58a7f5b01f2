@NullMarked
package dev.fulmar.postgres.session;

import org.jspecify.annotations.NullMarked;
