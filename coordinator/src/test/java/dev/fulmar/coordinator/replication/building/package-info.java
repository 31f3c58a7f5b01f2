/** Tests of the building of copies. */
@NullMarked
package dev.fulmar.coordinator.replication.building;

import org.jspecify.annotations.NullMarked;
