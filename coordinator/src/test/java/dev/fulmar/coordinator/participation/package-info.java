@NullMarked
package dev.fulmar.coordinator.participation;

import org.jspecify.annotations.NullMarked;
