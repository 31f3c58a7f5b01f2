package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves money between its accounts, of which each partition has one that is its alone, and reads them, and the sum of
 * everybody's. Each request is sent until it is answered; what the answer must be is known.
 */
final class SpreadClient {
    private static final long RETRY_NANOS = 300_000_000;
    private static final long AGAIN_NANOS = 5_000_000;
    static final Set<ErrorCode> TO_RETRY = EnumSet.of(
            ErrorCode.WRONG_NODE,
            ErrorCode.NODE_STOPPING,
            ErrorCode.NOT_CONNECTED,
            ErrorCode.OUTCOME_UNKNOWN,
            ErrorCode.SERVER_BUSY,
            ErrorCode.TIMEOUT);
    static final long FIRST_BALANCE = 1_000_000;

    long done;
    boolean isResting;
    private final ReplicatedBank bank;
    private final RandomSource random;
    private final long client;
    private final int partitions;
    private final long[] accounts;
    private final long[] balances;
    private long requests;
    private @Nullable TransactionRequest open;
    private @Nullable PartitionId home;
    private LongConsumer check = value -> {};
    private long tries;
    private int opened;
    private int toRead;
    private Object lastAnswer = "none";

    SpreadClient(ReplicatedBank bank, int number) {
        this.bank = bank;
        this.client = 1_000L + number;
        this.random = bank.world.random("client " + client);
        this.partitions = bank.configuration().plan().partitionCount();
        this.accounts = accounts(bank, number);
        this.balances = new long[partitions];
        bank.world.schedule(1_000_000, "client", this::next);
    }

    /** An account of each partition, which no other client has. */
    private static long[] accounts(ReplicatedBank bank, int number) {
        long[] found = new long[bank.configuration().plan().partitionCount()];
        int[] seen = new int[found.length];
        int missing = found.length;
        for (long key = 0; missing > 0; key++) {
            int partition = bank.configuration().plan().partitionOf(key);
            if (seen[partition]++ == number) {
                found[partition] = key;
                missing--;
            }
        }
        return found;
    }

    boolean isIdle() {
        return open == null;
    }

    boolean hasOpened() {
        return opened == partitions;
    }

    @Override
    public String toString() {
        return "client " + client + " done " + done + " open " + open + " try " + tries + " last answer " + lastAnswer;
    }

    private void next() {
        if (isResting) {
            bank.world.schedule(10_000_000, "client", this::next);
        } else if (!hasOpened()) {
            int opening = opened;
            ask(
                    opening,
                    "INSERT INTO account VALUES (?, ?)",
                    value -> {
                        assertThat(value).isEqualTo(1);
                        balances[opening] = FIRST_BALANCE;
                        opened++;
                    },
                    accounts[opening],
                    FIRST_BALANCE);
        } else {
            int account = random.nextInt(partitions);
            switch (random.nextInt(8)) {
                case 0 -> sum();
                case 1, 2 -> read(account);
                default -> transfer(account, random.nextInt(partitions), 1 + random.nextInt(9));
            }
        }
    }

    private void sum() {
        boolean allOpened = bank.spreadClients.stream().allMatch(SpreadClient::hasOpened);
        long expected = FIRST_BALANCE * partitions * bank.spreadClients.size();
        home = null;
        begin(
                new TransactionRequest.AdHoc(
                        client, ++requests, 0, "SELECT SUM(balance) FROM account", SteppedDatabase.list()),
                value -> {
                    if (allOpened) {
                        assertThat(value).as("sum, seed " + bank.world.seed()).isEqualTo(expected);
                    }
                });
    }

    /** Reads the sum while it rests, and all accounts one after another. */
    void readAll() {
        sum();
        toRead = partitions;
    }

    private void read(int account) {
        ask(
                account,
                "SELECT balance FROM account WHERE id = ?",
                value -> assertBalance(account, value),
                accounts[account]);
    }

    /** Moves money and, for the answer is what is left, knows what that is. */
    void transfer(int from, int to, long amount) {
        home = new PartitionId(from);
        begin(
                new TransactionRequest.Call(
                        client, ++requests, 0, "Transfer", SteppedDatabase.list(accounts[from], accounts[to], amount)),
                value -> {
                    balances[from] -= amount;
                    long left = balances[from];
                    balances[to] += amount;
                    assertThat(value)
                            .as("left on " + accounts[from] + ", seed " + bank.world.seed())
                            .isEqualTo(left);
                });
    }

    private void assertBalance(int account, long value) {
        assertThat(value)
                .as("balance of " + accounts[account] + ", seed " + bank.world.seed())
                .isEqualTo(balances[account]);
    }

    private void ask(int partition, String sql, LongConsumer expectation, Object... parameters) {
        home = new PartitionId(partition);
        begin(new TransactionRequest.AdHoc(client, ++requests, 0, sql, SteppedDatabase.list(parameters)), expectation);
    }

    private void begin(TransactionRequest request, LongConsumer expectation) {
        open = request;
        check = expectation;
        tries = 0;
        send();
    }

    /** Where the request belongs; what belongs nowhere goes anywhere. */
    private ClusterNode target() {
        PartitionId known = home;
        if (known != null) {
            return bank.primary(known);
        }
        List<NodeId> nodes = new ArrayList<>(bank.nodes.keySet());
        return bank.node(nodes.get(random.nextInt(nodes.size())));
    }

    private void send() {
        TransactionRequest request = Objects.requireNonNull(open);
        long attempt = ++tries;
        ClusterNode node = target();
        if (node.process.isAlive()) {
            node.process.execute(20_000, "request", () -> submit(node, request));
        }
        bank.world.schedule(RETRY_NANOS, "client", () -> retry(request, attempt));
    }

    private void submit(ClusterNode node, TransactionRequest request) {
        AtomicBoolean isAnswered = new AtomicBoolean();
        node.database.submit(request, (asked, response) -> {
            assertThat(isAnswered.getAndSet(true))
                    .as("answered twice, the second time with " + response + ", seed " + bank.world.seed())
                    .isFalse();
            node.process.execute(20_000, "answer", () -> answered(request, response));
        });
    }

    private void retry(TransactionRequest request, long attempt) {
        if (request.equals(open) && tries == attempt) {
            send();
        }
    }

    private void answered(TransactionRequest request, TransactionResponse response) {
        if (!request.equals(open)) {
            return;
        }
        lastAnswer = response;
        switch (response) {
            case Committed committed -> {
                open = null;
                done++;
                boolean isQuery = request.subject().startsWith("SELECT");
                check.accept(isQuery ? SteppedDatabase.cell(committed) : committed.value());
                if (toRead > 0) {
                    read(--toRead);
                } else {
                    bank.world.schedule(random.nextInt(2_000_000), "client", this::next);
                }
            }
            case Failed failed -> {
                assertThat(TO_RETRY).as(failed + ", seed " + bank.world.seed()).contains(failed.code());
                long attempt = tries;
                bank.world.schedule(AGAIN_NANOS, "client", () -> retry(request, attempt));
            }
        }
    }
}
