package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/** Payments into accounts by several threads, and what came of each. */
final class AccountLoad {
    static final String SCHEMA = """
            CREATE TABLE ACCOUNT (ID BIGINT NOT NULL PRIMARY KEY, BALANCE BIGINT NOT NULL);
            PARTITION TABLE ACCOUNT ON COLUMN ID;
            CREATE PROCEDURE OPEN_ACCOUNT PARTITION ON TABLE ACCOUNT COLUMN ID AS
                INSERT INTO ACCOUNT (ID, BALANCE) VALUES (?, 0);
            CREATE PROCEDURE PAY_IN PARTITION ON TABLE ACCOUNT COLUMN ID AS
                UPDATE ACCOUNT SET BALANCE = BALANCE + 1 WHERE ID = ?;
            CREATE PROCEDURE BALANCE_OF PARTITION ON TABLE ACCOUNT COLUMN ID AS SELECT BALANCE FROM ACCOUNT WHERE ID = ?;
            """;

    static final int ACCOUNTS = 24;
    private static final int THREADS = 4;

    private final AtomicLongArray paid = new AtomicLongArray(ACCOUNTS);
    private final AtomicLongArray unknown = new AtomicLongArray(ACCOUNTS);
    private final List<String> failures = new CopyOnWriteArrayList<>();

    /** Threads that pay until they are told to stop. */
    final class Payers implements AutoCloseable {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final List<Thread> threads = new ArrayList<>();

        private Payers(FulmarClient client) {
            for (int i = 0; i < THREADS; i++) {
                int first = i * ACCOUNTS / THREADS;
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int account = first; !stopped.get(); account++) {
                        pay(client, account % ACCOUNTS, Duration.ofSeconds(60));
                    }
                }));
            }
        }

        @Override
        public void close() {
            stopped.set(true);
            try {
                for (Thread thread : threads) {
                    thread.join();
                }
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted while payers end", e);
            }
        }
    }

    void openAccounts(FulmarClient client) {
        for (long account = 0; account < ACCOUNTS; account++) {
            client.call("OPEN_ACCOUNT", account);
        }
    }

    Payers begin(FulmarClient client) {
        return new Payers(client);
    }

    /** Whether the payment was acknowledged. */
    boolean pay(FulmarClient client, int account, Duration timeout) {
        try {
            client.prepare("PAY_IN")
                    .withTimeout(timeout)
                    .start()
                    .with((long) account)
                    .call();
            paid.incrementAndGet(account);
            return true;
        } catch (FulmarException e) {
            if (e.code() == ErrorCode.TIMEOUT || e.code() == ErrorCode.OUTCOME_UNKNOWN) {
                unknown.incrementAndGet(account);
            }
            failures.add(e.toString());
            return false;
        }
    }

    List<String> failures() {
        return failures;
    }

    long total() {
        long sum = 0;
        for (int account = 0; account < ACCOUNTS; account++) {
            sum += paid.get(account);
        }
        return sum;
    }

    static long balance(FulmarClient client, int account, Duration timeout) {
        return client.prepare("BALANCE_OF")
                .withTimeout(timeout)
                .start()
                .with((long) account)
                .call()
                .table()
                .first()
                .getLong(0);
    }

    /** All that was acknowledged is there once, and nothing that surely failed. */
    void assertBalances(FulmarClient client) {
        for (int account = 0; account < ACCOUNTS; account++) {
            assertThat(balance(client, account, Duration.ofSeconds(60)))
                    .as("account " + account)
                    .isBetween(paid.get(account), paid.get(account) + unknown.get(account));
        }
    }
}
