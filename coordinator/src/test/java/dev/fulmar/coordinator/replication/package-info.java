@NullMarked
package dev.fulmar.coordinator.replication;

import org.jspecify.annotations.NullMarked;
