package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.UndoPort;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Balances of one partition, with undo. */
final class Accounts implements UndoPort {
    private record Change(int account, long before) {}

    /** A committed balance. */
    record Version(long timestamp, int account, long balance) {}

    final long[] balances;
    final List<Version> history = new ArrayList<>();
    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private final ArrayDeque<Long> values = new ArrayDeque<>();
    private long committed;

    Accounts(int count, long balance) {
        balances = new long[count];
        Arrays.fill(balances, balance);
    }

    void add(int account, long amount) {
        changes.addLast(new Change(account, balances[account]));
        balances[account] += amount;
        values.addLast(balances[account]);
    }

    long total() {
        return Arrays.stream(balances).sum();
    }

    @Override
    public long position() {
        return committed + changes.size();
    }

    @Override
    public void undoTo(long position) {
        while (position() > position) {
            Change change = changes.removeLast();
            values.removeLast();
            balances[change.account()] = change.before();
        }
    }

    @Override
    public void commitTo(long position, long commitTimestamp) {
        while (committed < position) {
            history.add(new Version(commitTimestamp, changes.removeFirst().account(), values.removeFirst()));
            committed++;
        }
    }

    static Accounts of(Partition partition) {
        return (Accounts) partition.undo();
    }

    /** Adds to a balance; refuses to go below zero. Yields the new balance. */
    record Add(int statement, int account, long amount) implements FragmentWork {
        @Override
        public FragmentResult run(Partition partition) {
            Accounts accounts = of(partition);
            accounts.add(account, amount);
            if (accounts.balances[account] < 0) {
                throw new FulmarException(ErrorCode.CHECK_VIOLATION, "account " + account + " would be overdrawn");
            }
            return FragmentResult.changed(accounts.balances[account]);
        }
    }

    /** Yields the sum of all balances. */
    record Total(int statement) implements FragmentWork {
        @Override
        public FragmentResult run(Partition partition) {
            return FragmentResult.changed(of(partition).total());
        }
    }
}
