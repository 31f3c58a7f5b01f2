package dev.fulmar.foundation.failstop.real;

import dev.fulmar.foundation.failstop.ExitStatus;
import dev.fulmar.foundation.failstop.ProcessEnd;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The real {@link ProcessEnd}, and the default handler of uncaught exceptions: halts the JVM even when memory is
 * exhausted. It cannot fail for want of resources: its bytes are allocated, its classes loaded and its thread started
 * when it is installed. The end is decided first; a thread of its own halts the process soon after, whatever becomes of
 * the words about it. Thread-safe.
 */
public final class LastResort implements Thread.UncaughtExceptionHandler, ProcessEnd {
    private static final int UNDECIDED = -1;
    private static final int TEXT_BYTES = 4096;
    private static final byte[] BEGIN = "fulmar: the process ends with status ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] THREAD = ", for thread ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MET = " met ".getBytes(StandardCharsets.US_ASCII);
    private static final int DECIMAL = 10;
    private static final byte[] NOTHING = {};

    /** Given back at the end, so that others can be told of it although memory is exhausted. */
    private static final int RESERVE_BYTES = 1 << 20;

    /** Time for the log lines about an end that is decided, for their reader may hang. */
    private static final Duration WORDS = Duration.ofMillis(500);

    private final Halt halt;
    private final long closingNanos;
    private final FileOutputStream out;
    private final PrintStream trace;
    private final byte[] text = new byte[TEXT_BYTES];
    private final AtomicInteger decided = new AtomicInteger(UNDECIDED);
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicInteger spoken = new AtomicInteger();
    private final Thread watchdog;
    private volatile boolean atOnce;
    private volatile byte[] reserve = new byte[RESERVE_BYTES];
    private volatile Runnable lastWords = () -> {};

    /** The call that ends the process with a status. */
    @FunctionalInterface
    public interface Halt {
        void with(int status);
    }

    LastResort(Halt halt, FileDescriptor descriptor, Duration closing) {
        this.halt = halt;
        this.closingNanos = closing.toNanos();
        this.out = new FileOutputStream(descriptor);
        this.trace = new PrintStream(out, false, StandardCharsets.UTF_8);
        this.watchdog = Thread.ofPlatform().daemon().name("fulmar-last-resort").unstarted(this::watch);
    }

    /**
     * Makes it the handler of every thread that has none of its own.
     *
     * @param closing how long a node that broke may take to close in order
     */
    public static LastResort install(Duration closing) {
        LastResort handler = new LastResort(Runtime.getRuntime()::halt, FileDescriptor.err, closing);
        handler.start();
        Thread.setDefaultUncaughtExceptionHandler(handler);
        return handler;
    }

    /** Starts the thread and goes through all that an end needs, but for the end. */
    void start() {
        watchdog.start();
        compose(ExitStatus.BROKEN.number(), watchdog, new OutOfMemoryError());
        write(0);
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        end(ExitStatus.BROKEN.number(), thread, thrown);
    }

    @Override
    public void broken(int status, Throwable thrown) {
        if (thrown instanceof Error || thrown.getCause() instanceof Error) {
            end(status, Thread.currentThread(), thrown);
        } else if (decided.compareAndSet(UNDECIDED, status)) {
            LockSupport.unpark(watchdog);
        }
    }

    @Override
    public void before(Runnable words) {
        lastWords = words;
    }

    private void end(int status, Thread thread, Throwable thrown) {
        decided.compareAndSet(UNDECIDED, status);
        atOnce = true;
        LockSupport.unpark(watchdog);
        try {
            speak();
            tell(thread, thrown);
        } finally {
            halt.with(decided.get());
        }
    }

    private void speak() {
        if (spoken.compareAndSet(0, 1)) {
            try {
                if (reserve.length > 0) {
                    reserve = NOTHING;
                }
                lastWords.run();
            } catch (Throwable e) { // who is not told finds out by the end of the connection
                spoken.set(2);
            }
        }
    }

    /** The words of the first are those that help; the others' would only mix with them. */
    private void tell(Thread thread, Throwable thrown) {
        if (!told.compareAndSet(0, 1)) {
            LockSupport.parkNanos(WORDS.toNanos());
            return;
        }
        write(compose(decided.get(), thread, thrown));
        try {
            thrown.printStackTrace(trace);
            trace.flush();
        } catch (Throwable e) { // the line is written, and there is no memory or no class for more
            told.set(2);
        }
    }

    /** Returns how many bytes the line has. Allocates nothing but, the first time, the name of the class. */
    private int compose(int status, Thread thread, Throwable thrown) {
        int length = 0;
        try {
            length = append(BEGIN, length);
            length = append(status, length);
            length = append(THREAD, length);
            length = append(thread.getName(), length);
            length = append(MET, length);
            length = append(thrown.getClass().getName(), length);
        } catch (Throwable e) { // what there is must do
            told.set(2);
        }
        text[length++] = '\n';
        return length;
    }

    private int append(byte[] bytes, int length) {
        System.arraycopy(bytes, 0, text, length, bytes.length);
        return length + bytes.length;
    }

    private int append(int number, int length) {
        int end = length;
        if (number >= DECIMAL) {
            end = append(number / DECIMAL, length);
        }
        text[end] = (byte) ('0' + number % DECIMAL);
        return end + 1;
    }

    private int append(String characters, int length) {
        int end = length;
        int room = Math.min(characters.length(), TEXT_BYTES / 4);
        for (int i = 0; i < room; i++) {
            char c = characters.charAt(i);
            text[end++] = (byte) (c >= ' ' && c < 0x7f ? c : '?');
        }
        return end;
    }

    private void write(int length) {
        try {
            out.write(text, 0, length);
        } catch (IOException e) { // nobody reads it; the status says the same
            told.set(2);
        }
    }

    private void watch() {
        while (true) {
            try {
                if (decided.get() == UNDECIDED) {
                    LockSupport.park(this);
                } else {
                    await();
                    halt.with(decided.get());
                    return;
                }
            } catch (Throwable e) { // only an end that is decided ends this thread
                decided.compareAndSet(UNDECIDED, ExitStatus.BROKEN.number());
                atOnce = true;
                tellBeside(e);
            }
        }
    }

    /** The watchdog itself broke. It has others write that, as they may have to wait for somebody who reads. */
    private void tellBeside(Throwable thrown) {
        try {
            Thread.ofPlatform().daemon().start(() -> tell(watchdog, thrown));
        } catch (Throwable e) { // the status must do
            told.set(2);
        }
    }

    private void await() {
        long begun = System.nanoTime();
        long limit = atOnce ? WORDS.toNanos() : closingNanos;
        for (long passed = 0; passed < limit; passed = System.nanoTime() - begun) {
            LockSupport.parkNanos(this, limit - passed);
            if (atOnce) {
                limit = Math.min(limit, passed + WORDS.toNanos());
            }
        }
    }
}
