package dev.fulmar.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.partition.CoordinatorMessage.Wounded;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.engine.partition.SinglePartitionWork.Verdict;
import dev.fulmar.engine.spi.AbsentData;
import dev.fulmar.engine.spi.DataNeed;
import dev.fulmar.engine.spi.MovedData;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that need data which is not here: undone, parked, and executed when it is here. */
class AwaitedDataTest {
    private final PartitionFixture p = new PartitionFixture();
    private final Set<String> absent = new TreeSet<>();
    private final List<Runnable> fetches = new ArrayList<>();
    private final DataNeed need = fetches::add;

    /** Work that writes one key, and then needs others. */
    private PartitionFixture.Work work(String name, String... needed) {
        PartitionFixture.Work[] self = new PartitionFixture.Work[1];
        self[0] = p.new Work(name, store -> {
            store.put(name, 1);
            for (String key : needed) {
                if (absent.contains(key)) {
                    self[0].awaits(need);
                    return Verdict.AWAIT;
                }
            }
            return Verdict.COMMIT;
        });
        return self[0];
    }

    private Consumer<KeyValues> writing(String name, String... needed) {
        return store -> {
            store.put(name, 1);
            for (String key : needed) {
                if (absent.contains(key)) {
                    throw new AbsentData(need);
                }
            }
        };
    }

    private void arrives(String key) {
        absent.remove(key);
        List<Runnable> resumed = List.copyOf(fetches);
        fetches.clear();
        resumed.forEach(Runnable::run);
        p.run();
    }

    @Test
    void othersRunMeanwhileAndNothingOfItStays() {
        absent.add("x");
        p.submit(work("first", "x"));
        p.submit(work("second"));
        assertThat(p.replies).containsExactly("second");
        assertThat(p.store.values).containsOnlyKeys("second");
        assertThat(p.partition.inbox().isEmpty()).as("it waits").isFalse();
        assertThat(p.partition.inbox().depth()).as("it takes no room").isZero();
        arrives("x");
        assertThat(p.replies).containsExactly("second", "first");
        assertThat(p.log).containsExactly("second", "first");
        assertThat(p.partition.inbox().isEmpty()).isTrue();
    }

    @Test
    void itMayNeedOneAfterAnotherAndLateResumesDoNothing() {
        absent.addAll(Set.of("x", "y"));
        PartitionFixture.Work twice = work("twice", "x", "y");
        p.submit(twice);
        Runnable late = fetches.getFirst();
        arrives("x");
        assertThat(twice.executions).isEqualTo(2);
        assertThat(p.replies).isEmpty();
        arrives("y");
        assertThat(p.replies).containsExactly("twice");
        late.run();
        p.run();
        assertThat(twice.executions).isEqualTo(3);
    }

    @Test
    void thoseThatComeBackHaveTheirPlaceByArrival() {
        absent.add("x");
        p.submit(work("first", "x"));
        p.submit(work("second", "x"));
        p.submit(p.batch(5, 0, p.fragment(0, writing("holder"))));
        p.put(work("third"));
        p.run();
        List<Runnable> resumed = new ArrayList<>(fetches);
        resumed.reversed().forEach(Runnable::run);
        absent.clear();
        p.run();
        assertThat(p.replies).as("the lock is held").isEmpty();
        p.prepare(5, 0, PrepareMode.WAIT);
        p.commit(5, 0, p.nowMicros << 16);
        p.run();
        assertThat(p.replies).containsExactly("first", "second", "third");
    }

    @Test
    void speculationGoesOnWithoutItAndIsTakenBackAroundIt() {
        p.submit(p.batch(5, 0, p.fragment(0, writing("holder"))));
        p.prepare(5, 0, PrepareMode.SPECULATE);
        absent.add("x");
        p.put(work("first", "x"));
        p.put(work("second"));
        p.run();
        assertThat(p.store.values).containsOnlyKeys("holder", "second");
        fetches.forEach(Runnable::run);
        absent.clear();
        p.abort(5, 0);
        p.run();
        assertThat(p.replies).containsExactly("first revoked", "second revoked", "first", "second");
    }

    @Test
    void aLockHolderKeepsTheLockAndIsAnsweredOnce() {
        absent.add("x");
        p.submit(p.batch(5, 0, p.fragment(0, writing("a")), p.fragment(1, writing("b", "x"))));
        p.submit(work("behind"));
        assertThat(p.answers).isEmpty();
        assertThat(p.replies).isEmpty();
        assertThat(p.holder()).isEqualTo("5 in attempt 0");
        assertThat(p.store.values).as("the batch is undone").isEmpty();
        Runnable late = fetches.getFirst();
        arrives("x");
        assertThat(p.lastAnswer(FragmentReply.class).results()).hasSize(2);
        assertThat(p.store.values).containsOnlyKeys("a", "b");
        late.run();
        p.run();
        assertThat(p.answers).hasSize(1);
    }

