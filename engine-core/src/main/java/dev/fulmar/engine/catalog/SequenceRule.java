package dev.fulmar.engine.catalog;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;
import java.util.OptionalInt;

/**
 * The definition of a sequence: its first number, its increment, and whether an IDENTITY column owns it. A sequence is
 * stored as a table. The table has a row for each place where numbers are drawn, with the count of numbers drawn there.
 * So a draw is undone, logged, copied and restored as any row is. A replicated sequence has one place; of a partitioned
 * one each partition has places of its own.
 *
 * @param start the first number
 * @param increment from one number to the next, not 0
 * @param owned whether it belongs to an IDENTITY column, and goes with it
 */
public record SequenceRule(long start, long increment, boolean owned) {
    /**
     * Column of the place: its number as text, which is hashed in every partition plan; empty in a replicated sequence.
     */
    public static final int PLACE = 0;

    /** Column of how many numbers were drawn. */
    public static final int DRAWN = 1;

    /** Places that a partitioned sequence can have; numbers drawn at one place are so far apart. */
    public static final int PLACES = 1024;

    private static final int PLACE_CHARACTERS = 4;

    /** A new sequence, which takes the id and the next one. */
    public Table table(int id, String name) {
        Column place = new Column("PLACE", ColumnType.varchar(PLACE_CHARACTERS), false, null);
        Column drawn = new Column("DRAWN", ColumnType.of(TypeKind.BIGINT), false, null);
        Index key = new Index(
                id + 1, name + "_PRIMARY_KEY", IndexKind.HASH, true, true, List.of(new IndexColumn(PLACE, false)));
        return new Table(id, name, List.of(place, drawn), OptionalInt.empty(), List.of(PLACE), List.of(key))
                .withSequence(this);
    }
}
