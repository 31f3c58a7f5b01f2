package dev.fulmar.benchmarks.smallbank;

import dev.fulmar.benchmarks.smallbank.procedure.Amalgamate;
import dev.fulmar.benchmarks.smallbank.procedure.Balance;
import dev.fulmar.benchmarks.smallbank.procedure.DepositChecking;
import dev.fulmar.benchmarks.smallbank.procedure.OpenAccount;
import dev.fulmar.benchmarks.smallbank.procedure.SendPayment;
import dev.fulmar.benchmarks.smallbank.procedure.TransactSavings;
import dev.fulmar.benchmarks.smallbank.procedure.WriteCheck;
import dev.fulmar.benchmarks.workload.PipelinedCalls;
import dev.fulmar.benchmarks.workload.RequestSource;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.benchmarks.workload.TableChecks;
import dev.fulmar.benchmarks.workload.Workload;
import dev.fulmar.benchmarks.workload.WorkloadScript;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** SmallBank's mix as H-Store has it: 15/15/15/25/15/15; four tenths of the requests touch two customers. */
public final class SmallBankWorkload implements Workload {
    private static final int LOAD_IN_FLIGHT = 512;
    private static final long OPENING_CENTS = 10_000_00;

    private final long customers;
    private final AtomicLong netCents = new AtomicLong();

    public SmallBankWorkload(long customers) {
        this.customers = customers;
    }

    @Override
    public String name() {
        return "smallbank";
    }

    @Override
    public List<Class<?>> procedureClasses() {
        try {
            return List.of(
                    Amalgamate.class,
                    Balance.class,
                    DepositChecking.class,
                    OpenAccount.class,
                    SendPayment.class,
                    TransactSavings.class,
                    WriteCheck.class,
                    Class.forName(Balance.class.getPackageName() + ".Balances"));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("a class of this module is missing", e);
        }
    }

    @Override
    public String ddl() {
        return WorkloadScript.of(SmallBankWorkload.class);
    }

    @Override
    public void load(FulmarClient client, Progress progress) {
        PipelinedCalls calls = new PipelinedCalls(client, LOAD_IN_FLIGHT);
        for (long customer = 0; customer < customers; customer++) {
            calls.call("OpenAccount", customer, OPENING_CENTS);
            if (customer % 1000 == 0) {
                progress.report("loading", customer, customers);
            }
        }
        calls.drain();
        progress.report("loading", customers, customers);
    }

    @Override
    public RequestSource requests(RandomGenerator random) {
        return new Requests(random);
    }

    @Override
    public List<String> verifyTables(FulmarClient client, Progress progress) {
        TableChecks checks = new TableChecks(client);
        for (String table : List.of("accounts", "savings", "checking")) {
            checks.expect(customers, "customers in " + table, "SELECT COUNT(*) FROM " + table + " WHERE custid >= 0");
        }
        return checks.expect(
                        customers,
                        "customers with both accounts",
                        "SELECT COUNT(*) FROM accounts a JOIN savings s ON s.custid = a.custid"
                                + " JOIN checking c ON c.custid = a.custid")
                .expect(0, "savings accounts below zero", "SELECT COUNT(*) FROM savings WHERE bal < 0")
                .problems();
    }

    /**
     * The bank holds what it opened with, plus what deposits brought, less what cheques took, as clients saw it
     * committed.
     */
    @Override
    public List<String> verifyRecord(FulmarClient client, Progress progress) {
        BigDecimal expected = BigDecimal.valueOf(2 * customers * OPENING_CENTS + netCents.get(), 2);
        BigDecimal found = sum(client, "savings").add(sum(client, "checking"));
        return found.compareTo(expected) == 0
                ? List.of()
                : List.of("the balances add up to " + found + " instead of " + expected);
    }

    private static BigDecimal sum(FulmarClient client, String table) {
        return Statements.decimalOf(client, "SELECT SUM(bal) FROM " + table);
    }

    private final class Requests implements RequestSource {
        private final RandomGenerator random;
        private long addedCents;
        private boolean cheque;

        Requests(RandomGenerator random) {
            this.random = random;
        }

        @Override
        public CompletableFuture<CallResult> send(FulmarClient client) {
            addedCents = 0;
            cheque = false;
            long customer = random.nextLong(customers);
            int percent = random.nextInt(100);
            if (percent < 15) {
                return client.callAsync("Amalgamate", customer, other(customer));
            }
            if (percent < 30) {
                return client.callAsync("Balance", customer);
            }
            if (percent < 45) {
                addedCents = 1_30;
                return client.callAsync("DepositChecking", customer, addedCents);
            }
            if (percent < 70) {
                return client.callAsync("SendPayment", customer, other(customer), 5_00L);
            }
            if (percent < 85) {
                addedCents = 20_20;
                return client.callAsync("TransactSavings", customer, addedCents);
            }
            cheque = true;
            return client.callAsync("WriteCheck", customer, 5_00L);
        }

        private long other(long customer) {
            return customers == 1 ? customer : (customer + 1 + random.nextLong(customers - 1)) % customers;
        }

        @Override
        public void committed(CallResult result) {
            if (cheque) {
                netCents.addAndGet(-result.longValue());
            } else if (addedCents != 0) {
                netCents.addAndGet(addedCents);
            }
        }
    }
}
