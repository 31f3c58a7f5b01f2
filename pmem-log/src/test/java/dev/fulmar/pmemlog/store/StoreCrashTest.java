package dev.fulmar.pmemlog.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.pmemlog.backend.simulated.SimulatedMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lets the power fail at every call of the memory, checkpoints and write-back included: what a restart finds is
 * everything that was acknowledged, and of the transaction under way all or nothing.
 */
class StoreCrashTest {
    private static final int BYTES = 1 << 20;
    private static final int SESSIONS = 3;
    private static final int TRANSACTIONS = 150;

    /** What the store must hold: after the last acknowledged commit, and after the one that was under way. */
    private static final class Model {
        private Map<Long, byte[]> acknowledged = new TreeMap<>();
        private @Nullable Map<Long, byte[]> underWay;

        boolean allows(Map<Long, byte[]> found) {
            return equal(acknowledged, found) || (underWay != null && equal(underWay, found));
        }

        private static boolean equal(Map<Long, byte[]> one, Map<Long, byte[]> other) {
            return one.keySet().equals(other.keySet())
                    && one.entrySet().stream()
                            .allMatch(entry -> Arrays.equals(entry.getValue(), other.get(entry.getKey())));
        }
    }

    @Test
    void everyPointMayBeTheLast() throws IOException {
        SimulatedMemory whole = new SimulatedMemory(BYTES, new SeededRandom(7));
        live(whole, 7, new Model());
        long points = whole.points();
        assertThat(points).isGreaterThan(1_500);
        for (long point = 1; point <= points; point++) {
            assertThat(survives(7, point, Set.of())).as("point %d", point).isTrue();
        }
    }

    @Test
    void manyLivesEndAnywhere() throws IOException {
        for (long seed = 100; seed < 160; seed++) {
            SimulatedMemory memory = new SimulatedMemory(BYTES, new SeededRandom(seed));
            SeededRandom random = new SeededRandom(seed);
            Model model = new Model();
            for (int life = 0; life < 6; life++) {
                memory.failAfter(1 + random.nextInt(1_500));
                end(memory, seed + life, model);
                memory.restart();
                Map<Long, byte[]> found = content(memory);
                assertThat(model.allows(found))
                        .as("seed %d, life %d", seed, life)
                        .isTrue();
                model.acknowledged = found;
                model.underWay = null;
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SimulatedMemory.Bug.class)
    void aForgottenFlushOrFenceIsFound(SimulatedMemory.Bug bug) throws IOException {
        boolean found = false;
        for (long point = 200; point < 4_000 && !found; point += 41) {
            found = !survives(7, point, EnumSet.of(bug));
        }
        assertThat(found).isTrue();
    }

    private static boolean survives(long seed, long point, Set<SimulatedMemory.Bug> bugs) throws IOException {
        SimulatedMemory memory = new SimulatedMemory(BYTES, new SeededRandom(seed * 1_000_003 + point));
        memory.plant(bugs);
        memory.failAfter(point);
        Model model = new Model();
        end(memory, seed, model);
        memory.restart();
        try {
            return model.allows(content(memory));
        } catch (FulmarException e) {
            return false;
        }
    }

    private static void end(SimulatedMemory memory, long seed, Model model) throws IOException {
        try {
            live(memory, seed, model);
        } catch (SimulatedMemory.PowerFailure expected) {
            assertThat(expected).hasMessageContaining("point");
        }
    }

    private static Map<Long, byte[]> content(SimulatedMemory memory) throws IOException {
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession session = store.session()) {
            return session.run(Isolation.SNAPSHOT, StoreCrashTest::everything);
        }
    }

    private static Map<Long, byte[]> everything(Transaction transaction) {
        Map<Long, byte[]> objects = new TreeMap<>();
        for (long id = 1; id < 1_000; id++) {
            if (transaction.exists(id)) {
                objects.put(id, transaction.read(id));
            }
        }
        return objects;
    }

    private static void live(SimulatedMemory memory, long seed, Model model) throws IOException {
        SeededRandom random = new SeededRandom(seed);
        ObjectStore store = StoreFixture.open(memory);
        List<StoreSession> sessions = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            sessions.add(store.session());
        }
        for (int i = 0; i < TRANSACTIONS; i++) {
            StoreSession session = sessions.get(random.nextInt(SESSIONS));
            try (Transaction transaction = session.begin(Isolation.values()[random.nextInt(3)])) {
                Map<Long, byte[]> after = new TreeMap<>(model.acknowledged);
                for (int change = random.nextInt(4); change >= 0; change--) {
                    change(transaction, random, after);
                }
                model.underWay = after;
                transaction.commit();
                model.acknowledged = after;
                model.underWay = null;
            }
            if (random.nextInt(40) == 0) {
                store.checkpoint();
            }
            store.doWork();
        }
        store.close();
    }

    private static void change(Transaction transaction, SeededRandom random, Map<Long, byte[]> after) {
        byte[] bytes = new byte[8 + random.nextInt(120)];
        Arrays.fill(bytes, (byte) random.nextInt(256));
        List<Long> ids = new ArrayList<>(after.keySet());
        if (ids.size() < 10) {
            after.put(transaction.create(bytes), bytes);
            return;
        }
        long id = ids.get(random.nextInt(ids.size()));
        switch (random.nextInt(4)) {
            case 0 -> {
                transaction.delete(id);
                after.remove(id);
            }
            case 1 -> {
                transaction.write(id, bytes);
                after.put(id, bytes);
            }
            default -> {
                long value = random.nextLong();
                transaction.writeLong(id, 0, value);
                byte[] changed = after.getOrDefault(id, bytes).clone();
                LittleEndian.putLong(changed, 0, value);
                after.put(id, changed);
            }
        }
    }
}
