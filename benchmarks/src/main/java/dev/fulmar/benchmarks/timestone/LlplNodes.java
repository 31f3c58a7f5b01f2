package dev.fulmar.benchmarks.timestone;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Nodes as blocks of LLPL's TransactionalHeap: PMDK saves every range before it is changed, and undoes it after a
 * crash. Bound when first used; where LLPL is missing that fails with a {@link LinkageError}. PMDK isolates nothing, so
 * a lock does.
 */
final class LlplNodes extends LockedNodes {
    private static final String PACKAGE = "com.intel.pmem.llpl.";
    private static final Class<?> HEAP = load("TransactionalHeap");
    private static final Class<?> ANY_HEAP = load("AnyHeap");
    private static final Class<?> BLOCK = load("TransactionalMemoryBlock");
    private static final Class<?> TRANSACTION = load("Transaction");
    private static final MethodHandle CREATE = bindStatic(HEAP, "createHeap", HEAP, String.class, long.class);
    private static final MethodHandle RUN = bindStatic(TRANSACTION, "create", void.class, ANY_HEAP, Runnable.class);
    private static final MethodHandle ALLOCATE = bind(HEAP, "allocateMemoryBlock", BLOCK, long.class);
    private static final MethodHandle BLOCK_OF = bind(HEAP, "memoryBlockFromHandle", BLOCK, long.class);
    private static final MethodHandle HANDLE = bind(BLOCK, "handle", long.class);
    private static final MethodHandle GET = bind(BLOCK, "getLong", long.class, long.class);
    private static final MethodHandle SET = bind(BLOCK, "setLong", void.class, long.class, long.class);
    private static final MethodHandle COPY =
            bind(BLOCK, "copyFromArray", void.class, byte[].class, int.class, long.class, int.class);
    private static final MethodHandle FREE = bind(BLOCK, "freeMemory", void.class);

    private final Object heap;
    private long commits;
    private long objectWrites;
    private long changedBytes;

    LlplNodes(Path pool, long bytes) {
        try {
            heap = (Object) CREATE.invokeExact(pool.toString(), bytes);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(PACKAGE + name);
        } catch (ClassNotFoundException e) {
            throw new NoClassDefFoundError(e.getMessage());
        }
    }

    private static MethodHandle bindStatic(Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
        try {
            return erased(
                    MethodHandles.publicLookup().findStatic(owner, name, MethodType.methodType(result, parameters)));
        } catch (ReflectiveOperationException e) {
            throw new NoSuchMethodError(e.getMessage());
        }
    }

    private static MethodHandle bind(Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
        try {
            return erased(
                    MethodHandles.publicLookup().findVirtual(owner, name, MethodType.methodType(result, parameters)));
        } catch (ReflectiveOperationException e) {
            throw new NoSuchMethodError(e.getMessage());
        }
    }

    /** With Object in place of LLPL's types. */
    private static MethodHandle erased(MethodHandle method) {
        MethodType type = method.type();
        for (int i = 0; i < type.parameterCount(); i++) {
            if (type.parameterType(i).getName().startsWith(PACKAGE)) {
                type = type.changeParameterType(i, Object.class);
            }
        }
        return method.asType(
                type.returnType().getName().startsWith(PACKAGE) ? type.changeReturnType(Object.class) : type);
    }

    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }

    @Override
    <T> T runWriting(Function<Body, T> body) {
        Object[] result = new Object[1];
        Runnable transaction = () -> result[0] = body.apply(new Blocks());
        try {
            RUN.invokeExact(heap, transaction);
        } catch (Throwable e) {
            throw unchecked(e);
        }
        commits++;
        @SuppressWarnings("unchecked") // what the body returned
        T typed = (T) result[0];
        return typed;
    }

    @Override
    <T> T runReading(Function<Body, T> body) {
        return body.apply(new Blocks());
    }

    @Override
    public Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("commits", (double) commits);
        figures.put("objectWrites", (double) objectWrites);
        figures.put("changedBytes", (double) changedBytes);
        return figures;
    }

    /** LLPL keeps a pool until the process ends. */
    @Override
    public void close() {}

    private final class Blocks implements Body {
        private Object block(long node) {
            try {
                return (Object) BLOCK_OF.invokeExact(heap, node);
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }

        private void note(int bytes) {
            objectWrites++;
            changedBytes += bytes;
        }

        @Override
        public long word(long node, int word) {
            try {
                return (long) GET.invokeExact(block(node), (long) word * Long.BYTES);
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }

        @Override
        public void word(long node, int word, long value) {
            try {
                SET.invokeExact(block(node), (long) word * Long.BYTES, value);
                note(Long.BYTES);
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }

        @Override
        public long create(byte[] content) {
            try {
                Object block = (Object) ALLOCATE.invokeExact(heap, (long) content.length);
                COPY.invokeExact(block, content, 0, 0L, content.length);
                note(content.length);
                return (long) HANDLE.invokeExact(block);
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }

        @Override
        public void delete(long node) {
            try {
                FREE.invokeExact(block(node));
                note(0);
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }

        @Override
        public void replace(long node, int offset, byte[] bytes) {
            try {
                COPY.invokeExact(block(node), bytes, 0, (long) offset, bytes.length);
                note(bytes.length);
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }

        @Override
        public long sum(long node, int bytes) {
            try {
                Object block = block(node);
                long sum = 0;
                for (long at = 0; at < bytes; at += Long.BYTES) {
                    sum += (long) GET.invokeExact(block, at);
                }
                return sum;
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }
    }
}
