@NullMarked
package dev.fulmar.coordinator.membership.leadership;

import org.jspecify.annotations.NullMarked;
