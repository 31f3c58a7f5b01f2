package dev.fulmar.engine.catalog;

import java.util.List;

/**
 * A foreign key: rows of a table refer to rows of another table, or of the same one. Columns that are not null have the
 * values of a row there.
 *
 * @param name unique among the table's constraints
 * @param columns of the table
 * @param parent the table referred to
 * @param parentColumns of that table, together a key of it, in the order of the columns
 * @param onDelete what becomes of a row when the one that it refers to goes
 * @param onUpdate the same when that one gets another key
 * @param unvalidatedSince version of the catalog since which writes keep it, where earlier rows may break it; 0 if all
 *     rows keep it
 */
public record ForeignKey(
        String name,
        List<String> columns,
        String parent,
        List<String> parentColumns,
        Action onDelete,
        Action onUpdate,
        long unvalidatedSince) {
    public ForeignKey {
        columns = List.copyOf(columns);
        parentColumns = List.copyOf(parentColumns);
    }

    /** One that all rows keep. */
    public ForeignKey(
            String name,
            List<String> columns,
            String parent,
            List<String> parentColumns,
            Action onDelete,
            Action onUpdate) {
        this(name, columns, parent, parentColumns, onDelete, onUpdate, 0);
    }

    /** The same to these columns of the parent. */
    public ForeignKey withParentColumns(List<String> others) {
        return new ForeignKey(name, columns, parent, others, onDelete, onUpdate, unvalidatedSince);
    }

    /** The same that only writes since a version of the catalog keep, or all rows if it is 0. */
    public ForeignKey withUnvalidatedSince(long version) {
        return new ForeignKey(name, columns, parent, parentColumns, onDelete, onUpdate, version);
    }

    /** Whether all rows keep it. */
    public boolean isValidated() {
        return unvalidatedSince == 0;
    }

    /** The action on rows that refer to a row which is deleted or gets another key. */
    public enum Action {
        /** There must be none when the statement ends. */
        NO_ACTION,
        /** They go too, or get the new key. */
        CASCADE,
        /** They refer to nothing any more. */
        SET_NULL,
        /** They refer to what their columns have by default, which must be there when the statement ends. */
        SET_DEFAULT;

        /** Whether rows that refer to one that goes are changed. */
        public boolean setsColumns() {
            return this == SET_NULL || this == SET_DEFAULT;
        }
    }

    /** Whether columns may get what they have by default. */
    public boolean setsDefaults() {
        return onDelete == Action.SET_DEFAULT || onUpdate == Action.SET_DEFAULT;
    }

    /** Places of the columns in the table. */
    public int[] places(Table table) {
        return columns.stream().mapToInt(table::columnIndex).toArray();
    }

    /** Places of the parent's columns in the parent. */
    public int[] parentPlaces(Table table) {
        return parentColumns.stream().mapToInt(table::columnIndex).toArray();
    }
}
