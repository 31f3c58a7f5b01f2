package dev.fulmar.coordinator.statement;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A cache of values by text; it keeps at least the last so many and at most twice as many. A value that was not asked
 * for during a whole generation is forgotten. Thread-safe.
 */
final class PlanCache<T> {
    private final int generationSize;
    private volatile ConcurrentHashMap<String, T> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<String, T> old = new ConcurrentHashMap<>();

    PlanCache(int generationSize) {
        this.generationSize = generationSize;
    }

    @Nullable T find(String text) {
        T value = young.get(text);
        if (value == null) {
            value = old.get(text);
            if (value != null) {
                put(text, value);
            }
        }
        return value;
    }

    void put(String text, T value) {
        ConcurrentHashMap<String, T> current = young;
        if (current.size() >= generationSize) {
            old = current;
            current = new ConcurrentHashMap<>();
            young = current;
        }
        current.put(text, value);
    }
}
