package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reader of catalog entries: makes an entry's edit again from what is logged or sent of it.
 *
 * @param unknown the error for an entry that makes no edit
 */
public record EntryEdit(SqlFrontend sql, Supplier<FulmarException> unknown) {
    /** The edit of the entry; a jar makes none. */
    public CatalogEdit of(CatalogEntry entry, Catalog catalog, ProcedureJars jars) {
        return switch (entry) {
            case CatalogEntry.Statement(String text) -> statement(text, catalog, jars);
            case CatalogEntry.Access(String text) -> statement(text, catalog, jars);
            case CatalogEntry.Plan(PartitionPlan plan, List<HandOff> handOffs) ->
                CatalogEdit.planned(plan, handOffs, catalog);
            case CatalogEntry.HandOver(List<HandOff> handOffs) -> CatalogEdit.handedOver(handOffs, catalog);
            case CatalogEntry.Retarget(TargetChange change, Optional<PartitionPlan> configured) ->
                CatalogEdit.retargeted(change, configured, catalog);
            case CatalogEntry.Joint(List<CatalogEntry> parts) -> joint(parts, catalog, jars);
            case CatalogEntry.Asked(CatalogEntry what, ChangeHandle _) -> of(what, catalog, jars);
            case CatalogEntry.Jar _, CatalogEntry.Rows _, CatalogEntry.Ran _, CatalogEntry.Untold _ ->
                throw unknown.get();
        };
    }

    private CatalogEdit joint(List<CatalogEntry> parts, Catalog catalog, ProcedureJars jars) {
        JointEdit joint = new JointEdit(catalog);
        List<LateRows> late = new ArrayList<>();
        List<SeenStatement> seen = new ArrayList<>();
        for (CatalogEntry part : parts) {
            if (part instanceof CatalogEntry.Ran ran) {
                checkVersion(ran, catalog);
                seen.add(SeenStatement.of(ran, plan(ran.text(), catalog), catalog));
                if (ran.changesRows()) {
                    late.add(new LateRows(ran, joint.catalog()));
                }
            } else if (part instanceof CatalogEntry.Rows rows) {
                StatementPlan plan = plan(rows.text(), joint.catalog());
                AddedRows added = AddedRows.of(rows, plan, joint.catalog());
                Table table = AddedRows.table(plan, joint.catalog());
                if (joint.isConverted(table.id()) || (joint.isMade(table.id()) && late.isEmpty())) {
                    joint.add(table, added);
                } else {
                    late.add(new LateRows(rows, joint.catalog()));
                }
            } else {
                joint.add(of(part, joint.catalog(), jars));
            }
        }
        List<AddedRows> rows =
                late.stream().map(each -> each.by(this::plan, joint.catalog())).toList();
        return joint.toEdit(seen, rows);
    }

    /** Partitions compare what they see with what they saw by the same plan. */
    private static void checkVersion(CatalogEntry.Ran ran, Catalog catalog) {
        if (ran.version() != catalog.version()) {
            throw new FulmarException(
                    ErrorCode.SERIALIZATION_FAILURE,
                    "tables were changed, or keys have moved, while the transaction committed; run it again from BEGIN"
                            + " on");
        }
    }

    private StatementPlan plan(String text, Catalog catalog) {
        if (sql.compile(text, catalog) instanceof SqlFrontend.Compiled.Runnable(var plan, var _)) {
            return plan;
        }
        throw unknown.get();
    }

    private CatalogEdit statement(String text, Catalog catalog, ProcedureJars jars) {
        if (sql.compile(text, catalog) instanceof SqlFrontend.Compiled.Change(var change)) {
            return CatalogEdit.of(resolved(change, jars), catalog);
        }
        throw unknown.get();
    }

    /** Finds out which jar the class of a procedure or function comes from. */
    static CatalogChange resolved(CatalogChange change, ProcedureJars jars) {
        return switch (change) {
            case CatalogChange.CreateProcedure create ->
                new CatalogChange.CreateProcedure(jars.resolve(create.definition()), create.replace());
            case CatalogChange.CreateFunction create ->
                new CatalogChange.CreateFunction(
                        jars.resolve(create.function()), create.replace(), create.hidesBuiltIn());
            default -> change;
        };
    }
}
