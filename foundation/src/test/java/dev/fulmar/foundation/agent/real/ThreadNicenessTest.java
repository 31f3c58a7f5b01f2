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

    private static String[] fields() throws IOException {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }
}
