package dev.fulmar.pmemlog.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.pmemlog.backend.memory.MemoryStorage;
import dev.fulmar.pmemlog.backend.simulated.SimulatedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ends lives of files in memory at every call: what was forced, in a directory that was forced, is there; no byte is
 * another file's.
 */
class MemoryStorageCrashTest {
    private static final int BYTES = 2 << 20;
    private static final int STEPS = 60;

    /** What a file must hold: bytes of its own letter, at least so many. */
    private record Promise(byte letter, long size) {}

    @Test
    void whatWasForcedSurvivesEveryPoint() throws IOException {
        for (long seed = 0; seed < 4; seed++) {
            SimulatedMemory whole = new SimulatedMemory(BYTES, new SeededRandom(seed));
            live(whole, seed, new TreeMap<>());
            long points = whole.points();
            for (long point = 1; point <= points; point += 1 + seed) {
                assertThat(survives(seed, point, Set.of()))
                        .as("seed %d, point %d", seed, point)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SimulatedMemory.Bug.class)
    void aForgottenFlushOrFenceIsFound(SimulatedMemory.Bug bug) throws IOException {
        boolean found = false;
        for (long point = 100; point < 4_000 && !found; point += 7) {
            found = !survives(1, point, EnumSet.of(bug));
        }
        assertThat(found).isTrue();
    }

    private static boolean survives(long seed, long point, Set<SimulatedMemory.Bug> bugs) throws IOException {
        SimulatedMemory memory = new SimulatedMemory(BYTES, new SeededRandom(seed * 1_000_003 + point));
        memory.plant(bugs);
        memory.failAfter(point);
        Map<String, Promise> promises = new TreeMap<>();
        try {
            live(memory, seed, promises);
        } catch (SimulatedMemory.PowerFailure expected) {
            assertThat(expected).hasMessageContaining("point");
        }
        memory.restart();
        try {
            return holds(MemoryStorage.open(memory), promises);
        } catch (FulmarException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION);
            return false;
        }
    }

    private static void live(SimulatedMemory memory, long seed, Map<String, Promise> promises) throws IOException {
        SeededRandom random = new SeededRandom(seed);
        MemoryStorage storage = MemoryStorage.open(memory);
        Map<String, Promise> named = new TreeMap<>();
        for (int i = 0; i < STEPS; i++) {
            String name = "f" + i;
            byte letter = (byte) ('a' + i % 26);
            int bytes = 1 + random.nextInt(20_000);
            byte[] content = new byte[bytes];
            Arrays.fill(content, letter);
            try (StorageFile file = random.nextInt(2) == 0 ? storage.open(name) : storage.openSynchronous(name)) {
                file.write(0, ByteBuffer.wrap(content));
                file.force();
            }
            named.put(name, new Promise(letter, bytes));
            if (random.nextInt(3) == 0) {
                String old = "f" + random.nextInt(i + 1);
                promises.remove(old);
                named.remove(old);
                storage.delete(old);
            }
            if (random.nextInt(2) == 0) {
                storage.forceDirectory("");
                promises.clear();
                promises.putAll(named);
            }
        }
    }

    private static boolean holds(MemoryStorage storage, Map<String, Promise> promises) throws IOException {
        for (Map.Entry<String, Promise> promise : promises.entrySet()) {
            if (!storage.exists(promise.getKey())) {
                return false;
            }
            try (StorageFile file = storage.open(promise.getKey())) {
                ByteBuffer found = ByteBuffer.allocate((int) file.size());
                file.read(0, found);
                if (file.size() < promise.getValue().size()) {
                    return false;
                }
                for (byte b : found.array()) {
                    if (b != promise.getValue().letter()) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    @Test
    void aDamagedCopyOfTheTableIsRepairedAndTwoAreRefused() throws IOException {
        SimulatedMemory memory = new SimulatedMemory(BYTES, new SeededRandom(1));
        Map<String, Promise> promises = new TreeMap<>();
        live(memory, 3, promises);
        memory.restart();
        memory.flipBit(40, 0);
        assertThat(holds(MemoryStorage.open(memory), promises)).isTrue();
        int second = 68 << 10;
        memory.flipBit(second + 40, 0);
        assertThat(holds(MemoryStorage.open(memory), promises)).isTrue();
        memory.flipBit(40, 0);
        memory.flipBit(second + 40, 0);
        assertThatThrownBy(() -> MemoryStorage.open(memory))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("neither copy");
    }

    @Test
    void aFullMemorySaysSoAndGoesOn() throws IOException {
        MemoryStorage storage = MemoryStorage.open(new SimulatedMemory(BYTES, new SeededRandom(1)));
        try (StorageFile file = storage.open("a")) {
            assertThatThrownBy(() -> file.write(0, ByteBuffer.allocate(2 * BYTES)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
            file.write(0, ByteBuffer.allocate(10_000));
            assertThat(storage.usedBytes()).isEqualTo(12_288);
        }
        storage.delete("a");
        assertThat(storage.usedBytes()).isZero();
    }
}
