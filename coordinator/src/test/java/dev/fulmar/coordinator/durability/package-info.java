@NullMarked
package dev.fulmar.coordinator.durability;

import org.jspecify.annotations.NullMarked;
