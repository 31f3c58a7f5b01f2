@NullMarked
package dev.fulmar.coordinator.membership.real;

import org.jspecify.annotations.NullMarked;
