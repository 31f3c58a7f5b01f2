package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.random.RandomSource;

/**
 * Asks any node for the sum of all accounts, as a reader of snapshots that need not be the newest: whatever the moment
 * is, transfers have left it as it was.
 */
final class SumReader {
    private static final int MOST_PAUSE_NANOS = 5_000_000;

    long done;
    private final ReplicatedBank bank;
    private final long expected;
    private final RandomSource random;

    SumReader(ReplicatedBank bank, long expected) {
        this.bank = bank;
        this.expected = expected;
        this.random = bank.world.random("sums");
        bank.world.schedule(1_000_000, "sum", this::next);
    }

    static TransactionRequest sum() {
        return new TransactionRequest.AdHoc(
                0, 0, 0, ReadConsistency.SNAPSHOT, "SELECT SUM(balance) FROM account", SteppedDatabase.list());
    }

    private void next() {
        ClusterNode node = bank.anyNode(random);
        if (node.process.isAlive()) {
            node.process.execute(
                    20_000,
                    "sum",
                    () -> node.database.submit(
                            sum(), (asked, response) -> bank.world.schedule(0, "answer", () -> answered(response))));
        }
        bank.world.schedule(random.nextInt(MOST_PAUSE_NANOS), "sum", this::next);
    }

    private void answered(TransactionResponse response) {
        switch (response) {
            case Committed committed -> {
                done++;
                assertThat(SteppedDatabase.cell(committed))
                        .as("sum, seed " + bank.world.seed())
                        .isEqualTo(expected);
            }
            case Failed failed ->
                assertThat(SpreadClient.TO_RETRY)
                        .as(failed + ", seed " + bank.world.seed())
                        .contains(failed.code());
        }
    }
}
