package dev.fulmar.simulator.campaign;

import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.verify.Transaction;
import dev.fulmar.simulator.workload.Mix;
import dev.fulmar.simulator.workload.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Verifies the tables after the last answer: they have all commits and nothing of failed transactions, and every index
 * agrees.
 */
public final class FinalState {
    private final Queries database;
    private final Mix mix;
    private final Ledger ledger;

    /** Asks the database by SQL. */
    @FunctionalInterface
    public interface Queries {
        Wish.Reply ask(String sql, Object... arguments);
    }

    public FinalState(Queries database, Mix mix, Ledger ledger) {
        this.database = database;
        this.mix = mix;
        this.ledger = ledger;
    }

    /** Reads everything as a last transaction of the history. */
    public void read(HistoryRecorder recorder) {
        Wish wish = new Wish.ReadAllLists(mix.keys());
        HistoryRecorder.Pending record = recorder.invoke(0, List.of());
        try {
            record.ok(wish.done(database.ask(wish.text(), wish.arguments())), OptionalLong.empty());
        } catch (IllegalStateException wrong) {
            ledger.violation("the final lists: " + wrong.getMessage());
        }
    }

    /** Compares the tables and the indexes with the history. */
    public void check(List<Transaction> history) {
        Set<Long> found = new TreeSet<>();
        rows("SELECT v FROM entry").forEach(row -> found.add(row[0]));
        checkElements(history, found);
        List<Long> byIndex = new ArrayList<>();
        rows("SELECT v FROM entry WHERE v >= 0 ORDER BY v").forEach(row -> byIndex.add(row[0]));
        if (!byIndex.equals(List.copyOf(found))) {
            ledger.violation("the index on values has " + byIndex + " where the table has " + found);
        }
        if (!rows("SELECT v FROM entry WHERE v < 0").isEmpty()) {
            ledger.violation("a row of a statement that failed is in the index on values");
        }
        checkAccounts();
    }

    private void checkElements(List<Transaction> history, Set<Long> found) {
        Set<Long> allowed = new TreeSet<>();
        for (Transaction transaction : history) {
            List<Long> appended = new ArrayList<>();
            for (Operation operation : transaction.operations()) {
                if (operation instanceof Operation.Append append) {
                    appended.add(append.element());
                }
            }
            long present = appended.stream().filter(found::contains).count();
            boolean right = switch (transaction.outcome()) {
                case OK -> present == appended.size();
                case FAILED -> present == 0;
                case UNKNOWN -> present == 0 || present == appended.size();
            };
            if (!right) {
                ledger.violation("of the values " + appended + " there are " + present + " in the end: " + transaction);
            }
            allowed.addAll(appended);
        }
        if (!allowed.containsAll(found)) {
            ledger.violation("there is a value in the end that nobody appended: " + found);
        }
    }

    private void checkAccounts() {
        List<long[]> accounts = rows("SELECT id, balance FROM account ORDER BY id");
        List<Long> balances = new ArrayList<>();
        long total = 0;
        for (long[] account : accounts) {
            balances.add(account[1]);
            total += account[1];
            if (ledger.isMoneyKnown() && account[1] != mix.balance() + ledger.moved(account[0])) {
                ledger.violation("account " + account[0] + " has " + account[1] + " and not "
                        + (mix.balance() + ledger.moved(account[0])));
            }
        }
        if (accounts.size() != mix.accounts() || total != mix.accounts() * mix.balance()) {
            ledger.violation(accounts.size() + " accounts have " + total + " in the end");
        }
        List<Long> byIndex = new ArrayList<>();
        rows("SELECT balance FROM account WHERE balance >= 0 ORDER BY balance").forEach(row -> byIndex.add(row[0]));
        balances.sort(null);
        if (!byIndex.equals(balances)) {
            ledger.violation("the index on balances has " + byIndex + " where the table has " + balances);
        }
    }

    private List<long[]> rows(String query) {
        return database.ask(query).tables().getFirst();
    }
}
