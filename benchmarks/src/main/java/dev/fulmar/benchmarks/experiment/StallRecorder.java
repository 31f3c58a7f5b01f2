package dev.fulmar.benchmarks.experiment;

import dev.fulmar.foundation.agent.real.ThreadAffinity;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The control: a thread on every core that sleeps for half a millisecond at a time and notes when it comes back late.
 * It runs in a process of its own, which no collector stops, so whatever it sees is the machine's doing.
 */
public final class StallRecorder {
    private static final long SLEEP_NANOS = 500_000;
    private static final long SHORTEST_STALL_NANOS = 1_000_000;

    private final int core;
    private long[] starts = new long[1024];
    private long[] durations = new long[1024];
    private int count;
    private volatile boolean ended;

    private StallRecorder(int core) {
        this.core = core;
    }

    /** Runs until standard input ends, then writes the stalls. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<Integer> cores = ThreadAffinity.allowedCores();
        List<StallRecorder> recorders = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int core : cores.isEmpty() ? List.of(-1) : cores) {
            StallRecorder recorder = new StallRecorder(core);
            recorders.add(recorder);
            threads.add(Thread.ofPlatform().daemon().name("control-" + core).start(recorder::record));
        }
        System.in.transferTo(OutputStream.nullOutputStream());
        for (int i = 0; i < threads.size(); i++) {
            recorders.get(i).ended = true;
            threads.get(i).join();
            recorders.get(i).write();
        }
    }

    private void record() {
        if (core >= 0) {
            ThreadAffinity.pinCurrentThread(core);
        }
        while (!ended) {
            long due = System.nanoTime() + SLEEP_NANOS;
            LockSupport.parkNanos(SLEEP_NANOS);
            long late = System.nanoTime() - due;
            if (late >= SHORTEST_STALL_NANOS) {
                note(due, late);
            }
        }
    }

    private void note(long start, long duration) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            durations = Arrays.copyOf(durations, 2 * count);
        }
        starts[count] = start;
        durations[count++] = duration;
    }

    private void write() {
        for (int i = 0; i < count; i++) {
            System.out.println(new ControlStalls.Stall(core, starts[i], durations[i]).line());
        }
    }
}
