package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.access.TouchedTables;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import java.util.List;
import java.util.Optional;

/**
 * The parameters that a statement takes and the columns that it yields, under one version of the catalog.
 *
 * @param columns of its result; none if it yields a count or nothing, or if it does not tell them
 * @param parameters the types of its parameters, in order
 * @param arrays the positions of those that are arrays of their types
 * @param tellsColumns whether its columns are known before it is executed
 * @param isReadOnly whether it is a query that changes nothing
 * @param catalogVersion the version under which it was planned; {@link #OF_TRANSACTION} if others do not see that
 * @param touched the tables that it reads and changes; empty if it does not tell
 */
public record StatementDescription(
        List<ResultColumn> columns,
        List<ColumnType> parameters,
        List<Integer> arrays,
        boolean tellsColumns,
        boolean isReadOnly,
        long catalogVersion,
        Optional<TouchedTables> touched) {
    /** In place of the version of a catalog that a transaction has changed and not committed. */
    public static final long OF_TRANSACTION = 0;

    /** A statement of single values whose columns are known. */
    public StatementDescription(
            List<ResultColumn> columns, List<ColumnType> parameters, boolean isReadOnly, long catalogVersion) {
        this(columns, parameters, List.of(), true, isReadOnly, catalogVersion);
    }

    /** One that does not tell its tables. */
    public StatementDescription(
            List<ResultColumn> columns,
            List<ColumnType> parameters,
            List<Integer> arrays,
            boolean tellsColumns,
            boolean isReadOnly,
            long catalogVersion) {
        this(columns, parameters, arrays, tellsColumns, isReadOnly, catalogVersion, Optional.empty());
    }

    /** The same of a statement that reads and changes the tables. */
    public StatementDescription with(TouchedTables tables) {
        return new StatementDescription(
                columns, parameters, arrays, tellsColumns, isReadOnly, catalogVersion, Optional.of(tables));
    }

    public StatementDescription {
        Invariants.check(catalogVersion >= 0, "versions of the catalog are counted from 0");
        columns = List.copyOf(columns);
        parameters = List.copyOf(parameters);
        arrays = List.copyOf(arrays);
    }
}
