package dev.fulmar.benchmarks.survival;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The one client that changes the catalog, one change after another, and its knowledge. The catalog is as after the
 * last change that was acknowledged, or as after the one that was not answered.
 */
final class CatalogChanges {
    private static final int MOST_TABLES = 4;
    private static final int MOST_INDEXES = 2;
    private static final int LIVES_KEPT = 3;
    private static final int MOST_PAUSE_MILLIS = 40;
    private static final List<String> INDEXABLE = List.of("link (edition, n)", "link (place)", "chain (total)");

    private State known;
    private @Nullable State pending;
    private int lastName;
    private final AtomicLong acknowledged = new AtomicLong();

    /**
     * State of the changing part of the catalog.
     *
     * @param rows of each table that comes and goes; these tables are replicated
     * @param indexes that come and go
     * @param byValue whether {@code ExtendEither} is logged by value
     * @param edition of the procedures
     * @param firstNumber of the appends that are kept; a statement deletes those before
     */
    record State(TreeMap<String, Long> rows, List<String> indexes, boolean byValue, long edition, long firstNumber) {
        State {
            indexes = indexes.stream().sorted().toList();
        }
    }

    private record Change(String text, State after) {}

    CatalogChanges() {
        known = new State(new TreeMap<>(), List.of(), false, Editions.FIRST, 0);
    }

    State known() {
        return known;
    }

    /** Changes that were acknowledged. */
    long acknowledged() {
        return acknowledged.get();
    }

