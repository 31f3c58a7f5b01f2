package dev.fulmar.coordinator.change;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange.Comment;
import dev.fulmar.engine.catalog.Comments.Subject;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Builds the next catalog for COMMENT ON. */
final class CommentEdit {
    private CommentEdit() {}

    static CatalogEdit of(Comment comment, Catalog catalog) {
        check(comment.subject(), catalog);
        return CatalogEdit.withoutSteps(catalog.withComment(comment.subject(), comment.text()));
    }

    private static void check(Subject subject, Catalog catalog) {
        String name = subject.name();
        switch (subject.kind()) {
            case TABLE -> catalog.table(name);
            case COLUMN -> {
                Table table = catalog.table(name);
                TableDraft.columnIndex(name, table.columns(), subject.column());
            }
            case VIEW -> require(catalog.views().containsKey(name), "view", name);
            case INDEX -> require(CatalogEdit.findIndex(catalog, name) != null, "index", name);
            case TYPE -> require(catalog.enumerations().containsKey(name), "type", name);
            case PROCEDURE -> require(catalog.procedure(name) != null, "procedure that was created called", name);
        }
    }

    private static void require(boolean exists, String kind, String name) {
        if (!exists) {
            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "there is no " + kind + " " + name);
        }
    }
}
