package dev.fulmar.coordinator.request;

import dev.fulmar.wire.session.SettingCommand.RowPlace;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Settings of one connection of a client, which end with it. Thread-safe. */
public final class ConnectionSettings {
    private final AtomicReference<Optional<RowPlace>> placement = new AtomicReference<>(Optional.empty());

    /** The place of new tables' rows; empty for what the node is set to. */
    public Optional<RowPlace> placement() {
        return placement.get();
    }

    /** Sets the place of new tables' rows. */
    public void set(Optional<RowPlace> other) {
        placement.set(other);
    }
}