    /** Makes changes until the node is gone. */
    void run(FulmarClient client, Witness witness, AtomicBoolean over, SplittableRandom random) {
        Change forget = forget(witness.life());
        if (forget != null && !make(client, witness, forget)) {
            return;
        }
        while (!over.get() && make(client, witness, draw(random))) {
            try {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_PAUSE_MILLIS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Deletes the appends of lives that are long gone, so that the database stays small. */
    private @Nullable Change forget(int life) {
        long first = Witness.firstNumber(life - LIVES_KEPT);
        return first <= known.firstNumber
                ? null
                : new Change(
                        "DELETE FROM link WHERE n < " + first,
                        new State(known.rows, known.indexes, known.byValue, known.edition, first));
    }

    private Change draw(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> known.rows.size() < MOST_TABLES ? createTable() : dropTable(random);
            case 1 -> known.rows.size() > 1 ? dropTable(random) : createTable();
            case 2 -> known.rows.isEmpty() ? createTable() : insert(random);
            case 3 -> known.indexes.size() < MOST_INDEXES ? createIndex(random) : dropIndex(random);
            case 4 -> known.indexes.isEmpty() ? createIndex(random) : dropIndex(random);
            case 5 -> alter();
            default -> replace();
        };
    }

    private Change createTable() {
        String name = "SIDE_" + ++lastName;
        return new Change(
                "CREATE TABLE " + name + " (id BIGINT NOT NULL PRIMARY KEY, t VARCHAR(40)) REPLICATED",
                withRows(name, 0));
    }

    private Change insert(SplittableRandom random) {
        String name = oneOf(List.copyOf(known.rows.keySet()), random);
        long count = Objects.requireNonNull(known.rows.get(name));
        return new Change("INSERT INTO " + name + " VALUES (" + count + ", 'row')", withRows(name, count + 1));
    }

    private State withRows(String table, long count) {
        TreeMap<String, Long> rows = new TreeMap<>(known.rows);
        rows.put(table, count);
        return new State(rows, known.indexes, known.byValue, known.edition, known.firstNumber);
    }

    private Change dropTable(SplittableRandom random) {
        String name = oneOf(List.copyOf(known.rows.keySet()), random);
        TreeMap<String, Long> rows = new TreeMap<>(known.rows);
        rows.remove(name);
        return new Change(
                "DROP TABLE " + name, new State(rows, known.indexes, known.byValue, known.edition, known.firstNumber));
    }

    private Change createIndex(SplittableRandom random) {
        String name = "EXTRA_" + ++lastName;
        List<String> indexes = new ArrayList<>(known.indexes);
        indexes.add(name);
        return new Change(
                "CREATE INDEX " + name + " ON " + oneOf(INDEXABLE, random),
                new State(known.rows, indexes, known.byValue, known.edition, known.firstNumber));
    }

    private Change dropIndex(SplittableRandom random) {
        String name = oneOf(known.indexes, random);
        List<String> indexes = new ArrayList<>(known.indexes);
        indexes.remove(name);
        return new Change(
                "DROP INDEX " + name, new State(known.rows, indexes, known.byValue, known.edition, known.firstNumber));
    }

    private Change alter() {
        return new Change(
                "ALTER PROCEDURE ExtendEither LOG " + (known.byValue ? "COMMANDS" : "VALUES"),
                new State(known.rows, known.indexes, !known.byValue, known.edition, known.firstNumber));
    }

    private Change replace() {
        return new Change(
                "", new State(known.rows, known.indexes, known.byValue, known.edition + 1, known.firstNumber));
    }

    private static String oneOf(List<String> choice, SplittableRandom random) {
        return choice.get(random.nextInt(choice.size()));
    }

    /** False once the node is gone. */
    private boolean make(FulmarClient client, Witness witness, Change change) {
        pending = change.after;
        try {
            if (change.text.isEmpty()) {
                witness.editionBegins(change.after.edition);
                client.call("@LoadClasses", (Object) Editions.jar(change.after.edition));
                witness.editionAcknowledged(change.after.edition);
            } else {
                client.execute(change.text);
            }
            known = change.after;
            pending = null;
            acknowledged.incrementAndGet();
            return true;
        } catch (FulmarException failure) {
            if (!witness.leavesOpen(failure, change.text.isEmpty() ? "a new edition" : change.text)) {
                pending = null;
            }
            return false;
        }
    }

    /** Compares the catalog with what is known, and knows from then on what it found. */
    void settle(FulmarClient client, Witness witness, boolean oldestAreGone) {
        State unanswered = pending;
        State found = find(client, unanswered, oldestAreGone);
        if (!found.equals(known) && !found.equals(unanswered)) {
            witness.problem(
                    "the catalog is " + found + " and not " + known + (unanswered == null ? "" : " nor " + unanswered));
        }
        known = found;
        pending = null;
    }

    /** The first number that is kept if everything before the one that a statement without answer named is gone. */
    long firstNumberIfForgotten() {
        State unanswered = pending;
        return unanswered == null ? known.firstNumber : unanswered.firstNumber;
    }

    private State find(FulmarClient client, @Nullable State unanswered, boolean oldestAreGone) {
        TreeMap<String, Long> rows = new TreeMap<>();
        for (String table : names(client, "TABLES", "TABLE_NAME", "SIDE_")) {
            rows.put(
                    table,
                    client.execute("SELECT COUNT(*) FROM " + table)
                            .table()
                            .first()
                            .getLong(0));
        }
        return new State(
                rows,
                names(client, "INDEXES", "INDEX_NAME", "EXTRA_"),
                isByValue(client),
                client.call("CurrentEdition", 1L).longValue(),
                unanswered != null && oldestAreGone ? unanswered.firstNumber : known.firstNumber);
    }

    private static List<String> names(FulmarClient client, String kind, String column, String beginning) {
        ResultTable table = client.call("@Catalog", kind).table();
        List<String> names = new ArrayList<>();
        while (table.next()) {
            String name = String.valueOf(table.getString(table.column(column)));
            if (name.startsWith(beginning)) {
                names.add(name);
            }
        }
        return names;
    }

    private static boolean isByValue(FulmarClient client) {
        ResultTable table = client.call("@Catalog", "PROCEDURES").table();
        while (table.next()) {
            String name = String.valueOf(table.getString(table.column("PROCEDURE_NAME")));
            if (name.toUpperCase(Locale.ROOT).equals("EXTENDEITHER")) {
                return !table.isNull(table.column("WHY_BY_VALUE"));
            }
        }
        throw new IllegalStateException("the procedure ExtendEither is gone");
    }
}
