package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.RandomSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Does one transaction of one partition after another, each until it is answered, and knows what each must come to: a
 * retry finds the first outcome, and nothing that was answered is ever missing.
 */
final class BankClient {
    private static final long RETRY_NANOS = 300_000_000;
    private static final long REFUSED_NANOS = 20_000_000;
    static final Set<ErrorCode> TO_RETRY =
            EnumSet.of(ErrorCode.WRONG_NODE, ErrorCode.NODE_STOPPING, ErrorCode.OUTCOME_UNKNOWN, ErrorCode.SERVER_BUSY);
    private static final long FIRST_BALANCE = 1_000_000;

    long done;
    boolean isResting;
    private final ReplicatedBank bank;
    private final PartitionId partition;
    private final RandomSource random;
    private final long client;
    private final long[] accounts = new long[3];
    private final List<List<Long>> balances = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    private long requests;
    private int wanderOneIn;
    private @Nullable TransactionRequest open;
    private LongConsumer check = value -> {};
    private long tries;
    private int opened;
    private Object lastAnswer = "none";

    BankClient(ReplicatedBank bank, PartitionId partition) {
        this.bank = bank;
        this.partition = partition;
        this.client = 100L + partition.number();
        this.random = bank.world.random("client " + client);
        long key = 0;
        for (int i = 0; i < accounts.length; key++) {
            if (bank.configuration().plan().partitionOf(key) == partition.number()) {
                accounts[i++] = key;
            }
        }
        bank.world.schedule(1_000_000, "client", this::next);
    }

    boolean isIdle() {
        return open == null;
    }

    @Override
    public String toString() {
        return "client " + client + " done " + done + " open " + open + " try " + tries + " last answer " + lastAnswer;
    }

    private void next() {
        if (isResting) {
            bank.world.schedule(10_000_000, "client", this::next);
            return;
        }
        int account = random.nextInt(accounts.length);
        if (opened < accounts.length) {
            int opening = opened;
            ask(
                    "INSERT INTO account VALUES (?, ?)",
                    value -> {
                        assertThat(value).isEqualTo(1);
                        became(opening, FIRST_BALANCE);
                        opened++;
                    },
                    accounts[opening],
                    FIRST_BALANCE);
            return;
        }
        switch (random.nextInt(5)) {
            case 0 ->
                ask(
                        "SELECT balance FROM account WHERE id = ?",
                        value -> assertBalance(account, value),
                        accounts[account]);
            case 1 -> {
                long balance = random.nextInt(1_000_000) + 1_000_000L;
                call("Valued", value -> became(account, balance), accounts[account], balance);
            }
            case 2 -> call("Stamp", value -> became(account, value), accounts[account]);
            default -> {
                int to = (account + 1) % accounts.length;
                call(
                        "Transfer",
                        value -> {
                            became(account, balance(account) - 1);
                            became(to, balance(to) + 1);
                            assertBalance(account, value);
                        },
                        accounts[account],
                        accounts[to],
                        1L);
            }
        }
    }

    private void assertBalance(int account, long value) {
        assertThat(value)
                .as("balance of " + accounts[account] + ", seed " + bank.world.seed())
                .isEqualTo(balance(account));
    }

    private long balance(int account) {
        return balances.get(account).getLast();
    }

    private void became(int account, long balance) {
        balances.get(account).add(balance);
    }

    /** The account's balances so far that were acknowledged, the last one being the present one. */
    List<Long> acknowledged(int account) {
        return balances.get(account);
    }

    long key(int account) {
        return accounts[account];
    }

    PartitionId partition() {
        return partition;
    }

    /** Asks any node for it once in so many times, instead of the one that leads as far as the store knows. */
    void wander(int newWanderOneIn) {
        wanderOneIn = newWanderOneIn;
    }

    private void ask(String sql, LongConsumer expectation, Object... parameters) {
        begin(new TransactionRequest.AdHoc(client, ++requests, 0, sql, SteppedDatabase.list(parameters)), expectation);
    }

    private void call(String procedure, LongConsumer expectation, Object... parameters) {
        begin(
                new TransactionRequest.Call(client, ++requests, 0, procedure, SteppedDatabase.list(parameters)),
                expectation);
    }

    private void begin(TransactionRequest request, LongConsumer expectation) {
        open = request;
        check = expectation;
        tries = 0;
        send();
    }

    private void send() {
        TransactionRequest request = Objects.requireNonNull(open);
        long attempt = ++tries;
        ClusterNode node =
                wanderOneIn > 0 && random.nextInt(wanderOneIn) == 0 ? bank.anyNode(random) : bank.primary(partition);
        if (node.process.isAlive()) {
            node.process.execute(
                    20_000,
                    "request",
                    () -> node.database.submit(
                            request,
                            (asked, response) ->
                                    node.process.execute(20_000, "answer", () -> answered(request, response))));
        }
        bank.world.schedule(RETRY_NANOS, "client", () -> retry(request, attempt));
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
                bank.world.schedule(random.nextInt(2_000_000), "client", this::next);
            }
            case Failed failed -> {
                assertThat(TO_RETRY).as(failed + ", seed " + bank.world.seed()).contains(failed.code());
                long attempt = tries;
                bank.world.schedule(REFUSED_NANOS, "client", () -> retry(request, attempt));
            }
        }
    }
}
