package dev.fulmar.engine.procedure;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Plans that have the parameters and columns of their statements and touch the first table that the text names. A
 * parameter is a BIGINT and a query yields one BIGINT X, unless the test says otherwise.
 */
public final class FakeSql implements SqlFrontend {
    private final Map<String, List<ColumnType>> parameters = new HashMap<>();
    private final Map<String, List<ResultColumn>> columns = new HashMap<>();
    private final List<String> compiled = new ArrayList<>();

    public FakeSql parameters(String sql, ColumnType... types) {
        parameters.put(sql, List.of(types));
        return this;
    }

    public FakeSql columns(String sql, ResultColumn... resultColumns) {
        columns.put(sql, List.of(resultColumns));
        return this;
    }

    /** Texts in the order in which they were compiled. */
    public List<String> compiled() {
        return compiled;
    }

    @Override
    public List<String> split(String script) {
        return List.of(script.split(";"));
    }

    @Override
    public Compiled compile(String sql, Catalog catalog) {
        compiled.add(sql);
        if (sql.startsWith("CREATE")) {
            return new Compiled.Change(new CatalogChange.DropProcedure("X", CatalogChange.Presence.LENIENT));
        }
        if (sql.startsWith("GARBAGE")) {
            throw new FulmarException(ErrorCode.SYNTAX, "line 1, column 1: GARBAGE is no statement");
        }
        int marks = (int) sql.chars().filter(c -> c == '?').count();
        List<ColumnType> types =
                parameters.getOrDefault(sql, Collections.nCopies(marks, ColumnType.of(TypeKind.BIGINT)));
        int table = catalog.tables().values().stream()
                .filter(candidate -> sql.contains(candidate.name()))
                .mapToInt(candidate -> candidate.id())
                .findFirst()
                .orElse(0);
        boolean query = sql.startsWith("SELECT");
        List<ResultColumn> result = query
                ? columns.getOrDefault(sql, List.of(new ResultColumn("X", ColumnType.of(TypeKind.BIGINT), true)))
                : List.of();
        List<ColumnType> yielded = result.stream().map(ResultColumn::type).toList();
        Relation scan =
                table == 0 ? new Relation.Values(yielded, List.of()) : new Relation.TableScan(table, yielded, null);
        Operation operation = query ? new Operation.Query(scan) : new Operation.Delete(table, scan);
        PartitionScope scope = table == 0 ? new PartitionScope.Any() : new PartitionScope.All();
        return new Compiled.Runnable(new StatementPlan(
                sql, types, result, List.of(new StatementPlan.Fragment(scope, operation)), java.util.Optional.empty()));
    }
}
