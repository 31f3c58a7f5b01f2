package dev.fulmar.foundation.simulated;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.contract.NetworkMember;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimulatedWorldTest {
    private static final NodeId FIRST = new NodeId(1);
    private static final NodeId SECOND = new NodeId(2);
    private static final long MILLISECOND = 1_000_000;

    @Test
    void theSameSeedGivesTheSameEventsAndAnotherSeedOthers() {
        assertThat(gossip(5)).isEqualTo(gossip(5));
        assertThat(gossip(5)).isNotEqualTo(gossip(6));
    }

    @Test
    void aConditionMayBeAskedForOnceInAWhile() {
        SimulatedWorld world = new SimulatedWorld(1);
        List<Long> asked = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            world.schedule(i * MILLISECOND / 10, "tick", () -> {});
        }
        boolean holds = world.runUntil(
                () -> {
                    asked.add(world.nowNanos());
                    return world.executedEvents() >= 25;
                },
                10 * MILLISECOND,
                MILLISECOND);

        assertThat(holds).isTrue();
        assertThat(asked).containsExactly(0L, MILLISECOND, 2 * MILLISECOND, 3 * MILLISECOND);
        assertThat(world.runUntil(() -> false, 5 * MILLISECOND / 2, MILLISECOND))
                .isFalse();
        assertThat(world.nowNanos()).isEqualTo(11 * MILLISECOND / 2);
    }

    /** Five nodes tell each other numbers, lose some, crash, and start again; returns the hash of all events. */
    private static long gossip(long seed) {
        SimulatedWorld world = new SimulatedWorld(seed);
        world.network().loss(0.1);
        List<SimulatedProcess> processes = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            processes.add(startGossip(world, new NodeId(i)));
        }
        for (int round = 0; round < 20; round++) {
            world.runFor(10 * MILLISECOND);
            int victim = world.random("victim " + round).nextInt(5);
            processes.get(victim).crash();
            processes.set(victim, startGossip(world, new NodeId(victim)));
        }
        assertThat(world.executedEvents()).isGreaterThan(200);
        return world.hash();
    }

    private static SimulatedProcess startGossip(SimulatedWorld world, NodeId node) {
        SimulatedProcess process = world.startProcess(node);
        process.network().onMessage((from, message) -> {
            int value = message.getInt();
            if (value > 0) {
                process.network().send(from, ByteBuffer.allocate(4).putInt(0, value - 1));
            }
        });
        process.scheduler().schedule(MILLISECOND, () -> {
            int peer = process.random().nextInt(5);
            process.network().send(new NodeId(peer), ByteBuffer.allocate(4).putInt(0, 20));
            write(process.storage(), "state", 0, new byte[] {(byte) peer});
        });
        return process;
    }

    @Test
    void aHashDependsOnWhatIsNoted() {
        SimulatedWorld one = new SimulatedWorld(1);
        SimulatedWorld other = new SimulatedWorld(1);
        one.note(1);
        other.note(2);
        assertThat(one.hash()).isNotEqualTo(other.hash());
    }

    @Test
    void aDeadProcessDoesNothingMore() {
        SimulatedWorld world = new SimulatedWorld(1);
        SimulatedProcess process = world.startProcess(FIRST);
        List<String> ran = new ArrayList<>();
        process.scheduler().schedule(MILLISECOND, () -> ran.add("timer"));
        process.execute(MILLISECOND, "task", () -> ran.add("task"));
        process.network().onMessage((from, message) -> ran.add("message"));
        process.network().send(FIRST, ByteBuffer.allocate(1));
        process.crash();
        process.crash();
        SimulatedProcess next = world.startProcess(FIRST);
        next.network().onMessage((from, message) -> ran.add("message to the next life"));
        process.network().send(FIRST, ByteBuffer.allocate(1));
        assertThat(world.runUntilIdle(100)).isTrue();
        assertThat(ran).isEmpty();
        assertThatThrownBy(() -> process.storage().open("a")).isInstanceOf(IOException.class);
    }

    @Test
    void aProcessThatStandsStillKeepsItsOrder() {
        SimulatedWorld world = new SimulatedWorld(1);
        SimulatedProcess process = world.startProcess(FIRST);
        SimulatedProcess other = world.startProcess(SECOND);
        List<String> ran = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            String name = "task " + i;
            process.execute(i * MILLISECOND, name, () -> ran.add(name + " at " + world.nowNanos() / MILLISECOND));
        }
        other.execute(2 * MILLISECOND, "other", () -> ran.add("other at 2"));
        process.standStill(10 * MILLISECOND);
        world.runFor(5 * MILLISECOND);
        assertThat(ran).containsExactly("other at 2");
        world.runFor(10 * MILLISECOND);
        assertThat(ran).containsExactly("other at 2", "task 1 at 10", "task 2 at 10", "task 3 at 10");
    }

    @Test
    void clocksDriftAndJump() {
        SimulatedWorld world = new SimulatedWorld(1);
        SimulatedProcess process = world.startProcess(FIRST);
        SimulatedClock clock = process.clock();
        long monotonic = clock.monotonicNanos();
        long wall = clock.wallMicros();
        assertThat(wall).isBetween(SimulatedClock.WORLD_BEGIN_MICROS - 1, SimulatedClock.WORLD_BEGIN_MICROS + 1);
        clock.drift(0.1);
        world.runFor(100 * MILLISECOND);
        assertThat(clock.monotonicNanos() - monotonic).isBetween(110 * MILLISECOND - 10, 110 * MILLISECOND);
        clock.jump(-5_000_000);
        assertThat(clock.wallMicros()).isLessThan(wall);
        assertThat(clock.monotonicNanos() - monotonic).isGreaterThan(100 * MILLISECOND);
        List<Long> ran = new ArrayList<>();
        process.scheduler().schedule(11 * MILLISECOND, () -> ran.add(world.nowNanos()));
        world.runFor(50 * MILLISECOND);
        assertThat(ran.getFirst()).isBetween(110 * MILLISECOND, 110 * MILLISECOND + 10);
    }

    @Test
    void linksAreCutInOneDirectionAndMended() {
        SimulatedWorld world = new SimulatedWorld(1);
        NetworkMember first = new NetworkMember(world.startProcess(FIRST).network());
        NetworkMember second = new NetworkMember(world.startProcess(SECOND).network());
        world.runUntilIdle(100);
        first.send(SECOND, 1, 4);
        second.send(FIRST, 1, 4);
        world.network().block(FIRST, SECOND);
        world.runFor(MILLISECOND);
        assertThat(first.numbers(SECOND)).containsExactly(1);
        assertThat(second.numbers(FIRST)).isEmpty();
        world.runFor(200 * MILLISECOND);
        assertThat(first.isLinked(SECOND) || second.isLinked(FIRST)).isFalse();
        assertThat(world.network().lostMessages()).isEqualTo(1);
        world.network().heal();
        world.runFor(200 * MILLISECOND);
        assertThat(first.isLinked(SECOND) && second.isLinked(FIRST)).isTrue();
        first.send(SECOND, 2, 4);
        world.runUntilIdle(100);
        assertThat(second.numbers(FIRST)).containsExactly(2);
    }

    @Test
    void whatAWatcherTakesIsLostWithAllThatFollowsIt() {
        SimulatedWorld world = new SimulatedWorld(1);
        NetworkMember first = new NetworkMember(world.startProcess(FIRST).network());
        NetworkMember second = new NetworkMember(world.startProcess(SECOND).network());
        world.runUntilIdle(100);
        world.network().watch((from, to, message) -> from.equals(FIRST) && message[3] == 2);
        for (int number = 1; number <= 3; number++) {
            first.send(SECOND, number, 4);
        }
        second.send(FIRST, 2, 4);
        world.runFor(200 * MILLISECOND);
        assertThat(second.numbers(FIRST)).containsExactly(1);
        assertThat(first.numbers(SECOND)).containsExactly(2);
        assertThat(world.network().sessions()).isGreaterThan(1);
    }

    @Test
    void aCutThatNobodyNoticedDoesNoHarm() {
        SimulatedWorld world = new SimulatedWorld(1);
        NetworkMember first = new NetworkMember(world.startProcess(FIRST).network());
        NetworkMember second = new NetworkMember(world.startProcess(SECOND).network());
        world.runUntilIdle(100);
        world.network().partition(Set.of(FIRST), Set.of(SECOND));
        world.runFor(200 * MILLISECOND);
        world.network().unblock(FIRST, SECOND);
        world.network().unblock(SECOND, FIRST);
        first.send(SECOND, 1, 4);
        world.runUntilIdle(100);
        assertThat(second.numbers(FIRST)).containsExactly(1);
        assertThat(world.network().sessions()).isEqualTo(1);
    }

    @Test
    void whatFollowsALostMessageIsLostToo() {
        for (long seed = 0; seed < 50; seed++) {
            SimulatedWorld world = new SimulatedWorld(seed);
            NetworkMember first = new NetworkMember(world.startProcess(FIRST).network());
            NetworkMember second = new NetworkMember(world.startProcess(SECOND).network());
            world.runUntilIdle(100);
            world.network().loss(0.1);
            for (int i = 0; i < 60; i++) {
                first.send(SECOND, i, 4);
                world.runFor(MILLISECOND / 20);
            }
            world.network().loss(0);
            world.runUntilIdle(1_000);
            List<Integer> arrived = second.numbers(FIRST);
            for (int i = 0; i < arrived.size(); i++) {
                assertThat(arrived.get(i)).isEqualTo(i);
            }
            assertThat(arrived.size()).isLessThan(60);
            assertThat(first.isLinked(SECOND) && second.isLinked(FIRST)).isTrue();
            assertThat(world.network().sessions()).isGreaterThan(1);
        }
    }

    @Test
    void aSessionBreaksWithItsProcess() {
        SimulatedWorld world = new SimulatedWorld(1);
        NetworkMember first = new NetworkMember(world.startProcess(FIRST).network());
        SimulatedProcess old = world.startProcess(SECOND);
        NetworkMember second = new NetworkMember(old.network());
        world.runUntilIdle(100);
        assertThat(second.isLinked(FIRST)).isTrue();
        first.send(SECOND, 1, 4);
        old.crash();
        NetworkMember next = new NetworkMember(world.startProcess(SECOND).network());
        world.runUntilIdle(100);
        assertThat(next.numbers(FIRST)).isEmpty();
        assertThat(first.told().stream().map(NetworkMember.Told::what))
                .containsExactly(NetworkMember.What.UP, NetworkMember.What.LOST, NetworkMember.What.UP);
        assertThat(next.isLinked(FIRST)).isTrue();
    }

    @Test
    void forcedBytesSurviveACrashAndOthersPerhaps() throws IOException {
        Set<String> fates = new HashSet<>();
        for (long seed = 0; seed < 200; seed++) {
            SimulatedWorld world = new SimulatedWorld(seed);
            SimulatedProcess process = world.startProcess(FIRST);
            Storage storage = process.storage();
            byte[] old = filled(2_000, 'a');
            write(storage, "d/log", 0, old);
            force(storage, "d/log");
            storage.forceDirectory("d");
            write(storage, "d/log", 1_000, filled(2_000, 'b'));
            write(storage, "d/lost", 0, filled(1, 'c'));
            process.crash();

            Storage after = world.startProcess(FIRST).storage();
            byte[] found = read(after, "d/log");
            assertThat(found.length).isBetween(2_000, 3_000);
            for (int i = 0; i < 1_000; i++) {
                assertThat(found[i]).isEqualTo((byte) 'a');
            }
            int changed = 0;
            for (int i = 1_000; i < found.length; i++) {
                changed += found[i] == 'b' ? 1 : 0;
            }
            fates.add(changed == 0 ? "lost" : changed == 2_000 ? "whole" : changed % 512 % 8 == 0 ? "torn" : "mixed");
            fates.add(after.exists("d/lost") ? "name kept" : "name lost");
        }
        assertThat(fates).contains("lost", "whole", "torn", "name kept", "name lost");
    }

    @Test
    void aSynchronousWriteSurvivesAndMakesNothingElseDurable() throws IOException {
        Set<String> fates = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            SimulatedWorld world = new SimulatedWorld(seed);
            SimulatedProcess process = world.startProcess(FIRST);
            Storage storage = process.storage();
            write(storage, "a", 0, filled(3_000, 'a'));
            force(storage, "a");
            storage.forceDirectory("");
            write(storage, "a", 0, filled(3_000, 'b'));
            try (StorageFile file = storage.openSynchronous("a")) {
                file.write(1_000, ByteBuffer.wrap(filled(1_000, 'c')));
            }
            process.crash();
            String found = new String(read(world.startProcess(FIRST).storage(), "a"), StandardCharsets.UTF_8);
            assertThat(found.substring(1_000, 2_000)).isEqualTo("c".repeat(1_000));
            fates.add(found.substring(0, 1) + found.substring(2_999));
        }
        assertThat(fates).contains("aa", "bb");
    }

    @Test
    void aSynchronousFileIsOfNoUseOnceAWriteFailed() throws IOException {
        SimulatedWorld world = new SimulatedWorld(1);
        Storage storage = world.startProcess(FIRST).storage();
        for (Runnable fault : List.<Runnable>of(
                () -> world.disk(FIRST).faults().failForces(1),
                () -> world.disk(FIRST).faults().failWrites(1))) {
            StorageFile file = storage.openSynchronous("a");
            file.write(0, ByteBuffer.wrap(filled(1, 'x')));
            fault.run();
            assertThatThrownBy(() -> file.write(0, ByteBuffer.wrap(filled(1, 'y'))))
                    .hasMessageContaining("Input/output error");
            world.disk(FIRST).faults().failForces(0);
            world.disk(FIRST).faults().failWrites(0);
            assertThatThrownBy(() -> file.write(0, ByteBuffer.wrap(filled(1, 'z'))))
                    .hasMessageContaining("earlier force");
            assertThatThrownBy(file::force).hasMessageContaining("earlier force");
        }
    }

    @Test
    void aRenameHappensWholeOrNotAtAll() throws IOException {
        Set<String> fates = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            SimulatedWorld world = new SimulatedWorld(seed);
            SimulatedProcess process = world.startProcess(FIRST);
            Storage storage = process.storage();
            write(storage, "new", 0, filled(1, 'n'));
            write(storage, "old", 0, filled(1, 'o'));
            force(storage, "new");
            force(storage, "old");
            storage.forceDirectory("");
            storage.rename("new", "old");
            if (seed % 2 == 0) {
                storage.forceDirectory("");
            }
            process.crash();
            Storage after = world.startProcess(FIRST).storage();
            String fate = after.list("") + new String(read(after, "old"), StandardCharsets.UTF_8);
            assertThat(fate).isIn("[old]n", "[new, old]o");
            assertThat(seed % 2 == 0 && !fate.equals("[old]n")).isFalse();
            fates.add(fate);
        }
        assertThat(fates).hasSize(2);
    }

    @Test
    void aKillLosesNothingThatWasWritten() throws IOException {
        SimulatedWorld world = new SimulatedWorld(1);
        SimulatedProcess process = world.startProcess(FIRST);
        write(process.storage(), "a", 0, filled(100, 'x'));
        process.kill();
        assertThat(read(world.startProcess(FIRST).storage(), "a")).hasSize(100);
    }

    @Test
    void disksFailAsTold() throws IOException {
        SimulatedWorld world = new SimulatedWorld(1);
        SimulatedProcess process = world.startProcess(FIRST);
        SimulatedDisk disk = world.disk(FIRST);
        Storage storage = process.storage();
        write(storage, "a", 0, filled(100, 'x'));
        disk.capacity(150);
        assertThatThrownBy(() -> write(storage, "a", 100, filled(51, 'x'))).hasMessageContaining("No space left");
        write(storage, "a", 50, filled(100, 'x'));
        assertThat(disk.usedBytes()).isEqualTo(150);
        disk.faults().failReads(1);
        assertThatThrownBy(() -> read(storage, "a")).isInstanceOf(IOException.class);
        disk.faults().failReads(0);
        disk.faults().failWrites(1);
        assertThatThrownBy(() -> write(storage, "a", 0, filled(1, 'x'))).isInstanceOf(UncheckedIOException.class);
        disk.faults().failWrites(0);
        try (StorageFile file = storage.open("a")) {
            disk.faults().failForces(1);
            assertThatThrownBy(file::force).isInstanceOf(IOException.class);
            disk.faults().failForces(0);
            assertThatThrownBy(file::force).hasMessageContaining("earlier force");
        }
        disk.flipBit("a", 3, 0);
        assertThat(read(storage, "a")[3]).isEqualTo((byte) 'y');
        disk.faults().latency(5_000_000, 5_000_000);
        List<Long> ran = new ArrayList<>();
        force(storage, "a");
        process.execute(0, "after", () -> ran.add(world.nowNanos()));
        world.runUntilIdle(10);
        assertThat(ran).containsExactly(5_000_000L);
        disk.wipe();
        assertThat(storage.list("")).isEmpty();
    }

    @Test
    void aLyingDiskLosesForcedBytes() throws IOException {
        boolean lost = false;
        for (long seed = 0; seed < 20; seed++) {
            SimulatedWorld world = new SimulatedWorld(seed);
            SimulatedProcess process = world.startProcess(FIRST);
            world.disk(FIRST).faults().lie(true);
            write(process.storage(), "a", 0, filled(100, 'x'));
            force(process.storage(), "a");
            process.storage().forceDirectory("");
            process.crash();
            lost |= read(world.startProcess(FIRST).storage(), "a").length < 100;
        }
        assertThat(lost).isTrue();
    }

    @Test
    void aLateForceHasItsEffectInItsOrder() throws IOException {
        for (int kept : new int[] {0, 2, 3}) {
            SimulatedWorld world = new SimulatedWorld(kept);
            SimulatedProcess process = world.startProcess(FIRST);
            world.disk(FIRST).forcesLate(true);
            world.disk(FIRST).faults().latency(1_000_000, 1_000_000);
            List<Long> ran = new ArrayList<>();
            for (char value : new char[] {'1', '2', '3'}) {
                try (StorageFile file = process.storage().openSynchronous("a")) {
                    file.write(file.size(), ByteBuffer.wrap(filled(1, value)));
                }
                process.storage().forceDirectory("");
            }
            process.execute(0, "after", () -> ran.add(world.nowNanos()));
            world.runUntilIdle(10);
            assertThat(ran).containsExactly(1_000_000L);
            world.runFor(kept == 0 ? 999_999 : 1_000_000);
            write(process.storage(), "b", 0, filled(1, 'b'));
            if (kept > 0) {
                world.disk(FIRST).faults().latency(2_000_000, 2_000_000);
                try (StorageFile file = process.storage().openSynchronous("a")) {
                    file.write(file.size(), ByteBuffer.wrap(filled(1, '4')));
                }
                world.runFor(kept == 3 ? 4_000_000 : 3_999_999);
            }
            process.crash();
            Storage after = world.startProcess(FIRST).storage();
            if (kept == 0) {
                assertThat(after.list("")).isEmpty();
            } else {
                assertThat(new String(read(after, "a"), US_ASCII)).isEqualTo(kept == 3 ? "1234" : "123");
                assertThat(kept == 3 || !after.exists("b"))
                        .as("goes with what was before it")
                        .isTrue();
            }
        }
    }

    @Test
    void aLateWriteMakesOnlyItselfDurable() throws IOException {
        boolean isLost = false;
        boolean isKept = false;
        for (long seed = 0; seed < 50; seed++) {
            SimulatedWorld world = new SimulatedWorld(seed);
            SimulatedProcess process = world.startProcess(FIRST);
            world.disk(FIRST).forcesLate(true);
            world.disk(FIRST).faults().latency(1_000_000, 1_000_000);
            try (StorageFile file = process.storage().openSynchronous("a")) {
                file.write(0, ByteBuffer.wrap(filled(1000, '0')));
                process.storage().forceDirectory("");
                write(process.storage(), "a", 0, filled(500, 'p'));
                file.write(500, ByteBuffer.wrap(filled(500, 's')));
            }
            world.runFor(2_000_000);
            process.crash();
            byte[] after = read(world.startProcess(FIRST).storage(), "a");
            assertThat(after).endsWith(filled(500, 's'));
            isLost |= after[0] == '0';
            isKept |= after[0] == 'p';
        }
        assertThat(isLost && isKept).isTrue();
    }

    @Test
    void aReplacedDiskHasNothingOfTheFormerOne() throws IOException {
        SimulatedWorld world = new SimulatedWorld(1);
        SimulatedProcess process = world.startProcess(FIRST);
        world.disk(FIRST).forcesLate(true);
        world.disk(FIRST).faults().latency(1_000_000, 1_000_000);
        write(process.storage(), "a", 0, filled(1, 'x'));
        force(process.storage(), "a");
        process.storage().forceDirectory("");
        world.runFor(5_000_000);
        process.kill();
        world.disk(FIRST).wipe();
        SimulatedProcess next = world.startProcess(FIRST);
        assertThat(next.storage().list("")).isEmpty();
        next.crash();
        assertThat(world.startProcess(FIRST).storage().list("")).isEmpty();
    }

    private static byte[] filled(int length, char value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static void write(Storage storage, String name, long position, byte[] bytes) {
        try (StorageFile file = storage.open(name)) {
            file.write(position, ByteBuffer.wrap(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void force(Storage storage, String name) throws IOException {
        try (StorageFile file = storage.open(name)) {
            file.force();
        }
    }

    private static byte[] read(Storage storage, String name) throws IOException {
        try (StorageFile file = storage.open(name)) {
            ByteBuffer target = ByteBuffer.allocate((int) file.size());
            file.read(0, target);
            return target.array();
        }
    }
}
