package dev.fulmar.coordinator.routing;

import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.Presence;

/** The key by which a call found its partition. Its outcome is remembered where the key is. */
public sealed interface RoutedKey {
    /** No key: the call is routed by its handle, as its retries are, or by a null, which belongs to partition 0. */
    RoutedKey NONE = new None();

    /** A key that is not known here. */
    RoutedKey UNKNOWN = new Unknown();

    /** The guard's answer for the rows of the key. */
    Presence presence(DataAccess guard);

    /** A position in a space, as plans have it. */
    record Position(KeySpace space, long position) implements RoutedKey {
        @Override
        public Presence presence(DataAccess guard) {
            return guard.ofKey(space, position);
        }
    }

    /** See {@link #NONE}. */
    record None() implements RoutedKey {
        @Override
        public Presence presence(DataAccess guard) {
            return Presence.PRESENT;
        }
    }

    /** See {@link #UNKNOWN}. */
    record Unknown() implements RoutedKey {
        @Override
        public Presence presence(DataAccess guard) {
            return guard.ofAll();
        }
    }
}
