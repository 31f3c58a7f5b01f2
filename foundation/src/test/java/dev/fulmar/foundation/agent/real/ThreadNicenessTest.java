package dev.fulmar.foundation.agent.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ThreadNicenessTest {
    /** Of the fields behind the thread's name, counted from 0. */
    private static final int NICE_FIELD = 16;

    @Test
    @EnabledOnOs(OS.LINUX)
    void aLoweredThreadIsNiceAndNoOther() throws Exception {
        CompletableFuture<Boolean> lowered = new CompletableFuture<>();
        CompletableFuture<String[]> seen = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            lowered.complete(ThreadNiceness.lowerCurrentThread());
            try {
                seen.complete(fields());
            } catch (IOException e) {
                seen.completeExceptionally(e);
            }
        });
        thread.start();
        assertThat(lowered.get()).isTrue();
        int before = Integer.parseInt(fields()[NICE_FIELD]);
        assertThat(Integer.parseInt(seen.get()[NICE_FIELD])).isGreaterThan(before);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void threadsAreLoweredByTheirNames() throws Exception {
        CountDownLatch started = new CountDownLatch(2);
        CountDownLatch lowered = new CountDownLatch(1);
        CompletableFuture<Integer> named = new CompletableFuture<>();
        CompletableFuture<Integer> other = new CompletableFuture<>();
        Thread one = new Thread(() -> tell(started, lowered, named), "gives-way");
        Thread two = new Thread(() -> tell(started, lowered, other), "stays");
        one.start();
        two.start();
        started.await();
        assertThat(ThreadNiceness.lower(name -> name.startsWith("gives-"))).isOne();
        lowered.countDown();
        int before = Integer.parseInt(fields()[NICE_FIELD]);
        assertThat(named.get()).isGreaterThan(before);
        assertThat(other.get()).isEqualTo(before);
    }

    private static void tell(CountDownLatch started, CountDownLatch lowered, CompletableFuture<Integer> niceness) {
        started.countDown();
        try {
            lowered.await();
            niceness.complete(Integer.parseInt(fields()[NICE_FIELD]));
        } catch (IOException | InterruptedException e) {
            niceness.completeExceptionally(e);
        }
    }

    private static String[] fields() throws IOException {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }
}
