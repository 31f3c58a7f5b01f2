package dev.fulmar.coordinator.durability.catalog;

import dev.fulmar.coordinator.change.ChangeHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Map from the handle of a client's catalog change to the version that the change made, so that a retry finds its
 * outcome. All are kept, for as long as the changes themselves. One thread adds; any may read.
 */
public final class AppliedChanges {
    private final Map<ChangeHandle, Long> versions = new ConcurrentSkipListMap<>();

    void add(ChangeHandle handle, long version) {
        versions.put(handle, version);
    }

    /** The version to which the change led; 0 if there is none. */
    public long version(ChangeHandle handle) {
        return versions.getOrDefault(handle, 0L);
    }

    /** Changes that led to later versions do not count. */
    void cutBehind(long version) {
        versions.values().removeIf(made -> made > version);
    }
}
