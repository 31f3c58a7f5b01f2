package dev.fulmar.node.wiring;

import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Warns an operator when a component begins to wait for space or a device, and when it goes on. It writes one line each
 * time, not as long as the wait lasts. One thread.
 */
final class ShortageWatch {
    private record Watched(String name, Supplier<@Nullable FulmarException> reason) {}

    private final List<Watched> all = new ArrayList<>();
    private final Set<String> waiting = new HashSet<>();
    private final Consumer<String> lines;

    ShortageWatch(Consumer<String> lines) {
        this.lines = lines;
    }

    /** Adds something by its name; its reason to wait is null while it works. Returns this. */
    ShortageWatch add(String name, Supplier<@Nullable FulmarException> reason) {
        all.add(new Watched(name, reason));
        return this;
    }

    /** Checks all components. */
    void look() {
        for (Watched watched : all) {
            FulmarException reason = watched.reason.get();
            if (reason == null && waiting.remove(watched.name)) {
                lines.accept(watched.name + " works again");
            } else if (reason != null && waiting.add(watched.name)) {
                lines.accept(watched.name + " cannot go on: " + reason.getMessage());
            }
        }
    }
}
