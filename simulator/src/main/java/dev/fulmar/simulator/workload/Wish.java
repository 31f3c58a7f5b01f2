package dev.fulmar.simulator.workload;

import dev.fulmar.simulator.verify.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** One wish of a client: a call or a statement, and how its answer is read. */
public sealed interface Wish {
    /** Name of the procedure, or the SQL text. */
    String text();

    /** Whether {@link #text()} is SQL. */
    default boolean isStatement() {
        return false;
    }

    Object[] arguments();

    /** Whether it only reads and an older state of everything will do. */
    default boolean takesAnySnapshot() {
        return false;
    }

    /** Intended writes, for the history; none if the history does not know what it touches. */
    default List<Operation> writes() {
        return List.of();
    }

    /** Whether it rolls itself back always. */
    default boolean rollsBack() {
        return false;
    }

    /** Whether it may roll itself back. */
    default boolean mayRollBack() {
        return rollsBack();
    }

    /**
     * Operations of the wish, once it is committed. Fails with an {@link IllegalStateException} if the answer cannot be
     * right.
     */
    List<Operation> done(Reply reply);

    /**
     * An answer.
     *
     * @param value what a procedure or a change of rows yields
     * @param tables the rows of each result table
     */
    record Reply(long value, List<List<long[]>> tables) {}

    /** Reads lists and appends to lists. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record Transact(
            boolean single,
            long firstKey,
            long[] reads,
            long[] appends,
            long[] values,
            boolean stumble,
            boolean rollBack)
            implements Wish {
        @Override
        public String text() {
            return single ? "TransactOne" : "TransactMany";
        }

        @Override
        public Object[] arguments() {
            return new Object[] {firstKey, reads, appends, values, stumble, rollBack};
        }

        @Override
        public List<Operation> writes() {
            List<Operation> writes = new ArrayList<>();
            for (int i = 0; i < appends.length; i++) {
                writes.add(new Operation.Append(appends[i], values[i]));
            }
            return writes;
        }

        @Override
        public boolean rollsBack() {
            return rollBack;
        }

        @Override
        public List<Operation> done(Reply reply) {
            require(reply.tables().size() == reads.length, "one table for each list that was read", reply);
            List<Operation> operations = new ArrayList<>();
            for (int i = 0; i < reads.length; i++) {
                List<long[]> rows = reply.tables().get(i);
                for (long[] row : rows) {
                    require(row[1] == rows.getFirst()[1], "one edition of the procedure", reply);
                }
                if (!rows.isEmpty()) {
                    operations.add(ProcedureEditions.seen(rows.getFirst()[1]));
                }
                operations.add(new Operation.ReadList(reads[i], column(rows, 0)));
            }
            operations.addAll(writes());
            return operations;
        }
    }

    /** Reads one list by SQL. */
    record ReadList(long key) implements Wish {
        @Override
        public String text() {
            return "SELECT v FROM entry WHERE k = ? ORDER BY n";
        }

        @Override
        public boolean isStatement() {
            return true;
        }

        @Override
        public Object[] arguments() {
            return new Object[] {key};
        }

        @Override
        public List<Operation> done(Reply reply) {
            require(reply.tables().size() == 1, "one table", reply);
            return List.of(new Operation.ReadList(key, column(reply.tables().getFirst(), 0)));
        }
    }

    /** Reads the lists of all keys from 1 up by SQL. */
    record ReadAllLists(int keys, boolean takesAnySnapshot) implements Wish {
        public ReadAllLists(int keys) {
            this(keys, false);
        }

        @Override
        public String text() {
            return "SELECT k, n, v FROM entry ORDER BY k, n";
        }

        @Override
        public boolean isStatement() {
            return true;
        }

        @Override
        public Object[] arguments() {
            return new Object[0];
        }

        @Override
        public List<Operation> done(Reply reply) {
            return lists(LongStream.rangeClosed(1, keys).toArray(), reply);
        }
    }

