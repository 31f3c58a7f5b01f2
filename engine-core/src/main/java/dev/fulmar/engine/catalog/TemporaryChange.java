package dev.fulmar.engine.catalog;

/** Tells changes of a session's temporary tables, which need no right, from those that concern others. */
public final class TemporaryChange {
    private TemporaryChange() {}

    /** Whether the change is of temporary tables alone. */
    public static boolean isOne(CatalogChange change) {
        return switch (change) {
            case CatalogChange.CreateTable create -> SchemaName.isInTemporary(create.name());
            case CatalogChange.DropTable drop -> SchemaName.isInTemporary(drop.name());
            case CatalogChange.AlterTable alter -> SchemaName.isInTemporary(alter.table());
            case CatalogChange.CreateSequence create -> SchemaName.isInTemporary(create.name());
            case CatalogChange.RestartSequence restart -> SchemaName.isInTemporary(restart.name());
            case CatalogChange.DropSequence drop -> SchemaName.isInTemporary(drop.name());
            case CatalogChange.DropSchema drop -> SchemaName.isTemporary(drop.name());
            case CatalogChange.CreateIndex create -> SchemaName.isInTemporary(create.table());
            case CatalogChange.RenameIndex rename -> SchemaName.isInTemporary(rename.name());
            case CatalogChange.DropIndex drop -> SchemaName.isInTemporary(drop.name());
            case CatalogChange.PartitionTable partition -> SchemaName.isInTemporary(partition.table());
            case CatalogChange.Comment comment ->
                SchemaName.isInTemporary(comment.subject().name());
            case CatalogChange.CreateView _,
                    CatalogChange.CreateMaterializedView _,
                    CatalogChange.DropView _,
                    CatalogChange.CreateSchema _,
                    CatalogChange.CreateProcedure _,
                    CatalogChange.AlterProcedure _,
                    CatalogChange.DropProcedure _,
                    CatalogChange.UsePlan _,
                    CatalogChange.HandOver _,
                    CatalogChange.Retarget _,
                    CatalogChange.ChangeAccess _ -> false;
        };
    }
}
