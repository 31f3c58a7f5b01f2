package dev.fulmar.engine.memory;

import dev.fulmar.foundation.check.Invariants;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Anonymous private mappings of Linux, on huge pages where asked for: a row look-up then misses the TLB far less. */
final class MappedPages implements PageSource {
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int MADV_HUGEPAGE = 14;
    private static final long MAP_FAILED = -1;

    private final MethodHandle mmap;
    private final MethodHandle munmap;
    private final MethodHandle madvise;

    MappedPages() {
        Linker linker = Linker.nativeLinker();
        SymbolLookup symbols = linker.defaultLookup();
        mmap = linker.downcallHandle(
                symbols.findOrThrow("mmap"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG));
        munmap = linker.downcallHandle(
                symbols.findOrThrow("munmap"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
        madvise = linker.downcallHandle(
                symbols.findOrThrow("madvise"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
    }

    static boolean isSupported() {
        return System.getProperty("os.name").equals("Linux");
    }

    @Override
    public long map(long bytes, boolean hugePages) {
        long align = ChunkSource.CHUNK_BYTES;
        try {
            long raw = (long)
                    mmap.invokeExact(0L, bytes + align, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS | MAP_NORESERVE, -1, 0L);
            if (raw == MAP_FAILED) {
                return 0;
            }
            long address = (raw + align - 1) & -align;
            release(raw, address - raw);
            release(address + bytes, raw + align - address);
            if (hugePages) {
                // Advice only: a kernel that does not know it serves small pages.
                int ignored = (int) madvise.invokeExact(address, bytes, MADV_HUGEPAGE);
            }
            return address;
        } catch (Throwable failure) {
            throw asUnchecked(failure);
        }
    }

    @Override
    public void unmap(long address, long bytes) {
        try {
            release(address, bytes);
        } catch (Throwable failure) {
            throw asUnchecked(failure);
        }
    }

    private void release(long address, long bytes) throws Throwable {
        if (bytes > 0) {
            int result = (int) munmap.invokeExact(address, bytes);
            Invariants.check(result == 0, "memory that is unmapped was mapped");
        }
    }

    private static RuntimeException asUnchecked(Throwable failure) {
        return switch (failure) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            default -> new IllegalStateException(failure);
        };
    }
}
