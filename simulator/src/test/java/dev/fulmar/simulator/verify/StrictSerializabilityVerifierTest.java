package dev.fulmar.simulator.verify;

import static dev.fulmar.simulator.verify.Histories.absent;
import static dev.fulmar.simulator.verify.Histories.append;
import static dev.fulmar.simulator.verify.Histories.list;
import static dev.fulmar.simulator.verify.Histories.read;
import static dev.fulmar.simulator.verify.Histories.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The verifier is only as good as the bad histories that it catches, so here they are, each made by hand. */
class StrictSerializabilityVerifierTest {
    private final Histories history = new Histories();

    @Nested
    class Good {
        @Test
        void nothing() {
            assertThat(history.found()).isEmpty();
        }

        @Test
        void oneAfterAnother() {
            history.ok(0, 1, append(1, 1), list(1, 1L))
                    .ok(2, 3, list(1, 1L), append(1, 2), list(1, 1L, 2L), append(2, 7))
                    .ok(4, 5, list(2, 7L), list(1, 1L, 2L))
                    .ok(6, 7, absent(1), write(1, 5), read(1, 5))
                    .ok(8, 9, read(1, 5), write(1, 6), write(1, 7))
                    .ok(10, 11, read(1, 7));
            assertThat(history.found()).isEmpty();
        }

        @Test
        void concurrentOnesInAnyOrder() {
            history.ok(0, 10, append(1, 1))
                    .ok(0, 10, append(1, 2), list(1, 2L))
                    .ok(5, 10, list(1))
                    .ok(11, 12, list(1, 2L, 1L));
            assertThat(history.found()).isEmpty();
        }

        @Test
        void concurrentWritesOfARegister() {
            history.ok(0, 10, write(1, 1))
                    .ok(0, 10, write(1, 2))
                    .ok(3, 4, read(1, 2))
                    .ok(5, 6, read(1, 1))
                    .ok(11, 12, read(1, 1));
            assertThat(history.found()).isEmpty();
        }

        @Test
        void aStateThatLacksAnEarlierWriteElsewhereIfThatWasAskedFor() {
            history.ok(0, 1, append(1, 1)).ok(2, 3, append(2, 1)).old(0, 10, list(1), list(2, 1L));
            assertThat(history.found()).isEmpty();
        }

        @Test
        void anUnknownOneThatTookEffectLater() {
            history.unknown(0, append(1, 1), write(1, 9))
                    .ok(1, 2, list(1), absent(1))
                    .ok(3, 4, list(1, 1L), read(1, 9));
            assertThat(history.found()).isEmpty();
        }

        @Test
        void anUnknownOneThatNeverTookEffect() {
            history.unknown(0, append(1, 1))
                    .ok(1, 2, append(1, 2))
                    .ok(3, 4, list(1, 2L))
                    .failed(5, 6, append(1, 3));
            Verdict verdict = new StrictSerializabilityVerifier().verify(history.transactions());
            assertThat(verdict.isGood()).isTrue();
            assertThat(verdict.committed()).isEqualTo(2);
            assertThat(verdict.undecided()).isEqualTo(1);
        }

        @Test
        void manyReadersOfTheAbsentValue() {
            for (int i = 0; i < 50; i++) {
                history.ok(0, 100, absent(1));
            }
            history.ok(0, 100, write(1, 1)).ok(50, 100, absent(1), write(1, 2)).ok(101, 102, read(1, 1));
            assertThat(history.found()).isEmpty();
        }
    }

    @Nested
    class BadLists {
        @Test
        void garbageRead() {
            history.ok(0, 1, append(1, 1)).ok(2, 3, list(1, 1L, 99L));
            assertThat(history.found()).containsExactly(Anomaly.GARBAGE_READ);
        }

        @Test
        void abortedRead() {
            history.failed(0, 1, append(1, 1)).ok(2, 3, list(1, 1L));
            assertThat(history.found()).containsExactly(Anomaly.ABORTED_READ);
        }

        @Test
        void intermediateRead() {
            history.ok(0, 10, append(1, 1), append(1, 2)).ok(2, 3, list(1, 1L));
            assertThat(history.found()).contains(Anomaly.INTERMEDIATE_READ);
        }

