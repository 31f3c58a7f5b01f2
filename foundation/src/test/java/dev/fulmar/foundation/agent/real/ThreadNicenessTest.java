package dev.fulmar.foundation.agent.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ThreadNicenessTest {
    /** Of the fields behind the thread's name, counted from 0: its nice value and its policy. */
    private static final int NICE_FIELD = 16;

    private static final int POLICY_FIELD = 38;

    @Test
    @EnabledOnOs(OS.LINUX)
    void everyThreadThatWakesComesFirst() throws Exception {
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
        String policy = seen.get()[POLICY_FIELD];
        assertThat(policy.equals("5") || Integer.parseInt(seen.get()[NICE_FIELD]) > 0)
                .as("SCHED_IDLE, or nice where a sandbox refuses that")
                .isTrue();
        assertThat(fields()[POLICY_FIELD]).as("of the thread alone").isNotEqualTo("5");
    }

    private static String[] fields() throws IOException {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }
}
