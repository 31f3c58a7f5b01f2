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
 * @param bounds that a dense sequence may have
 */
public record SequenceRule(long start, long increment, boolean owned, int cache, SequenceBounds bounds) {
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

    /** One without bounds. */
    public SequenceRule(long start, long increment, boolean owned, int cache) {
        this(start, increment, owned, cache, SequenceBounds.none(start));
    }

    /** The same from another number on. */
    public SequenceRule from(long number) {
        return new SequenceRule(number, increment, owned, cache, bounds);
    }

    /** Whether all numbers are drawn at one place. */
    public boolean isDense() {
        return cache > 0;
    }

    /** Text of the only place of a dense sequence. It stays the same, whatever the partition plan becomes. */
    public static String densePlace(int id) {
        return Integer.toString(id % PLACES);
    }

    /**
     * The number of a dense sequence that is drawn behind so many others.
     *
     * @throws ArithmeticException if there is none
     */
    public long number(long drawn) {
        long left = available(start, increment, last(), Long.MAX_VALUE);
        if (drawn < left) {
            return start + drawn * increment;
        }
        if (!bounds.cycles()) {
            throw new ArithmeticException("all numbers are drawn");
        }
        long again = bounds.again(increment);
        return again + (drawn - left) % available(again, increment, last(), Long.MAX_VALUE) * increment;
    }

    /** The last number of a round. */
    public long last() {
        return bounds.last(increment);
    }

    /**
     * How many of the wanted numbers there are, from this one on; at least 1, for the number itself.
     *
     * @param end the last number
     */
    public static long available(long first, long increment, long end, long wanted) {
        BigInteger steps =
                BigInteger.valueOf(end).subtract(BigInteger.valueOf(first)).divide(BigInteger.valueOf(increment));
        return steps.add(BigInteger.ONE).min(BigInteger.valueOf(wanted)).longValueExact();
    }

    /** A new sequence, which takes the id and the next one. */
    public Table table(int id, String name) {
        Column place = new Column("PLACE", ColumnType.varchar(PLACE_CHARACTERS), false, null);
        Column drawn = new Column("DRAWN", ColumnType.of(TypeKind.BIGINT), false, null);
        Index key = new Index(
                id + 1, KeyName.usual(name), IndexKind.HASH, true, true, List.of(new IndexColumn(PLACE, false)));
        Table table = new Table(id, name, List.of(place, drawn), OptionalInt.empty(), List.of(PLACE), List.of(key))
                .withSequence(this);
        return isDense() ? table.withPartitioningColumn(PLACE) : table;
    }
}
