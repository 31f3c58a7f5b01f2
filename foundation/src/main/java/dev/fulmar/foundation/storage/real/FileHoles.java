package dev.fulmar.foundation.storage.real;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Takes the space of a part of a file from it by {@code fallocate} on Linux. The JVM has no way to do so. Thread-safe.
 */
final class FileHoles {
    private static final int READ_AND_WRITE = 2;
    private static final int CLOSE_ON_EXEC = 0x80000;

    /** {@code FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE}. */
    private static final int HOLE = 3;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;

    private FileHoles() {}

    /** Makes a hole; false if the system or the file system has none, and nothing has changed. */
    static boolean make(Path file, long position, long bytes) {
        boolean isLinux =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
        if (!isLinux || bytes <= 0) {
            return false;
        }
        Optional<MethodHandle> open =
                function("open", FunctionDescriptor.of(INT, ADDRESS, INT), Linker.Option.firstVariadicArg(2));
        Optional<MethodHandle> allocate = function("fallocate", FunctionDescriptor.of(INT, INT, INT, LONG, LONG));
        Optional<MethodHandle> close = function("close", FunctionDescriptor.of(INT, INT));
        if (open.isEmpty() || allocate.isEmpty() || close.isEmpty()) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file.toString());
            int descriptor = (int) open.get().invokeExact(path, READ_AND_WRITE | CLOSE_ON_EXEC);
            if (descriptor < 0) {
                return false;
            }
            boolean made = (int) allocate.get().invokeExact(descriptor, HOLE, position, bytes) == 0;
            return (int) close.get().invokeExact(descriptor) == 0 && made;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a system call threw a checked exception", e);
        }
    }

    @SuppressWarnings("restricted")
    private static Optional<MethodHandle> function(String name, FunctionDescriptor types, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup().find(name).map(address -> linker.downcallHandle(address, types, options));
    }
}
