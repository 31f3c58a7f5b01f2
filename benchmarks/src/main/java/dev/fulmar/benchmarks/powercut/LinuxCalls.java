package dev.fulmar.benchmarks.powercut;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The few system calls of Linux that the JDK has no other way to. A failure is a negative {@code errno}. Thread-safe.
 */
final class LinuxCalls {
    static final int INTERRUPTED = -4;
    static final int NO_DEVICE = -19;
    static final int TRY_AGAIN = -11;
    static final int NO_ENTRY = -2;

    private static final int READ_WRITE = 2;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final long NO_SET_USER_ID = 2;
    private static final long NO_DEVICES = 4;
    private static final int FORCE = 1;
    private static final int DETACH = 2;

    private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final MethodHandle open;
    private final MethodHandle close;
    private final MethodHandle read;
    private final MethodHandle write;
    private final MethodHandle mount;
    private final MethodHandle unmount;
    private final ThreadLocal<MemorySegment> captured =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CAPTURED));

    LinuxCalls() {
        open = bind("open", ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
        close = bind("close", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
        read = bind("read", ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
        write = bind("write", ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
        mount = bind(
                "mount",
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS);
        unmount = bind("umount2", ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    }

    private static MethodHandle bind(String name, MemoryLayout result, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }

    /** For reading and writing. */
    int open(String path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return (int) checked(result(open, arena.allocateFrom(path), READ_WRITE | CLOSE_ON_EXEC), "open " + path);
        }
    }

    void close(int descriptor) {
        result(close, descriptor);
    }

    /** Bytes read, or a negative error. */
    int read(int descriptor, MemorySegment target) {
        return (int) result(read, descriptor, target, target.byteSize());
    }

    /** Bytes written, or a negative error. */
    int write(int descriptor, MemorySegment source, long length) {
        return (int) result(write, descriptor, source, length);
    }

    void mount(String source, String target, String type, String options) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            checked(
                    result(
                            mount,
                            arena.allocateFrom(source),
                            arena.allocateFrom(target),
                            arena.allocateFrom(type),
                            NO_SET_USER_ID | NO_DEVICES,
                            arena.allocateFrom(options)),
                    "mount on " + target);
        }
    }

    /** Aborts what is under way in the mount, and takes it away. */
    void unmountByForce(String target) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            checked(result(unmount, arena.allocateFrom(target), FORCE | DETACH), "unmount " + target);
        }
    }

    private static long checked(long result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(what + " fails with error " + -result);
        }
        return result;
    }

    private long result(MethodHandle call, Object... arguments) {
        MemorySegment state = captured.get();
        Object[] all = new Object[arguments.length + 1];
        all[0] = state;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        try {
            long result = ((Number) call.invokeWithArguments(all)).longValue();
            return result < 0 ? -(int) ERRNO.get(state, 0L) : result;
        } catch (Throwable thrown) {
            throw new IllegalStateException("a system call could not be made", thrown);
        }
    }
}
