package dev.fulmar.engine.catalog;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.math.BigInteger;
import java.util.List;
import java.util.OptionalInt;

/**
 * The definition of a sequence: its first number, its increment, and whether an IDENTITY column owns it. A sequence is
 * stored as a table. The table has a row for each place where numbers are drawn, with the count of numbers drawn there.
 * So a draw is undone, logged, copied and restored as any row is. A replicated sequence has one place; of a partitioned
 * one each partition has places of its own. A dense sequence has one place in the whole database, and nodes draw ranges
 * of numbers there.
 *
 * @param start the first number
 * @param increment from one number to the next, not 0
 * @param owned whether it belongs to an IDENTITY column, and goes with it
 * @param cache numbers that a node draws together, of a dense sequence; 0 of any other
 */
public record SequenceRule(long start, long increment, boolean owned, int cache) {
    /**
     * Column of the place: its number as text, which is hashed in every partition plan; empty in a replicated sequence.
     */
    public static final int PLACE = 0;

    /** Column of how many numbers were drawn. */
    public static final int DRAWN = 1;

    /** Places that a partitioned sequence can have; numbers drawn at one place are so far apart. */
    public static final int PLACES = 1024;

    /** Numbers that a node may draw together. */
    public static final int MOST_CACHED = 1_000_000_000;

    private static final int PLACE_CHARACTERS = 4;

    /** One that is not dense. */
    public SequenceRule(long start, long increment, boolean owned) {
        this(start, increment, owned, 0);
    }

    /** Whether all numbers are drawn at one place. */
    public boolean isDense() {
        return cache > 0;
    }

    /** Text of the only place of a dense sequence. It stays the same, whatever the partition plan becomes. */
    public static String densePlace(int id) {
        return Integer.toString(id % PLACES);
    }

    /** How many of the wanted numbers there are, from this one on; at least 1, for the number itself. */
    public static long available(long first, long increment, long wanted) {
        long end = increment > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
        BigInteger steps =
                BigInteger.valueOf(end).subtract(BigInteger.valueOf(first)).divide(BigInteger.valueOf(increment));
        return steps.add(BigInteger.ONE).min(BigInteger.valueOf(wanted)).longValueExact();
    }

    /** A new sequence, which takes the id and the next one. */
    public Table table(int id, String name) {
        Column place = new Column("PLACE", ColumnType.varchar(PLACE_CHARACTERS), false, null);
        Column drawn = new Column("DRAWN", ColumnType.of(TypeKind.BIGINT), false, null);
        Index key = new Index(
                id + 1, name + "_PRIMARY_KEY", IndexKind.HASH, true, true, List.of(new IndexColumn(PLACE, false)));
        Table table = new Table(id, name, List.of(place, drawn), OptionalInt.empty(), List.of(PLACE), List.of(key))
                .withSequence(this);
        return isDense() ? table.withPartitioningColumn(PLACE) : table;
    }
}
