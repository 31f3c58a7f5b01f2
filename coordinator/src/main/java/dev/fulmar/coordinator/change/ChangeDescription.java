package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.partitioning.TargetChange;
import java.util.List;

/** Descriptions of changes of the catalog in a few words, without passwords, verifiers and values. */
final class ChangeDescription {
    private ChangeDescription() {}

    static String of(CatalogChange change) {
        return switch (change) {
            case CatalogChange.CreateTable create -> "CREATE TABLE " + create.name();
            case CatalogChange.AlterTable alter -> "ALTER TABLE " + alter.table();
            case CatalogChange.DropTable drop -> "DROP TABLE " + drop.name();
            case CatalogChange.CreateView create ->
                "CREATE " + (create.replace() ? "OR REPLACE " : "") + "VIEW "
                        + create.view().name();
            case CatalogChange.CreateMaterializedView create -> "CREATE MATERIALIZED VIEW " + create.name();
            case CatalogChange.DropView drop -> "DROP VIEW " + drop.name();
            case CatalogChange.CreateSequence create -> "CREATE SEQUENCE " + create.name();
            case CatalogChange.AlterSequence alter -> "ALTER SEQUENCE " + alter.name();
            case CatalogChange.RestartSequence restart -> "ALTER SEQUENCE " + restart.name() + " RESTART";
            case CatalogChange.DropSequence drop -> "DROP SEQUENCE " + drop.name();
            case CatalogChange.CreateSchema create -> "CREATE SCHEMA " + create.name();
            case CatalogChange.DropSchema drop -> "DROP SCHEMA " + drop.name();
            case CatalogChange.RenameIndex rename -> "ALTER INDEX " + rename.name() + " RENAME";
            case CatalogChange.PartitionTable partition -> "PARTITION TABLE " + partition.table();
            case CatalogChange.CreateIndex create -> "CREATE INDEX " + create.name() + " ON " + create.table();
            case CatalogChange.DropIndex drop -> "DROP INDEX " + drop.name();
            case CatalogChange.CreateProcedure create ->
                "CREATE " + (create.replace() ? "OR REPLACE " : "") + "PROCEDURE "
                        + create.definition().name();
            case CatalogChange.CreateFunction create ->
                "CREATE " + (create.replace() ? "OR REPLACE " : "")
                        + create.function().kind() + " "
                        + create.function().name();
            case CatalogChange.DropFunction drop -> "DROP FUNCTION " + drop.name();
            case CatalogChange.CreateEnumeration create -> "CREATE TYPE " + create.name();
            case CatalogChange.AddLabel add -> "ALTER TYPE " + add.name() + " ADD VALUE";
            case CatalogChange.RenameLabel rename -> "ALTER TYPE " + rename.name() + " RENAME VALUE";
            case CatalogChange.DropEnumeration drop -> "DROP TYPE " + drop.name();
            case CatalogChange.AlterProcedure alter -> "ALTER PROCEDURE " + alter.name();
            case CatalogChange.DropProcedure drop -> "DROP PROCEDURE " + drop.name();
            case CatalogChange.Comment comment ->
                "COMMENT ON " + comment.subject().kind() + " "
                        + comment.subject().name();
            case CatalogChange.UsePlan(PartitionPlan plan, List<HandOff> handOffs) ->
                "a partition plan of " + plan.partitionCount() + " partitions, with " + handOffs.size()
                        + " buckets that move";
            case CatalogChange.HandOver(List<HandOff> handOffs) -> "a hand-off of " + handOffs.size() + " buckets";
            case CatalogChange.Retarget retarget -> of(retarget.change());
            case CatalogChange.ChangeAccess(AccessChange access) -> of(access);
        };
    }

    private static String of(TargetChange change) {
        return switch (change) {
            case TargetChange.Begin _ -> "a reconfiguration";
            case TargetChange.Become become -> "a reconfiguration that is " + become.state();
        };
    }

    private static String of(AccessChange change) {
        return switch (change) {
            case AccessChange.CreateUser create -> "CREATE USER " + create.name();
            case AccessChange.AlterUser alter -> "ALTER USER " + alter.name();
            case AccessChange.CreateRole role -> AccessText.of(role);
            case AccessChange.Drop drop -> AccessText.of(drop);
            case AccessChange.Rights rights -> AccessText.of(rights);
            case AccessChange.Membership membership -> AccessText.of(membership);
        };
    }
}
