package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random transfers, local and distributed, under random schedules in one thread: money is neither made nor lost, nor
 * seen so.
 */
class BankTransferTest {
    private static final int SEEDS = 400;
    private static final int ACCOUNTS = 4;
    private static final long BALANCE = 100;

    private long wounds;
    private long speculated;
    private long speculationsUndone;
    private long failures;

    @Test
    void theSumStaysTheSameInEverySchedule() {
        for (int seed = 0; seed < SEEDS; seed++) {
            runSeed(seed);
        }
        assertThat(wounds).as("wounds").isPositive();
        assertThat(speculated).as("speculated transactions").isPositive();
        assertThat(speculationsUndone).as("undone speculation").isPositive();
        assertThat(failures).as("failed transfers").isPositive();
    }

    @Test
    void aSeedRepeats() {
        assertThat(runSeed(7)).isEqualTo(runSeed(7));
    }

    private List<TransactionResponse> runSeed(int seed) {
        RandomSource random = new SeededRandom(seed);
        int partitions = 2 + random.nextInt(4);
        SteppedCluster cluster = new SteppedCluster(partitions, ACCOUNTS, BALANCE);
        long expected = BALANCE * ACCOUNTS * partitions;
        List<TransactionResponse> responses = new ArrayList<>();
        List<Long> audits = new ArrayList<>();
        int transactions = 60;
        int begun = 0;
        boolean moved = true;
        while (begun < transactions || moved) {
            if (begun < transactions && random.nextInt(6) == 0) {
                begin(cluster, random, responses, audits);
                begun++;
            }
            moved = cluster.stepRandomly(random);
        }
        assertThat(responses.size() + audits.size()).as("seed %d", seed).isEqualTo(transactions);
        assertThat(audits).as("seed %d", seed).allMatch(sum -> sum == expected);
        assertThat(cluster.stores.stream().mapToLong(Accounts::total).sum()).isEqualTo(expected);
        assertEveryTimestampIsConsistent(cluster, expected, seed);
        for (int i = 0; i < partitions; i++) {
            assertThat(cluster.partition(i).isQuiescent()).as("seed %d", seed).isTrue();
            wounds += cluster.partition(i).counters().wounds.get();
            speculated += cluster.partition(i).counters().speculated.get();
            speculationsUndone +=
                    cluster.partition(i).counters().speculationsUndone.get();
        }
        failures += responses.stream().filter(r -> !(r instanceof Committed)).count();
        return responses;
    }

    private static void begin(
            SteppedCluster cluster, RandomSource random, List<TransactionResponse> responses, List<Long> audits) {
        int partitions = cluster.executors.size();
        int from = random.nextInt(partitions);
        int to = random.nextInt(partitions);
        int fromAccount = random.nextInt(ACCOUNTS);
        int toAccount = random.nextInt(ACCOUNTS);
        long amount = 1L + random.nextInt(90);
        switch (random.nextInt(8)) {
            case 0 -> cluster.begin(cluster.audit(), response -> audits.add(((Committed) response).value()));
            case 1, 2, 3 ->
                cluster.submit(
                        from,
                        accounts -> {
                            accounts.add(fromAccount, -amount);
                            accounts.add(toAccount, amount);
                            if (accounts.balances[fromAccount] < 0) {
                                throw new IllegalStateException("overdrawn");
                            }
                            return amount;
                        },
                        responses::add);
            case 4, 5 ->
                cluster.begin(SteppedCluster.transfer(from, fromAccount, to, toAccount, amount), responses::add);
            default ->
                cluster.begin(
                        dispatch -> {
                            // One batch after the other, so that locks are taken in any order.
                            dispatch.run(SteppedCluster.on(
                                    to, new Accounts.Add(dispatch.nextStatement(), toAccount, amount)));
                            FragmentDispatch.Outcome debit = dispatch.run(SteppedCluster.on(
                                    from, new Accounts.Add(dispatch.nextStatement(), fromAccount, -amount)));
                            return debit.failure() == null
                                    ? SteppedCluster.value(amount)
                                    : new TransactionResponse.Failed(
                                            debit.failure().code(),
                                            debit.failure().message());
                        },
                        responses::add);
        }
    }

    /**
     * Whoever reads as of any commit timestamp sees the right sum: a commit has one timestamp on all of its partitions.
     */
    private static void assertEveryTimestampIsConsistent(SteppedCluster cluster, long expected, int seed) {
        TreeMap<Long, Long> changeByTimestamp = new TreeMap<>();
        for (Accounts store : cluster.stores) {
            long[] balances = new long[ACCOUNTS];
            Arrays.fill(balances, BALANCE);
            long last = 0;
            for (Accounts.Version version : store.history) {
                assertThat(version.timestamp()).isGreaterThanOrEqualTo(last);
                last = version.timestamp();
                changeByTimestamp.merge(
                        version.timestamp(), version.balance() - balances[version.account()], Long::sum);
                balances[version.account()] = version.balance();
            }
        }
        assertThat(changeByTimestamp.values()).as("seed %d", seed).allMatch(change -> change == 0);
        assertThat(expected).isPositive();
    }
}
