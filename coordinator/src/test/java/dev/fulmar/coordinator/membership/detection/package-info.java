@NullMarked
package dev.fulmar.coordinator.membership.detection;

import org.jspecify.annotations.NullMarked;
