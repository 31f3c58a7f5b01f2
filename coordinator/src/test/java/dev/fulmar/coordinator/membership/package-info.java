@NullMarked
package dev.fulmar.coordinator.membership;

import org.jspecify.annotations.NullMarked;
