package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what a {@link BankClient} writes, at any node, and knows what may be found: what was acknowledged when it asked
 * or something later, and nothing that does not come to be. What is not to be strict may be older: it is read at a time
 * that the node's clock takes for the present.
 */
final class BankReader {
    private static final int ACCOUNTS = 3;
    private static final int MOST_PAUSE_NANOS = 20_000_000;

    long done;
    private final ReplicatedBank bank;
    private final BankClient writer;
    private final RandomSource random;
    private final List<Ahead> ahead = new ArrayList<>();

    /** A balance that was seen before it was acknowledged: it must be the next one. */
    private record Ahead(int account, int place, long balance) {}

    BankReader(ReplicatedBank bank, BankClient writer) {
        this.bank = bank;
        this.writer = writer;
        this.random = bank.world.random("reader " + writer.partition());
        bank.world.schedule(1_000_000, "reader", this::next);
    }

    private void next() {
        judge();
        int account = random.nextInt(ACCOUNTS);
        int acknowledged = writer.acknowledged(account).size();
        ClusterNode node = random.nextInt(2) == 0 ? bank.anyNode(random) : bank.primary(writer.partition());
        if (acknowledged > 0 && node.process.isAlive()) {
            ReadConsistency consistency = random.nextInt(2) == 0 ? ReadConsistency.SNAPSHOT : ReadConsistency.DECLARED;
            int known = consistency == ReadConsistency.SNAPSHOT ? 1 : acknowledged;
            TransactionRequest request = new TransactionRequest.AdHoc(
                    0,
                    0,
                    0,
                    consistency,
                    "SELECT balance FROM account WHERE id = ?",
                    SteppedDatabase.list(writer.key(account)));
            node.process.execute(
                    20_000,
                    "read",
                    () -> node.database.submit(
                            request,
                            (asked, response) -> node.process.execute(
                                    20_000, "answer", () -> answered(node, account, known, response))));
        }
        bank.world.schedule(random.nextInt(MOST_PAUSE_NANOS), "reader", this::next);
    }

    private void answered(ClusterNode node, int account, int known, TransactionResponse response) {
        switch (response) {
            case Committed committed -> {
                done++;
                long found = SteppedDatabase.cell(committed);
                List<Long> balances = writer.acknowledged(account);
                if (!balances.subList(known - 1, balances.size()).contains(found)) {
                    ahead.add(new Ahead(account, balances.size(), found));
                }
            }
            case Failed failed ->
                assertThat(BankClient.TO_RETRY)
                        .as(failed + " of " + node.process + ", seed " + bank.world.seed())
                        .matches(codes -> codes.contains(failed.code()) || failed.code() == ErrorCode.NOT_CONNECTED);
        }
    }

    /** Looks whether what was seen has come to be. */
    void judge() {
        ahead.removeIf(seen -> {
            List<Long> balances = writer.acknowledged(seen.account);
            if (balances.size() <= seen.place) {
                return false;
            }
            assertThat(balances.get(seen.place))
                    .as("a reader of " + writer.partition() + " saw it before, seed " + bank.world.seed())
                    .isEqualTo(seen.balance);
            return true;
        });
    }

    PartitionId partition() {
        return writer.partition();
    }
}
