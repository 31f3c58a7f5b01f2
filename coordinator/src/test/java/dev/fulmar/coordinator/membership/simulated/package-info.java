@NullMarked
package dev.fulmar.coordinator.membership.simulated;

import org.jspecify.annotations.NullMarked;
