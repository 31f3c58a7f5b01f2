package dev.fulmar.pmemlog.backend.llpl;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Bindings of LLPL's calls, made when this class is first used: programs without the library compile and run. A binding
 * that fails is a {@link LinkageError}.
 */
final class LlplLibrary {
    private static final Class<?> POOL = load("com.intel.pmem.llpl.MemoryPool");

    private static final MethodHandle CREATE = bindStatic("createPool", String.class, long.class);
    private static final MethodHandle OPEN = bindStatic("openPool", String.class);
    private static final MethodHandle SIZE = bind("size", long.class);
    private static final MethodHandle COPY_IN =
            bind("copyFromByteArray", void.class, byte[].class, int.class, long.class, int.class);
    private static final MethodHandle COPY_OUT =
            bind("copyToByteArray", void.class, long.class, byte[].class, int.class, int.class);
    private static final MethodHandle FLUSH = bind("flush", void.class, long.class, long.class);

    private LlplLibrary() {}

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, true, LlplLibrary.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new NoClassDefFoundError(e.getMessage());
        }
    }

    private static MethodHandle bindStatic(String name, Class<?>... parameters) {
        try {
            return MethodHandles.publicLookup()
                    .findStatic(POOL, name, MethodType.methodType(POOL, parameters))
                    .asType(MethodType.methodType(Object.class, parameters));
        } catch (ReflectiveOperationException e) {
            throw new NoSuchMethodError(e.getMessage());
        }
    }

    private static MethodHandle bind(String name, Class<?> result, Class<?>... parameters) {
        try {
            MethodHandle method =
                    MethodHandles.publicLookup().findVirtual(POOL, name, MethodType.methodType(result, parameters));
            return method.asType(method.type().changeParameterType(0, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new NoSuchMethodError(e.getMessage());
        }
    }

    static Object create(String path, long bytes) {
        try {
            return (Object) CREATE.invokeExact(path, bytes);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    static Object open(String path) {
        try {
            return (Object) OPEN.invokeExact(path);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    static long size(Object pool) {
        try {
            return (long) SIZE.invokeExact(pool);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    static void copyIn(Object pool, byte[] source, int sourceOffset, long offset, int bytes) {
        try {
            COPY_IN.invokeExact(pool, source, sourceOffset, offset, bytes);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    static void copyOut(Object pool, long offset, byte[] target, int targetOffset, int bytes) {
        try {
            COPY_OUT.invokeExact(pool, offset, target, targetOffset, bytes);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    static void flush(Object pool, long offset, long bytes) {
        try {
            FLUSH.invokeExact(pool, offset, bytes);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /** LLPL declares no checked exceptions. */
    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }
}
