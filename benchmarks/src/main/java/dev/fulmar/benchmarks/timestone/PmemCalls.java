package dev.fulmar.benchmarks.timestone;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Interposer between an open pool of PMDK and libpmem, which counts the pool's flushes and waits and passes everything
 * on. An open pool keeps the addresses of libpmem's functions in the second page of its file's mapping, if it takes its
 * memory for persistent. They are found there by their values, whatever place they have, and replaced by functions of
 * this class; where one of them is missing nothing is replaced, for a part of the calls would be a wrong count. For one
 * thread.
 */
final class PmemCalls {
    private static final String LIBRARY = "libpmem.so.1";
    private static final int PAGE_BYTES = 4096;
    private static final int LINE_BYTES = 64;

    /** Flags of the copying functions: no wait at the end; nothing is flushed, so there is no wait either. */
    private static final int NO_DRAIN = 1;

    private static final int NO_FLUSH = 1 << 5;

    private static final FunctionDescriptor RANGE =
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor NOTHING = FunctionDescriptor.ofVoid();
    private static final FunctionDescriptor COPY = FunctionDescriptor.of(
            ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
    private static final FunctionDescriptor FILL = FunctionDescriptor.of(
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT);

    private final SymbolLookup library = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
    private final MethodHandle persist = real("pmem_persist", RANGE);
    private final MethodHandle flush = real("pmem_flush", RANGE);
    private final MethodHandle drain = real("pmem_drain", NOTHING);
    private final MethodHandle memcpy = real("pmem_memcpy", COPY);
    private final MethodHandle memmove = real("pmem_memmove", COPY);
    private final MethodHandle memset = real("pmem_memset", FILL);

    private long bytes;
    private long lines;
    private long fences;

    /** A function that a pool calls, and what shall be called instead. */
    private record Detour(String name, FunctionDescriptor type, String method) {}

    private static final List<Detour> DETOURS = List.of(
            new Detour("pmem_persist", RANGE, "persist"),
            new Detour("pmem_flush", RANGE, "flush"),
            new Detour("pmem_drain", NOTHING, "drain"),
            new Detour("pmem_memcpy", COPY, "copy"),
            new Detour("pmem_memmove", COPY, "move"),
            new Detour("pmem_memset", FILL, "fill"));

    /**
     * Counts the calls of the pool, which must be open in this process, from now on.
     *
     * @throws IllegalStateException if they cannot be counted
     */
    static PmemCalls of(Path pool) throws IOException {
        PmemCalls calls = new PmemCalls();
        MemorySegment page = secondPage(pool);
        long[] places = new long[DETOURS.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = place(
                    page,
                    calls.library.findOrThrow(DETOURS.get(i).name()),
                    DETOURS.get(i).name());
        }
        for (int i = 0; i < places.length; i++) {
            page.set(
                    ValueLayout.JAVA_LONG, places[i], calls.stub(DETOURS.get(i)).address());
        }
        return calls;
    }

    /** Of the mapping that the process has of the file: the first one takes writes in other places, or in none. */
    private static MemorySegment secondPage(Path pool) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            String[] words = line.split("\\s+", 6);
            if (words.length == 6 && words[5].equals(pool.toRealPath().toString()) && words[1].startsWith("rw")) {
                String[] range = words[0].split("-");
                long begin = Long.parseUnsignedLong(range[0], 16) - Long.parseLong(words[2], 16) + PAGE_BYTES;
                return MemorySegment.ofAddress(begin).reinterpret(PAGE_BYTES);
            }
        }
        throw new IllegalStateException("the process has no mapping of " + pool);
    }

    private static long place(MemorySegment page, MemorySegment function, String name) {
        long found = -1;
        for (long at = 0; at < PAGE_BYTES; at += Long.BYTES) {
            if (page.get(ValueLayout.JAVA_LONG, at) == function.address()) {
                if (found >= 0) {
                    throw new IllegalStateException("the pool has the address of " + name + " twice");
                }
                found = at;
            }
        }
        if (found < 0) {
            throw new IllegalStateException("the pool does not have the address of " + name
                    + ": this is another PMDK, or PMEM_IS_PMEM_FORCE is not 1");
        }
        return found;
    }

    private MethodHandle real(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type);
    }

    private MemorySegment stub(Detour detour) {
        MethodType type = detour.type().toMethodType();
        try {
            MethodHandle method = MethodHandles.lookup().findVirtual(PmemCalls.class, detour.method(), type);
            return Linker.nativeLinker().upcallStub(method.bindTo(this), detour.type(), Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Bytes that were flushed, or stored past the caches. */
    long bytes() {
        return bytes;
    }

    /** The same in lines of the cache, of which each has to be written whole. */
    long lines() {
        return lines;
    }

    /** Waits until what was flushed is in the memory. */
    long fences() {
        return fences;
    }

    private void flushed(MemorySegment begin, long length) {
        bytes += length;
        if (length > 0) {
            lines += (begin.address() + length - 1) / LINE_BYTES - begin.address() / LINE_BYTES + 1;
        }
    }

    private void copied(MemorySegment begin, long length, int flags) {
        if ((flags & NO_FLUSH) == 0) {
            flushed(begin, length);
            fences += (flags & NO_DRAIN) == 0 ? 1 : 0;
        }
    }

    // What the pool calls, found by name. An exception ends the process.

    void persist(MemorySegment begin, long length) throws Throwable {
        flushed(begin, length);
        fences++;
        persist.invokeExact(begin, length);
    }

    void flush(MemorySegment begin, long length) throws Throwable {
        flushed(begin, length);
        flush.invokeExact(begin, length);
    }

    void drain() throws Throwable {
        fences++;
        drain.invokeExact();
    }

    MemorySegment copy(MemorySegment target, MemorySegment source, long length, int flags) throws Throwable {
        copied(target, length, flags);
        return (MemorySegment) memcpy.invokeExact(target, source, length, flags);
    }

    MemorySegment move(MemorySegment target, MemorySegment source, long length, int flags) throws Throwable {
        copied(target, length, flags);
        return (MemorySegment) memmove.invokeExact(target, source, length, flags);
    }

    MemorySegment fill(MemorySegment target, int value, long length, int flags) throws Throwable {
        copied(target, length, flags);
        return (MemorySegment) memset.invokeExact(target, value, length, flags);
    }
}
