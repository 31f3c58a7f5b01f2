@NullMarked
package dev.fulmar.coordinator.statistics;

import org.jspecify.annotations.NullMarked;