        @Test
        void ownAppendNotSeen() {
            history.ok(0, 1, append(1, 1), list(1));
            assertThat(history.found()).containsExactly(Anomaly.INTERNAL);
        }

        @Test
        void ownAppendSeenBefore() {
            history.ok(0, 1, list(1, 1L), append(1, 1));
            assertThat(history.found()).containsExactly(Anomaly.INTERNAL);
        }

        @Test
        void unrepeatableRead() {
            history.ok(0, 10, append(1, 1)).ok(0, 10, list(1), list(1, 1L));
            assertThat(history.found()).contains(Anomaly.INTERNAL);
        }

        @Test
        void appendedTwice() {
            history.ok(0, 1, append(1, 1)).ok(2, 3, list(1, 1L, 1L));
            assertThat(history.found()).containsExactly(Anomaly.DUPLICATE_ELEMENT);
        }

        @Test
        void splitBrain() {
            history.ok(0, 10, append(1, 1))
                    .ok(0, 10, append(1, 2))
                    .ok(11, 20, list(1, 1L))
                    .ok(11, 20, list(1, 2L));
            assertThat(history.found()).contains(Anomaly.INCOMPATIBLE_ORDER);
        }

        @Test
        void ownAppendsSwapped() {
            history.ok(0, 1, append(1, 1), append(1, 2)).ok(2, 3, list(1, 2L, 1L));
            assertThat(history.found()).contains(Anomaly.INCOMPATIBLE_ORDER);
        }

        @Test
        void dirtyWrite() {
            history.ok(0, 10, append(1, 1), append(2, 1))
                    .ok(0, 10, append(1, 2), append(2, 2))
                    .ok(11, 12, list(1, 1L, 2L), list(2, 2L, 1L));
            assertThat(history.found()).containsExactly(Anomaly.G0);
        }

        @Test
        void circularInformation() {
            history.ok(0, 10, append(1, 1), list(2, 2L)).ok(0, 10, append(2, 2), list(1, 1L));
            assertThat(history.found()).containsExactly(Anomaly.G1C);
        }

        @Test
        void readSkew() {
            history.ok(0, 10, append(1, 1), append(2, 1))
                    .ok(0, 10, list(1, 1L), list(2))
                    .ok(11, 12, list(2, 1L));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE);
        }

