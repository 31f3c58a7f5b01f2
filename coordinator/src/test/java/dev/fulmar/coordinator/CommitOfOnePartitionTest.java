package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * A COMMIT of one partition about which nobody asks is a turn of that partition. So all that holds for sessions holds
 * for it, at each level.
 */
class CommitOfOnePartitionTest extends SessionBank {
    @Override
    boolean clientsAsk() {
        return false;
    }

    private long distributed() {
        return bank.database.figures().procedures().stream()
                .mapToLong(DatabaseFigures.Procedure::distributed)
                .sum();
    }

    @Test
    void itIsNoTransactionOverSeveralPartitions() {
        long before = distributed();
        Client one = new Client().begin();
        assertThat(one.read(1)).isEqualTo(100);
        one.changes(ADD, 5L, 1L);
        one.commits();
        assertThat(distributed()).isEqualTo(before);
        assertThat(bank.balance(1)).isEqualTo(105);
    }

    @Test
    void aCommitOfSeveralPartitionsIsOne() {
        long before = distributed();
        Client one = new Client().begin();
        for (long account = 0; account < 6; account++) {
            one.changes(ADD, 1L, account);
        }
        one.commits();
        assertThat(distributed()).isGreaterThan(before);
        assertThat(SteppedDatabase.cell(bank.sql(TOTAL))).isEqualTo(606);
    }

    @Test
    void whatWasReadHasToBeTheSame() {
        Client one = new Client().begin();
        assertThat(one.read(1)).isEqualTo(100);
        one.changes(ADD, 5L, 1L);
        bank.sql(ADD, 1L, 1L);
        one.fails(ErrorCode.SERIALIZATION_FAILURE, "COMMIT");
        assertThat(bank.balance(1)).isEqualTo(101);
    }

    /** It has been sent, so it is executed. */
    @Test
    void aClientThatSendsItAndLeavesHasCommitted() {
        Client one = new Client().begin();
        one.changes(ADD, 5L, 1L);
        one.send("COMMIT");
        one.leaves();
        assertThat(bank.balance(1)).isEqualTo(105);
    }

    @Nested
    class Anomalies extends SessionAnomaliesTest implements OnOnePartition {}

    @Nested
    class Snapshots extends SnapshotIsolationTest implements OnOnePartition {}

    @Nested
    class Reruns extends SessionRunAgainTest implements OnOnePartition {}

    @Nested
    class Transactions extends SessionTest implements OnOnePartition {}

    @Nested
    class Modes extends SessionModesTest implements OnOnePartition {}
}