    @Test
    void anEarlierBatchOfItStays() {
        p.submit(p.batch(5, 0, p.fragment(0, writing("a"))));
        absent.add("x");
        p.submit(p.batch(5, 0, p.fragment(1, writing("b")), p.fragment(2, writing("c", "x"))));
        assertThat(p.store.values).containsOnlyKeys("a");
        arrives("x");
        assertThat(p.store.values).containsOnlyKeys("a", "b", "c");
        assertThat(p.answers).hasSize(2);
    }

    @Test
    void anOlderTransactionTakesTheLockOfOneThatWaits() {
        absent.add("x");
        p.submit(p.batch(5, 0, p.fragment(0, writing("young", "x"))));
        p.submit(p.batch(3, 0, p.fragment(0, writing("old"))));
        assertThat(p.answers).hasAtLeastOneElementOfType(Wounded.class);
        assertThat(p.holder()).isEqualTo("3 in attempt 0");
        int answers = p.answers.size();
        arrives("x");
        assertThat(p.answers)
                .as("nothing is answered to the one that lost the lock")
                .hasSize(answers);
        assertThat(p.store.values).containsOnlyKeys("old");
    }

    @Test
    void aSubsystemThatFailsDoesNotHaltThePartition() {
        absent.add("x");
        PartitionFixture.Work[] self = new PartitionFixture.Work[1];
        self[0] = p.new Work("first", store -> {
            self[0].awaits(resume -> {
                throw new IllegalStateException("the subsystem is broken");
            });
            return Verdict.AWAIT;
        });
        p.submit(self[0]);
        p.submit(work("second"));
        assertThat(p.replies).containsExactly("second");
    }

    @Test
    void theEndOfAnEarlierWaitResumesNothing() {
        absent.addAll(Set.of("x", "y"));
        PartitionFixture.Work twice = work("twice", "x", "y");
        p.submit(twice);
        Runnable early = fetches.getFirst();
        arrives("x");
        early.run();
        p.run();
        assertThat(twice.executions).as("it waits for y").isEqualTo(2);
    }

    @Test
    void rowsThatMovedRestartTheTransaction() {
        p.submit(p.batch(5, 0, p.fragment(0, store -> {
            throw new MovedData();
        })));
        FragmentReply reply = p.lastAnswer(FragmentReply.class);
        assertThat(reply.failure()).isNotNull();
        assertThat(reply.failure().code()).isEqualTo(ErrorCode.TRANSACTION_RESTART);
    }

    @Test
    void noMoreWaitThanTheBound() {
        int most = p.partition.inbox().capacity();
        absent.add("x");
        for (int i = 0; i < most; i++) {
            p.submit(work("w" + i, "x"));
        }
        assertThat(p.replies).isEmpty();
        p.submit(work("over", "x"));
        assertThat(p.replies).contains("over broke");
        assertThat(p.store.values).isEmpty();
        arrives("x");
        p.run();
        assertThat(p.store.values.size()).isEqualTo(most);
    }

    @Test
    void thoseThatWaitComeBackInTheOrderOfTheirArrivalWhateverTheOrderOfTheirData() {
        absent.add("x");
        for (int i = 0; i < 50; i++) {
            p.submit(work("w" + i, "x"));
        }
        absent.remove("x");
        p.submit(p.batch(5, 0, p.fragment(0, writing("holder"))));
        for (int i = 0; i < 50; i++) {
            fetches.get(i % 2 == 0 ? i / 2 : 49 - i / 2).run();
        }
        p.submit(work("later"));
        p.prepare(5, 0, PrepareMode.WAIT);
        p.commit(5, 0, p.nowMicros << 16);
        p.run();
        assertThat(p.replies)
                .containsExactlyElementsOf(IntStream.rangeClosed(0, 50)
                        .mapToObj(i -> i == 50 ? "later" : "w" + i)
                        .toList());
    }

    /** A transaction that waits for data goes where its partition is led, and does not wait at a former primary. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPartitionThatIsNotLedHereTurnsThemAway(boolean isDeposed) {
        boolean[] leads = {true};
        PartitionFixture led = new PartitionFixture(
                (partition, work) -> {
                    if (!leads[0]) {
                        work.turnedAway(partition);
                    }
                    return leads[0];
                },
                100);
        PartitionFixture.Work[] self = new PartitionFixture.Work[1];
        self[0] = led.new Work("first", store -> {
            self[0].awaits(need);
            return Verdict.AWAIT;
        });
        led.submit(self[0]);
        leads[0] = false;
        if (isDeposed) {
            led.executor.depose();
        } else {
            led.executor.abandon();
        }
        led.run();
        assertThat(led.replies).containsExactly("first refused");
        assertThat(led.partition.inbox().isEmpty()).isTrue();
    }

    @Test
    void aPartitionThatClosesRefusesThem() {
        absent.add("x");
        p.submit(work("first", "x"));
        p.executor.close();
        assertThat(p.replies).containsExactly("first refused");
        fetches.forEach(Runnable::run);
        p.run();
        assertThat(p.replies).containsExactly("first refused");
    }
}
