package dev.fulmar.engine.memory;

import dev.fulmar.foundation.check.Invariants;
import java.lang.foreign.Arena;
import java.util.concurrent.ConcurrentHashMap;

/** Memory from the JDK's own allocator, for systems without mmap. */
final class ArenaPages implements PageSource {
    private final ConcurrentHashMap<Long, Arena> arenas = new ConcurrentHashMap<>();

    @Override
    public long map(long bytes, boolean hugePages) {
        Arena arena = Arena.ofShared();
        try {
            long address = arena.allocate(bytes, ChunkSource.CHUNK_BYTES).address();
            arenas.put(address, arena);
            return address;
        } catch (OutOfMemoryError exhausted) {
            arena.close();
            return 0;
        }
    }

    @Override
    public void unmap(long address, long bytes) {
        Arena arena = arenas.remove(address);
        if (arena == null) {
            throw Invariants.breach("memory that is unmapped was mapped");
        }
        arena.close();
    }
}
