package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.random.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A table that simulated clients make, fill, alter and drop, with their knowledge of it. Its columns are ID, N and A,
 * of which ID and N are the key, and others that have their default in every row. One client changes it; others put
 * rows into it, and try what a constraint forbids from the moment at which somebody asks for it.
 */
final class ChangingTable {
    /** Value of added columns. */
    static final long DEFAULT = 7;

    private static final int IDS = 12;
    private static final int VALUES = 100_000;
    private static final int TEMPT_ONE_IN = 3;

    private final String name;
    private String place;
    private final List<String> names = new ArrayList<>();
    private final Map<Long, Row> rows = new TreeMap<>();
    private final Map<String, Long> forbidden = new TreeMap<>();
    private final List<String> procedures = new ArrayList<>();
    private final Set<String> lost = new TreeSet<>();
    private final List<String> indexes = new ArrayList<>();
    private boolean isVague;
    private boolean mayBeDropped;
    private boolean mayBeUnique;
    private int lastNumber;

    enum RowState {
        DUE,
        THERE,
        ABSENT,
        UNKNOWN
    }

    /** A row that a client put in, or tried to. */
    static final class Row {
        private final long id;
        private final long number;
        private final long value;
        private RowState state = RowState.DUE;

        private Row(long id, long number, long value) {
            this.id = id;
            this.number = number;
            this.value = value;
        }

        Object[] arguments() {
            return new Object[] {id, number, value};
        }

        RowState state() {
            return state;
        }

        void is(RowState newState) {
            state = newState;
        }

        /** Whether these are its columns, and those that were added. */
        boolean has(long[] columns) {
            boolean same = columns[0] == id && columns[1] == number && columns[2] == value;
            for (int added = 3; added < columns.length; added++) {
                same &= columns[added] == DEFAULT;
            }
            return same;
        }

        @Override
        public String toString() {
            return "(" + id + ", " + number + ", " + value + ") " + state;
        }
    }

    ChangingTable(String name, boolean isPartitioned) {
        this.name = name;
        this.place = isPartitioned ? "ID" : "";
        names.add(CatalogNames.table(name));
        names.add(CatalogNames.column(name, "ID"));
        names.add(CatalogNames.column(name, "N"));
        names.add(CatalogNames.column(name, "A"));
    }

    String name() {
        return name;
    }

    /** Whether its rows are on one partition each. */
    boolean isPartitioned() {
        return !place.isEmpty();
    }

    /** Its partitioning column; empty for none. */
    String place() {
        return place;
    }

    /** Its rows are placed by the column from now on. */
    void isPlacedBy(String column) {
        place = column;
    }

    /** Whether a unique constraint may have come: it has the first column of the key. */
    boolean mayBeUnique() {
        return mayBeUnique;
    }

    /** Names that go with the table when it is dropped. */
    List<String> names() {
        return names;
    }

    /** Notes a name that belongs to the table. */
    void owns(String catalogName) {
        names.add(catalogName);
    }

    /** The next part of a name that is the table's own. */
    int nextNumber() {
        return ++lastNumber;
    }

    /** Notes that the outcome of a change is unknown: no client changes the table any more. */
    void becomeVague() {
        isVague = true;
    }

    boolean isVague() {
        return isVague;
    }

    void beginDrop() {
        mayBeDropped = true;
    }

    /** It is there for certain after all. */
    void staysAfterAll() {
        mayBeDropped = false;
    }

    /** Whether a client asked for the table's end. */
    boolean mayBeDropped() {
        return mayBeDropped;
    }

    /** Notes a client's request that no two rows have an ID and an A in common. */
    void beginUnique() {
        mayBeUnique = true;
    }

    /** Number of names that were made so. */
    int numbers() {
        return lastNumber;
    }

    /** Notes a client's request that no row has a value, which is returned, in A. */
    long drawForbidden(String check, RandomSource random) {
        long value = random.nextInt(VALUES);
        forbidden.put(check, value);
        return value;
    }

    /** The same, with a value that a row of one partition has, if there is any. */
    long drawForbiddenOfRow(String check, RandomSource random) {
        List<Row> there = rows.values().stream()
                .filter(row -> row.state == RowState.THERE)
                .toList();
        if (there.isEmpty()) {
            return drawForbidden(check, random);
        }
        long value = there.get(random.nextInt(there.size())).value;
        forbidden.put(check, value);
        return value;
    }

    /** Whether the check forbids the value. */
    boolean forbids(String check, long value) {
        Long known = forbidden.get(check);
        return known != null && known == value;
    }

    /** Procedures that put a row in, and are there. */
    List<String> procedures() {
        return procedures;
    }

    /** Notes a client's request to drop the procedure. */
    void mayLose(String procedure) {
        lost.add(procedure);
    }

    boolean mayHaveLost(String procedure) {
        return lost.contains(procedure);
    }

    /** Indexes that are not unique, and are there. */
    List<String> indexes() {
        return indexes;
    }

    /** A row to put in; some break a constraint that a client has asked for. */
    Row next(RandomSource random, long number) {
        long id = random.nextInt(IDS);
        long value = random.nextInt(VALUES);
        boolean tempts = random.nextInt(TEMPT_ONE_IN) == 0;
        if (tempts && !forbidden.isEmpty() && random.nextInt(2) == 0) {
            List<Long> values = List.copyOf(forbidden.values());
            value = values.get(random.nextInt(values.size()));
        } else if (tempts && mayBeUnique && !rows.isEmpty()) {
            List<Row> all = List.copyOf(rows.values());
            Row like = all.get(random.nextInt(all.size()));
            id = like.id;
            value = like.value;
        }
        return add(id, number, value);
    }

    /** A row that nothing forbids. */
    Row harmless(long number) {
        return add(number % IDS, number, VALUES + number);
    }

    private Row add(long id, long number, long value) {
        Row row = new Row(id, number, value);
        rows.put(number, row);
        return row;
    }

    boolean mayBreakCheck(Row row) {
        return forbidden.containsValue(row.value);
    }

    boolean mayBreakUnique(Row row) {
        return mayBeUnique
                && rows.values().stream()
                        .anyMatch(other -> other != row && other.id == row.id && other.value == row.value);
    }

    /** Rows that clients put in, or tried to, by their number, which no other row of any table has. */
    Map<Long, Row> rows() {
        return rows;
    }
}
