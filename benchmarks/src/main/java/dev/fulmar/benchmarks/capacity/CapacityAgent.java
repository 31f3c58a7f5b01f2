package dev.fulmar.benchmarks.capacity;

import dev.fulmar.engine.partition.Partition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Agent in a node's process that emulates slower processors for its sites. A site's thread waits after each message
 * until it has paid for the work: calls, slices, chunks and hand-offs alike. It pays for the thread's processor time.
 * Other processes of the machine may have the core in the midst of a call, and that is no work of the site. A site must
 * have a thread of its own, or threads of connections wait with it.
 *
 * <p>It also notes how long partitions hold calls up for a hand-off or a change of the catalog, on standard output. The
 * methods that woven code calls have to be static.
 */
public final class CapacityAgent {
    private static final long LOOK_NANOS = 50_000_000;
    private static final int LOOKS_A_NOTE = 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Map<String, SiteBudget> BUDGETS = new ConcurrentHashMap<>();
    private static final ThreadLocal<SiteBudget> BUDGET = ThreadLocal.withInitial(CapacityAgent::newBudget);

    /** When locks were taken, and freezes began; entries of few objects live long. */
    private static final Map<Object, Long> LOCKED_NANOS = new ConcurrentHashMap<>();

    private static final Map<Object, Long> FROZEN_NANOS = new ConcurrentHashMap<>();

    private static volatile double factor;

    private CapacityAgent() {}

    /**
     * Called by the JVM before the node starts.
     *
     * @param file that has the factor by which sites are slower, as {@link CapacityFile} writes it
     */
    public static void premain(String file, Instrumentation instrumentation) {
        Path path = Path.of(file);
        factor = CapacityFile.read(path);
        instrumentation.addTransformer(new Weaving());
        Thread.ofPlatform().daemon().name("emulated-capacity").start(() -> follow(path));
    }

    /** Weaves classes as they are loaded. A node without its emulation must not run. */
    private static final class Weaving implements ClassFileTransformer {
        @Override
        public byte @Nullable [] transform(
                @Nullable ClassLoader loader,
                @Nullable String name,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] bytes) {
            if (name == null || !NodeWeaver.changes(name)) {
                return null;
            }
            try {
                return NodeWeaver.weave(name, bytes);
            } catch (RuntimeException | Error e) {
                System.out.println("the emulated capacity does not fit the node: " + e);
                Runtime.getRuntime().halt(1);
                return null;
            }
        }
    }

    private static SiteBudget newBudget() {
        SiteBudget budget = new SiteBudget(System.nanoTime());
        BUDGETS.put(Thread.currentThread().getName(), budget);
        return budget;
    }

    private static void follow(Path file) {
        for (int look = 0; ; look++) {
            LockSupport.parkNanos(LOOK_NANOS);
            double now = CapacityFile.read(file);
            if (now != factor) {
                factor = now;
            }
            if (look % LOOKS_A_NOTE == 0) {
                BUDGETS.forEach((thread, budget) ->
                        print(new NodeNote(NodeNote.Kind.WORKED, thread, System.nanoTime(), budget.workedNanos())));
            }
        }
    }

    private static void print(NodeNote note) {
        System.out.println(note.line());
    }

    /** At the beginning of a site's turn. */
    public static void turnBegins() {
        BUDGET.get().look(System.nanoTime());
    }

    /** A message or a slice begins: whatever the thread did to find it is no work. */
    public static void messageBegins() {
        SiteBudget budget = BUDGET.get();
        if (!budget.isAtWork()) {
            budget.begin(System.nanoTime(), THREADS.getCurrentThreadCpuTime());
        }
    }

    /** After a message within a turn; returns once it is paid. A processor that is slower is so within a turn, too. */
    public static void worked() {
        SiteBudget budget = BUDGET.get();
        if (budget.isDue(System.nanoTime(), factor)) {
            pay(budget);
        }
    }

    /**
     * At the end of a site's turn; returns once it is paid. A turn that found nothing to do costs nothing.
     *
     * @param handled what the turn did
     */
    public static void turnEnded(int handled) {
        SiteBudget budget = BUDGET.get();
        if (handled > 0) {
            pay(budget);
        } else {
            budget.rest();
        }
    }

    private static void pay(SiteBudget budget) {
        long nowNanos = System.nanoTime();
        long waitNanos = budget.charge(nowNanos, THREADS.getCurrentThreadCpuTime(), factor);
        if (waitNanos > 0) {
            long endNanos = nowNanos + waitNanos;
            for (long left = waitNanos; left > 0; left = endNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            budget.begin(System.nanoTime(), THREADS.getCurrentThreadCpuTime());
        }
    }

    /** A transaction over several partitions gets the lock of one. */
    public static void locked(Object lock) {
        LOCKED_NANOS.put(lock, System.nanoTime());
    }

    /** A change of the catalog counts on the partition, which lets its lock go now. */
    public static void changed(Object partition) {
        Long since = LOCKED_NANOS.get(lockOf((Partition) partition));
        if (since != null) {
            String name = "partition-" + ((Partition) partition).id().number();
            print(new NodeNote(NodeNote.Kind.LOCKED, name, since, System.nanoTime() - since));
        }
    }

    private static Object lockOf(Partition partition) {
        try {
            Method lock = Partition.class.getDeclaredMethod("lock");
            lock.setAccessible(true);
            return lock.invoke(partition);
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            throw new IllegalStateException("a partition has a lock", e);
        }
    }

    /** Calls on a partition begin to wait for a hand-off. */
    public static void frozen(Object freeze) {
        FROZEN_NANOS.put(freeze, System.nanoTime());
    }

    /** Calls that waited for the hand-off go on. */
    public static void thawed(Object freeze) {
        Long since = FROZEN_NANOS.remove(freeze);
        if (since != null) {
            print(new NodeNote(
                    NodeNote.Kind.FROZEN, Thread.currentThread().getName(), since, System.nanoTime() - since));
        }
    }
}
