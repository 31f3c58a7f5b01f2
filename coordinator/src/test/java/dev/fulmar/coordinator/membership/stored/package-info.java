@NullMarked
package dev.fulmar.coordinator.membership.stored;

import org.jspecify.annotations.NullMarked;
