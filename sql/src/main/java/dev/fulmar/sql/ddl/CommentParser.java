package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Comments.Kind;
import dev.fulmar.engine.catalog.Comments.Subject;
import java.util.Locale;

/** Parses what follows COMMENT ON. */
final class CommentParser {
    private CommentParser() {}

    static CatalogChange parse(TokenReader reader) {
        Subject subject = subject(reader);
        reader.expect("IS");
        String text = reader.accept("NULL") ? "" : reader.string("the comment in single quotes, or NULL");
        reader.expectEnd();
        return new CatalogChange.Comment(subject, text);
    }

    private static Subject subject(TokenReader reader) {
        if (reader.accept("TABLE")) {
            return new Subject(Kind.TABLE, reader.objectName("a table name"), "");
        }
        if (reader.accept("SEQUENCE")) { // which the catalog has among the tables
            return new Subject(Kind.TABLE, reader.objectName("a sequence name"), "");
        }
        if (reader.accept("VIEW")) {
            return new Subject(Kind.VIEW, reader.objectName("a view name"), "");
        }
        if (reader.accept("INDEX")) {
            return new Subject(Kind.INDEX, reader.objectName("an index name"), "");
        }
        if (reader.accept("PROCEDURE")) {
            return new Subject(
                    Kind.PROCEDURE, reader.dottedName("a procedure name").toUpperCase(Locale.ROOT), "");
        }
        if (reader.accept("COLUMN")) {
            String table = reader.ownerName();
            reader.expectSymbol(".");
            return new Subject(Kind.COLUMN, table, reader.name("a column name"));
        }
        if (reader.accept("TYPE")) {
            return new Subject(Kind.TYPE, reader.newName("a type name"), "");
        }
        throw reader.unexpected("TABLE, COLUMN, VIEW, INDEX, SEQUENCE, PROCEDURE or TYPE");
    }
}
