package dev.fulmar.pmemlog.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.pmemlog.backend.simulated.SimulatedMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What transactions see of each other, and what a restart finds. */
class ObjectStoreTest {
    private final SimulatedMemory memory = new SimulatedMemory(4 << 20, new SeededRandom(1));

    private static long create(StoreSession session, long value) {
        return session.run(Isolation.SNAPSHOT, transaction -> transaction.create(StoreFixture.number(value)));
    }

    private static long value(StoreSession session, long id) {
        return session.run(Isolation.SNAPSHOT, transaction -> transaction.readLong(id, 0));
    }

    @Test
    void aSnapshotDoesNotMove() throws IOException {
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession writer = store.session();
                StoreSession reader = store.session()) {
            long id = create(writer, 1);
            Transaction old = reader.begin(Isolation.SNAPSHOT);
            assertThat(old.readLong(id, 0)).isEqualTo(1);
            writer.run(Isolation.SNAPSHOT, transaction -> {
                transaction.writeLong(id, 0, 2);
                assertThat(transaction.readLong(id, 0)).isEqualTo(2);
                return 0;
            });
            long other = create(writer, 3);
            assertThat(old.readLong(id, 0)).isEqualTo(1);
            assertThat(old.exists(other)).isFalse();
            old.commit();
            assertThat(value(reader, id)).isEqualTo(2);
            assertThat(value(reader, other)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofTwoThatWriteTheSameOneFails(Isolation isolation) throws IOException {
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession one = store.session();
                StoreSession two = store.session()) {
            long id = create(one, 1);
            try (Transaction first = one.begin(isolation);
                    Transaction second = two.begin(isolation)) {
                first.writeLong(id, 0, 10);
                assertThatThrownBy(() -> second.writeLong(id, 0, 20)).isInstanceOf(ConflictException.class);
                first.commit();
                assertThatThrownBy(second::commit).isInstanceOf(ConflictException.class);
            }
            try (Transaction late = two.begin(isolation)) {
                one.run(isolation, transaction -> {
                    transaction.writeLong(id, 0, 30);
                    return 0;
                });
                assertThatThrownBy(() -> late.writeLong(id, 0, 40)).isInstanceOf(ConflictException.class);
            }
            assertThat(value(one, id)).isEqualTo(30);
            assertThat(store.counters().conflicts()).isEqualTo(2);
        }
    }

    /** Each reads what the other writes: harmless to a snapshot, impossible one after the other. */
    @ParameterizedTest
    @EnumSource
    void writeSkewIsForSnapshotsOnly(Isolation isolation) throws IOException {
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession one = store.session();
                StoreSession two = store.session()) {
            long a = create(one, 1);
            long b = create(one, 1);
            int failures = 0;
            try (Transaction first = one.begin(isolation);
                    Transaction second = two.begin(isolation)) {
                assertThat(first.readLong(a, 0) + second.readLong(b, 0)).isEqualTo(2);
                first.writeLong(b, 0, 0);
                second.writeLong(a, 0, 0);
                for (Transaction each : List.of(first, second)) {
                    try (each) {
                        each.commit();
                    } catch (ConflictException e) {
                        failures++;
                    }
                }
            }
            assertThat(failures).isEqualTo(isolation == Isolation.SNAPSHOT ? 0 : 1);
        }
    }

    @Test
    void onlyALinearizableReaderMindsWhatCameAfterIt() throws IOException {
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession writer = store.session();
                StoreSession reader = store.session()) {
            long id = create(writer, 1);
            for (Isolation isolation : Isolation.values()) {
                try (Transaction before = reader.begin(isolation)) {
                    before.readLong(id, 0);
                    writer.run(Isolation.SNAPSHOT, transaction -> {
                        transaction.writeLong(id, 0, 2);
                        return 0;
                    });
                    if (isolation == Isolation.LINEARIZABLE) {
                        assertThatThrownBy(before::commit).isInstanceOf(ConflictException.class);
                    } else {
                        before.commit();
                    }
                }
            }
        }
    }

    @Test
    void anObjectThatIsMissingIsReadToo() throws IOException {
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession one = store.session();
                StoreSession two = store.session()) {
            long mark = create(one, 1);
            long next = mark + 1;
            try (Transaction first = one.begin(Isolation.SERIALIZABLE)) {
                assertThat(first.exists(next)).isFalse();
                first.writeLong(mark, 0, 2);
                assertThat(create(two, 5)).isEqualTo(next);
                assertThatThrownBy(first::commit).isInstanceOf(ConflictException.class);
            }
            assertThatThrownBy(() -> value(one, 99)).isInstanceOf(FulmarException.class);
        }
    }

    @Test
    void whatIsNotCommittedNeverHappened() throws IOException {
        long id;
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession session = store.session()) {
            id = create(session, 1);
            try (Transaction transaction = session.begin(Isolation.SNAPSHOT)) {
                transaction.writeLong(id, 0, 2);
                transaction.create(new byte[3]);
                transaction.delete(id);
            }
            assertThat(value(session, id)).isEqualTo(1);
        }
        memory.restart();
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession session = store.session()) {
            assertThat(value(session, id)).isEqualTo(1);
            assertThat(create(session, 7)).isEqualTo(id + 1);
        }
    }

    @Test
    void aCommitTakesOneFence() throws IOException {
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession session = store.session()) {
            long id = create(session, 1);
            long before = memory.fences();
            for (int i = 0; i < 20; i++) {
                long value = i;
                session.run(Isolation.SERIALIZABLE, transaction -> {
                    transaction.writeLong(id, 0, transaction.readLong(id, 0) + value);
                    return 0;
                });
            }
            assertThat(memory.fences() - before).isEqualTo(20);
        }
    }

    @Test
    void spaceIsBoundedAndIdsAreUsedAgain() throws IOException {
        List<Long> ids = new ArrayList<>();
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession session = store.session()) {
            for (int i = 0; i < 4_000; i++) {
                ids.add(create(session, i));
                if (ids.size() > 20) {
                    long victim = ids.removeFirst();
                    session.run(Isolation.SNAPSHOT, transaction -> {
                        transaction.delete(victim);
                        return 0;
                    });
                }
            }
            assertThat(ids.getLast()).isLessThan(1_500);
            assertThat(store.versionBytes()).isLessThan(1 << 16);
        }
        memory.restart();
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession session = store.session()) {
            for (int i = 0; i < ids.size(); i++) {
                assertThat(value(session, ids.get(i))).isEqualTo(4_000 - ids.size() + i);
            }
        }
    }

    @Test
    void aSnapshotThatCostsTooMuchExpires() throws IOException {
        try (ObjectStore store = StoreFixture.open(memory);
                StoreSession writer = store.session();
                StoreSession reader = store.session()) {
            long id = writer.run(Isolation.SNAPSHOT, transaction -> transaction.create(new byte[2_000]));
            try (Transaction old = reader.begin(Isolation.SNAPSHOT)) {
                for (int i = 0; i < 2_000; i++) {
                    long value = i;
                    writer.run(Isolation.SNAPSHOT, transaction -> {
                        transaction.writeLong(id, 0, value);
                        return 0;
                    });
                }
                assertThatThrownBy(() -> old.readLong(id, 0))
                        .isInstanceOf(FulmarException.class)
                        .hasMessageContaining("too old");
            }
            assertThat(store.versionBytes()).isLessThan(2 << 20);
        }
    }
}