    /** Reads some lists by SQL, and touches their partitions only. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record ReadSomeLists(long[] keys, boolean takesAnySnapshot) implements Wish {
        @Override
        public String text() {
            return "SELECT k, n, v FROM entry WHERE k IN (" + "?, ".repeat(keys.length - 1) + "?) ORDER BY k, n";
        }

        @Override
        public boolean isStatement() {
            return true;
        }

        @Override
        public Object[] arguments() {
            return LongStream.of(keys).boxed().toArray();
        }

        @Override
        public List<Operation> done(Reply reply) {
            return lists(keys, reply);
        }
    }

    private static List<Operation> lists(long[] keys, Reply reply) {
        require(reply.tables().size() == 1, "one table", reply);
        TreeMap<Long, List<Long>> lists = new TreeMap<>();
        for (long key : keys) {
            lists.put(key, new ArrayList<>());
        }
        for (long[] row : reply.tables().getFirst()) {
            List<Long> list = lists.get(row[0]);
            require(list != null && row[1] == list.size(), "each list numbered from 0", reply);
            Objects.requireNonNull(list).add(row[2]);
        }
        List<Operation> operations = new ArrayList<>();
        lists.forEach((key, list) -> operations.add(new Operation.ReadList(key, list)));
        return operations;
    }

    /** Moves money; {@code anew} deletes the second account and makes it again. */
    record Transfer(boolean single, long from, long to, long amount, boolean anew) implements Wish {
        @Override
        public String text() {
            return single ? "TransferOne" : "TransferMany";
        }

        @Override
        public Object[] arguments() {
            return new Object[] {from, to, amount, anew};
        }

        @Override
        public boolean mayRollBack() {
            return true;
        }

        @Override
        public List<Operation> done(Reply reply) {
            require(reply.value() >= 0, "a balance that is not negative", reply);
            return List.of();
        }
    }

    /** Adds up all money by SQL. */
    record Audit(long accounts, long total, boolean takesAnySnapshot) implements Wish {
        @Override
        public String text() {
            return "SELECT COUNT(*), SUM(balance), MIN(balance) FROM account";
        }

        @Override
        public boolean isStatement() {
            return true;
        }

        @Override
        public Object[] arguments() {
            return new Object[0];
        }

        @Override
        public List<Operation> done(Reply reply) {
            require(reply.tables().size() == 1 && reply.tables().getFirst().size() == 1, "one row", reply);
            long[] row = reply.tables().getFirst().getFirst();
            require(
                    row[0] == accounts && row[1] == total && row[2] >= 0,
                    accounts + " accounts with " + total + " in all, none below 0",
                    reply);
            return List.of();
        }
    }

    /** Asks an index for rows that must not be there, or counts by an index those that must. */
    record IndexAudit(boolean ofEntries, long accounts, boolean takesAnySnapshot) implements Wish {
        @Override
        public String text() {
            return ofEntries
                    ? "SELECT COUNT(*) FROM entry WHERE v < 0"
                    : "SELECT COUNT(*) FROM account WHERE balance >= 0";
        }

        @Override
        public boolean isStatement() {
            return true;
        }

        @Override
        public Object[] arguments() {
            return new Object[0];
        }

        @Override
        public List<Operation> done(Reply reply) {
            require(reply.tables().size() == 1 && reply.tables().getFirst().size() == 1, "one row", reply);
            long expected = ofEntries ? 0 : accounts;
            require(reply.tables().getFirst().getFirst()[0] == expected, "a count of " + expected, reply);
            return List.of();
        }
    }

    /** Reads all lists and all money, in some steps of one transaction. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record Observe(long[] first, long[] second, long accounts, long total, boolean takesAnySnapshot) implements Wish {
        @Override
        public String text() {
            return "Observe";
        }

        @Override
        public Object[] arguments() {
            return new Object[] {first, second};
        }

        @Override
        public List<Operation> done(Reply reply) {
            int lists = first.length + second.length;
            require(reply.tables().size() == lists + 1, "a table for each list, and one more", reply);
            List<Operation> operations = new ArrayList<>();
            for (int i = 0; i < lists; i++) {
                List<long[]> rows = reply.tables().get(i);
                if (!rows.isEmpty()) {
                    operations.add(ProcedureEditions.seen(rows.getFirst()[1]));
                }
                long key = i < first.length ? first[i] : second[i - first.length];
                operations.add(new Operation.ReadList(key, column(rows, 0)));
            }
            long[] money = reply.tables().get(lists).getFirst();
            require(
                    money[0] == accounts && money[1] == total && money[2] >= 0,
                    accounts + " accounts with " + total + " in all, none below 0",
                    reply);
            return operations;
        }
    }

    private static List<Long> column(List<long[]> rows, int column) {
        return rows.stream().map(row -> row[column]).toList();
    }

    private static void require(boolean condition, String expected, Reply reply) {
        if (!condition) {
            StringBuilder found = new StringBuilder("value ").append(reply.value());
            reply.tables().forEach(table -> {
                found.append(", table");
                table.forEach(row -> found.append(' ').append(Arrays.toString(row)));
            });
            throw new IllegalStateException("expected " + expected + ", found " + found);
        }
    }
}
