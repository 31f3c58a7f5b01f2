@NullMarked
package dev.fulmar.coordinator.statement;

import org.jspecify.annotations.NullMarked;
