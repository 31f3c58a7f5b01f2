package dev.fulmar.foundation.agent.real;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Pins threads to cores by {@code sched_setaffinity} on Linux. Where that is impossible it says why, and the node runs
 * unpinned.
 */
public final class ThreadAffinity {
    /** Bytes of a {@code cpu_set_t}: 1,024 cores. */
    private static final int MASK_BYTES = 128;

    private ThreadAffinity() {}

    /**
     * Result of pinning a thread to a core.
     *
     * @param pinned whether the thread now runs on the core alone
     * @param report what happened, for the log
     */
    public record Outcome(boolean pinned, String report) {}

    /** Pins the calling thread to the core. */
    public static Outcome pinCurrentThread(int core) {
        String name = Thread.currentThread().getName();
        if (core < 0 || core >= MASK_BYTES * Byte.SIZE) {
            return new Outcome(false, "thread " + name + " is not pinned: there is no core " + core);
        }
        Optional<Calls> calls = Calls.find();
        if (calls.isEmpty()) {
            return new Outcome(false, "thread " + name + " is not pinned: this system has no sched_setaffinity");
        }
        int error = calls.get().set(core);
        return error == 0
                ? new Outcome(true, "thread " + name + " is pinned to core " + core)
                : new Outcome(
                        false,
                        "thread " + name + " is not pinned to core " + core + ": error " + error
                                + " of sched_setaffinity; is the core allowed for this process?");
    }

    /** Cores that the calling thread may run on, ascending; empty where the system does not tell. */
    public static List<Integer> allowedCores() {
        return Calls.find().map(Calls::get).orElse(List.of());
    }

    /** The system calls. */
    private record Calls(MethodHandle setAffinity, MethodHandle getAffinity) {
        private static final StructLayout STATE_LAYOUT = Linker.Option.captureStateLayout();
        private static final VarHandle ERROR_NUMBER =
                STATE_LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));

        @SuppressWarnings("restricted")
        static Optional<Calls> find() {
            Linker linker = Linker.nativeLinker();
            SymbolLookup lookup = linker.defaultLookup();
            FunctionDescriptor descriptor = FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
            Linker.Option capture = Linker.Option.captureCallState("errno");
            return lookup.find("sched_setaffinity")
                    .flatMap(set -> lookup.find("sched_getaffinity")
                            .map(get -> new Calls(
                                    linker.downcallHandle(set, descriptor, capture),
                                    linker.downcallHandle(get, descriptor, capture))));
        }

        /** Returns 0 or the error number. */
        int set(int core) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
                int word = core / Long.SIZE * Long.BYTES;
                mask.set(ValueLayout.JAVA_LONG, word, 1L << (core % Long.SIZE));
                return call(setAffinity, arena, mask);
            }
        }

        List<Integer> get() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
                List<Integer> cores = new ArrayList<>();
                if (call(getAffinity, arena, mask) == 0) {
                    for (int core = 0; core < MASK_BYTES * Byte.SIZE; core++) {
                        long word = mask.get(ValueLayout.JAVA_LONG, core / Long.SIZE * (long) Long.BYTES);
                        if ((word >>> core % Long.SIZE & 1) != 0) {
                            cores.add(core);
                        }
                    }
                }
                return List.copyOf(cores);
            }
        }

        private static int call(MethodHandle function, Arena arena, MemorySegment mask) {
            MemorySegment state = arena.allocate(STATE_LAYOUT);
            try {
                int result = (int) function.invokeExact(state, 0, (long) MASK_BYTES, mask);
                return result >= 0 ? 0 : (int) ERROR_NUMBER.get(state, 0L);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("a system call threw a checked exception", e);
            }
        }
    }
}
