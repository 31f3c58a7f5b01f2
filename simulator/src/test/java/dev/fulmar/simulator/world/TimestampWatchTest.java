package dev.fulmar.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.UndoPort;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.time.real.SystemClock;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimestampWatchTest {
    private final TimestampWatch watch = new TimestampWatch(true);
    private final Partition first = partition(0);
    private final Partition second = partition(1);
    private final TransactionId transaction = new TransactionId(7, 1);

    private static Partition partition(int number) {
        UndoPort nothing = new UndoPort() {
            @Override
            public long position() {
                return 0;
            }

            @Override
            public void undoTo(long position) {}

            @Override
            public void commitTo(long position, long commitTimestamp) {}
        };
        return new Partition(new PartitionId(number), nothing, new SystemClock(), 1);
    }

    @Test
    void whatRisesIsRight() {
        watch.committedAlone(first, null, 0, 10);
        watch.committedAlone(first, null, 0, 11);
        watch.committedAlone(second, null, 0, 10);
        watch.prepared(first, transaction, 0, 0, 12, null);
        watch.prepared(second, transaction, 0, 0, 15, null);
        watch.decided(first, transaction, 0, true, 15, null, List.of());
        watch.decided(second, transaction, 0, true, 15, null, List.of());

        assertThat(watch.breaches()).isEmpty();
    }

    @Test
    void aTimestampThatDoesNotRiseIsABreach() {
        watch.committedAlone(first, null, 0, 10);
        watch.committedAlone(first, null, 0, 10);

        assertThat(watch.breaches()).singleElement().asString().contains("commits at 10 after 10");
    }

    @Test
    void aCommitBelowAProposalIsABreach() {
        watch.prepared(first, transaction, 0, 0, 12, null);
        watch.decided(first, transaction, 0, true, 11, null, List.of());

        assertThat(watch.breaches()).singleElement().asString().contains("below the proposal 12");
    }

    @Test
    void twoTimestampsOfOneTransactionAreABreach() {
        watch.decided(first, transaction, 0, true, 11, null, List.of());
        watch.decided(second, transaction, 0, true, 12, null, List.of());

        assertThat(watch.breaches()).singleElement().asString().contains("commits at 12 and at 11");
    }

    @Test
    void anAbortedProposalCountsForNothing() {
        watch.prepared(first, transaction, 0, 0, 12, null);
        watch.decided(first, transaction, 0, false, 0, null, List.of());
        watch.decided(first, new TransactionId(8, 1), 0, true, 5, null, List.of());

        assertThat(watch.breaches()).isEmpty();
    }
}