        @Test
        void readSkewOfAnAppendThatNobodySaw() {
            history.ok(0, 10, append(1, 1), append(2, 1)).ok(0, 10, list(1, 1L), list(2));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE);
        }

        @Test
        void lostUpdateOfAList() {
            history.ok(0, 10, list(1), append(1, 1))
                    .ok(0, 10, list(1), append(1, 2))
                    .ok(11, 12, list(1, 1L, 2L));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE);
        }

        @Test
        void writeSkew() {
            history.ok(0, 10, list(1), append(2, 1))
                    .ok(0, 10, list(2), append(1, 1))
                    .ok(11, 12, list(1, 1L), list(2, 1L));
            assertThat(history.found()).containsExactly(Anomaly.G2);
        }

        @Test
        void staleRead() {
            history.ok(0, 1, append(1, 1)).ok(2, 3, list(1));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE_REALTIME);
        }

        @Test
        void aStateThatLacksAnEarlierWriteElsewhere() {
            history.ok(0, 1, append(1, 1)).ok(2, 3, append(2, 1)).ok(0, 10, list(1), list(2, 1L));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE_REALTIME);
        }

        @Test
        void twoReadsThatAreTooEarlyWithOneWaitBetween() {
            history.ok(0, 10, append(2, 1))
                    .ok(0, 100, list(2), append(1, 1))
                    .ok(20, 30, list(1))
                    .ok(200, 201, list(1, 1L), list(2, 1L));
            assertThat(history.found()).containsExactly(Anomaly.G2_REALTIME);
        }

        @Test
        void halfATransactionInAnOldState() {
            history.ok(0, 1, append(1, 1), append(2, 1)).old(2, 3, list(1), list(2, 1L));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE);
        }

        @Test
        void oldStatesThatDoNotFollowOneAnother() {
            history.ok(0, 10, append(1, 1))
                    .ok(0, 10, append(2, 2))
                    .old(1, 9, list(1, 1L), list(2))
                    .old(1, 9, list(1), list(2, 2L));
            assertThat(history.found()).containsExactly(Anomaly.G2);
        }

        @Test
        void othersBesideAnOldState() {
            history.ok(0, 1, append(1, 1)).ok(2, 3, list(1)).old(4, 5, list(1));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE_REALTIME);
        }

        @Test
        void lostAcknowledgedWrite() {
            history.ok(0, 1, append(1, 1))
                    .ok(2, 3, append(1, 2))
                    .ok(4, 5, list(1, 2L))
                    .ok(6, 7, list(1, 2L));
            assertThat(history.found()).contains(Anomaly.G0_REALTIME);
        }

        @Test
        void appendsAgainstRealTime() {
            history.ok(0, 1, append(1, 1)).ok(2, 3, append(1, 2)).ok(4, 5, list(1, 2L, 1L));
            assertThat(history.found()).containsExactly(Anomaly.G0_REALTIME);
        }

        @Test
        void aReadOfTheFuture() {
            history.ok(0, 1, list(1, 1L)).ok(2, 3, append(1, 1));
            assertThat(history.found()).containsExactly(Anomaly.G1C_REALTIME);
        }

        @Test
        void longFork() {
            history.ok(0, 10, append(1, 1))
                    .ok(0, 10, append(2, 2))
                    .ok(1, 9, list(1, 1L), list(2))
                    .ok(1, 9, list(1), list(2, 2L));
            assertThat(history.found()).containsExactly(Anomaly.G2);
        }

        @Test
        void aWriteOfUnknownOutcomeThatWasSeenAndVanished() {
            history.unknown(0, append(1, 1)).ok(1, 2, list(1, 1L)).ok(3, 4, list(1));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE_REALTIME);
        }

        @Test
        void halfOfAnUnknownOne() {
            history.unknown(0, append(1, 1), append(2, 1)).ok(1, 9, list(1, 1L), list(2));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE);
        }
    }

    @Nested
    class BadRegisters {
        @Test
        void garbageRead() {
            history.ok(0, 1, read(1, 4));
            assertThat(history.found()).containsExactly(Anomaly.GARBAGE_READ);
        }

        @Test
        void abortedRead() {
            history.failed(0, 1, write(1, 1)).ok(2, 3, read(1, 1));
            assertThat(history.found()).containsExactly(Anomaly.ABORTED_READ);
        }

        @Test
        void intermediateRead() {
            history.ok(0, 10, write(1, 1), write(1, 2)).ok(2, 3, read(1, 1));
            assertThat(history.found()).containsExactly(Anomaly.INTERMEDIATE_READ);
        }

        @Test
        void ownWriteNotSeen() {
            history.ok(0, 1, write(1, 1), absent(1));
            assertThat(history.found()).containsExactly(Anomaly.INTERNAL);
        }

        @Test
        void ownWriteSeenBeforeItWasMade() {
            history.ok(0, 1, read(1, 1), write(1, 1));
            assertThat(history.found()).containsExactly(Anomaly.INTERNAL);
        }

        @Test
        void unrepeatableRead() {
            history.ok(0, 10, write(1, 1)).ok(0, 10, absent(1), read(1, 1));
            assertThat(history.found()).containsExactly(Anomaly.INTERNAL);
        }

        @Test
        void lostUpdate() {
            history.ok(0, 1, write(1, 1)).ok(2, 10, read(1, 1), write(1, 2)).ok(2, 10, read(1, 1), write(1, 3));
            assertThat(history.found()).containsExactly(Anomaly.LOST_UPDATE);
        }

        @Test
        void staleRead() {
            history.ok(0, 1, write(1, 1)).ok(2, 3, write(1, 2)).ok(4, 5, read(1, 1));
            assertThat(history.found()).containsExactly(Anomaly.CYCLIC_VERSIONS);
        }

        @Test
        void aWriteThatVanished() {
            history.ok(0, 1, write(1, 1)).ok(2, 3, absent(1));
            assertThat(history.found()).containsExactly(Anomaly.CYCLIC_VERSIONS);
        }

        @Test
        void aValueThatCameBack() {
            history.ok(0, 20, write(1, 1))
                    .ok(0, 20, write(1, 2))
                    .ok(1, 2, read(1, 1))
                    .ok(3, 4, read(1, 2))
                    .ok(5, 6, read(1, 1));
            assertThat(history.found()).containsExactly(Anomaly.CYCLIC_VERSIONS);
        }

        @Test
        void readSkew() {
            history.ok(0, 10, absent(1), absent(2), write(1, 1), write(2, 1)).ok(0, 10, read(1, 1), absent(2));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE);
        }

        @Test
        void writeSkew() {
            history.ok(0, 10, absent(1), absent(2), write(1, 1)).ok(0, 10, absent(1), absent(2), write(2, 1));
            assertThat(history.found()).containsExactly(Anomaly.G2);
        }

        @Test
        void readSkewBetweenAListAndARegister() {
            history.ok(0, 10, append(1, 1), absent(7), write(7, 1)).ok(0, 10, list(1, 1L), absent(7));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE);
        }
    }

    @Test
    void anExplanationNamesTheTransactions() {
        history.ok(0, 1, append(1, 1)).ok(2, 3, list(1));
        List<Violation> violations = new StrictSerializabilityVerifier()
                .verify(history.transactions())
                .violations();
        assertThat(violations).singleElement().satisfies(violation -> {
            assertThat(violation.transactions()).hasSize(2);
            assertThat(violation.toString()).contains("G_SINGLE_REALTIME").contains("key 1");
        });
    }

    @Test
    void aHistoryThatWritesAValueTwiceCannotBeJudged() {
        history.ok(0, 1, append(1, 1)).ok(2, 3, append(1, 1));
        assertThatThrownBy(history::found)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
    }

    /** Two that are at snapshot isolation read at one moment and write at a later one. */
    @Nested
    class Snapshots {
        @Test
        void writeSkewIsTheirs() {
            history.snapshot(0, 10, list(1), list(2), append(1, 1))
                    .snapshot(0, 10, list(1), list(2), append(2, 2))
                    .ok(11, 12, list(1, 1L), list(2, 2L));
            assertThat(history.found()).isEmpty();
        }

        @Test
        void writeSkewWithASerializableOneIsTheirsToo() {
            history.snapshot(0, 10, read(1, 7), read(2, 8), write(1, 1))
                    .ok(0, 10, read(1, 7), read(2, 8), write(2, 2))
                    .ok(-2, -1, write(1, 7), write(2, 8));
            assertThat(history.found()).isEmpty();
        }

        @Test
        void writeSkewOfOthersIsNot() {
            history.ok(0, 10, list(1), list(2), append(1, 1))
                    .ok(0, 10, list(1), list(2), append(2, 2))
                    .snapshot(11, 12, list(1, 1L), list(2, 2L));
            assertThat(history.found()).containsExactly(Anomaly.G2);
        }

        @Test
        void noUpdateIsLost() {
            history.ok(-2, -1, write(1, 7))
                    .snapshot(0, 10, read(1, 7), write(1, 1))
                    .snapshot(0, 10, read(1, 7), write(1, 2));
            assertThat(history.found()).isNotEmpty();
        }

        /** It would not have committed: another one had replaced what it replaced. */
        @Test
        void theFirstCommitterWins() {
            history.snapshot(0, 10, list(2), append(1, 1))
                    .ok(0, 10, append(1, 2), append(2, 2))
                    .ok(11, 12, list(1, 2L, 1L), list(2, 2L));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE);
        }

        @Test
        void twoStatesAreNotMixed() {
            history.ok(0, 10, append(1, 1), append(2, 1))
                    .snapshot(0, 10, list(1), list(2, 1L), append(3, 1))
                    .ok(11, 12, list(3, 1L));
            assertThat(history.found()).containsExactly(Anomaly.G_SINGLE);
        }

        @Test
        void eachSeesAtMostWhatTheOtherOneCommitted() {
            history.snapshot(0, 10, append(1, 1), list(2, 2L)).snapshot(0, 10, append(2, 2), list(1, 1L));
            assertThat(history.found()).containsExactly(Anomaly.G1C);
        }

        @Test
        void neitherReadsNorWritesLeaveTheirTime() {
            history.ok(0, 1, append(1, 1)).snapshot(2, 3, list(1), append(2, 1)).ok(4, 5, list(2), list(1, 1L));
            assertThat(history.found()).isNotEmpty().allMatch(found -> found == Anomaly.G_SINGLE_REALTIME);
        }
    }
}
