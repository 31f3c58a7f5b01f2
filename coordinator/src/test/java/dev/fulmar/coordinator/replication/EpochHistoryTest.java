package dev.fulmar.coordinator.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.replication.EpochHistory.Term;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EpochHistoryTest {
    private static EpochHistory history(long... epochsAndStarts) {
        List<Term> terms = new ArrayList<>();
        for (int i = 0; i < epochsAndStarts.length; i += 2) {
            terms.add(new Term(epochsAndStarts[i], epochsAndStarts[i + 1]));
        }
        return new EpochHistory(terms);
    }

    @Test
    void logsOfTheSameTermsAreEqualUpToTheShorter() {
        assertThat(history(1, 0, 2, 50).commonEnd(70, history(1, 0, 2, 50), 60)).isEqualTo(60);
    }

    @Test
    void aCopyThatWasAwayPartsWhereTheNextTermBegan() {
        assertThat(history(5, 0).commonEnd(100, history(5, 0, 6, 90, 7, 110), 120))
                .isEqualTo(90);
        assertThat(history(5, 0).commonEnd(80, history(5, 0, 6, 90, 7, 110), 120))
                .isEqualTo(80);
    }

    @Test
    void termsThatOnlyOneHasPartThem() {
        assertThat(history(5, 0, 6, 90).commonEnd(120, history(5, 0, 7, 80), 100))
                .isEqualTo(80);
        assertThat(history(5, 0, 7, 80).commonEnd(100, history(5, 0, 6, 90), 120))
                .isEqualTo(80);
    }

    @Test
    void aTermThatBeginsBehindTheOwnEndSaysNothingAboutIt() {
        assertThat(history(5, 0, 6, 90).commonEnd(50, history(5, 0, 6, 90), 200))
                .isEqualTo(50);
    }

    @Test
    void withoutACommonTermNothingIsKnown() {
        assertThat(history(5, 10).commonEnd(20, history(6, 10), 20)).isEqualTo(EpochHistory.UNKNOWN);
        assertThat(EpochHistory.EMPTY.commonEnd(0, history(6, 10), 20)).isZero();
    }

    @Test
    void theOldestTermsAreForgotten() {
        EpochHistory history = EpochHistory.EMPTY;
        for (int epoch = 1; epoch <= EpochHistory.MAX_TERMS + 10; epoch++) {
            history = history.with(epoch, epoch * 3L);
        }
        assertThat(history.terms()).hasSize(EpochHistory.MAX_TERMS);
        assertThat(history.epoch()).isEqualTo(EpochHistory.MAX_TERMS + 10);
        assertThat(history.commonEnd(9_999, history, 9_999)).isEqualTo(9_999);
    }

    @Test
    void termsAscend() {
        assertThatThrownBy(() -> history(2, 0, 1, 5)).hasMessageContaining("ascend");
        assertThatThrownBy(() -> history(1, 5, 2, 4)).hasMessageContaining("ascend");
        assertThatThrownBy(() -> history(0, 0)).hasMessageContaining("ascend");
    }

    /**
     * Copies that elect, roll back and append at random: what the histories call equal is equal, and nothing longer.
     */
    @Test
    void commonIsWhatIsEqual() {
        for (int seed = 0; seed < 200; seed++) {
            SeededRandom random = new SeededRandom(seed);
            List<List<Long>> logs = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            List<EpochHistory> histories =
                    new ArrayList<>(List.of(EpochHistory.EMPTY, EpochHistory.EMPTY, EpochHistory.EMPTY));
            long entry = 0;
            for (int epoch = 1; epoch < 12; epoch++) {
                int leader = random.nextInt(3);
                List<Long> log = logs.get(leader);
                histories.set(leader, histories.get(leader).with(epoch, log.size()));
                int appended = random.nextInt(5);
                for (int i = 0; i < appended; i++) {
                    log.add(entry++);
                }
                int follower = (leader + 1 + random.nextInt(2)) % 3;
                List<Long> other = logs.get(follower);
                int equal = equalLength(log, other);
                long common = histories.get(follower).commonEnd(other.size(), histories.get(leader), log.size());
                assertThat(common).isEqualTo(common == EpochHistory.UNKNOWN ? EpochHistory.UNKNOWN : equal);
                if (common == EpochHistory.UNKNOWN) {
                    other.clear();
                    common = 0;
                }
                other.subList((int) common, other.size()).clear();
                histories.set(follower, histories.get(leader));
                int copied = (int) common + random.nextInt(log.size() - (int) common + 1);
                other.addAll(log.subList((int) common, copied));
            }
        }
    }

    private static int equalLength(List<Long> one, List<Long> other) {
        int length = 0;
        while (length < Math.min(one.size(), other.size()) && one.get(length).equals(other.get(length))) {
            length++;
        }
        return length;
    }
}
