package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.Neighbour;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.TypeNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses what follows CREATE TYPE, ALTER TYPE and DROP TYPE. The types are those with labels. */
final class EnumerationParser {
    private final TokenReader reader;

    EnumerationParser(TokenReader reader) {
        this.reader = reader;
    }

    CatalogChange create() {
        Token first = reader.peek();
        String name = reader.newName("a type name");
        if (SchemaName.of(name).equals(SchemaName.PUBLIC) && TypeNames.isBuiltIn(name)) {
            throw SqlErrors.at(
                    ErrorCode.OBJECT_EXISTS,
                    first.position(),
                    "type " + name + " exists already, for SQL has it; choose another name");
        }
        if (!reader.accept("AS", "ENUM")) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    reader.peek().position(),
                    "CREATE TYPE makes types AS ENUM alone; composite types, ranges and base types are not supported");
        }
        reader.expectSymbol("(");
        List<String> labels = new ArrayList<>();
        if (!reader.peek().isSymbol(")")) {
            do {
                labels.add(label());
            } while (reader.acceptSymbol(","));
        }
        reader.expectSymbol(")");
        reader.expectEnd();
        return new CatalogChange.CreateEnumeration(name, labels);
    }

    private String label() {
        return reader.string("a label in single quotes");
    }

    CatalogChange alter() {
        Token first = reader.peek();
        String name = reader.newName("a type name");
        if (reader.accept("ADD", "VALUE")) {
            return addLabel(name);
        }
        if (reader.accept("RENAME", "VALUE")) {
            String label = label();
            reader.expect("TO");
            String other = label();
            reader.expectEnd();
            return new CatalogChange.RenameLabel(name, label, other);
        }
        if (reader.peek().isWord("OWNER")) {
            SilentAlterations.accept(reader);
            reader.expectEnd();
            if (reader.enumeration(name) == null) {
                throw unknown(name, first.position());
            }
            return AlterTableParser.nothing(name);
        }
        throw SqlErrors.at(
                ErrorCode.NOT_SUPPORTED,
                reader.peek().position(),
                "ALTER TYPE has ADD VALUE, RENAME VALUE and OWNER TO; make another type for what they do not do");
    }

    private static FulmarException unknown(String name, Position place) {
        return SqlErrors.at(
                ErrorCode.UNKNOWN_OBJECT, place, "there is no type " + name + "; CREATE TYPE ... AS ENUM makes one");
    }

    private CatalogChange addLabel(String name) {
        Presence presence = reader.accept("IF", "NOT", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
        String label = label();
        Optional<Neighbour> neighbour = Optional.empty();
        if (reader.accept("BEFORE")) {
            neighbour = Optional.of(new Neighbour(label(), true));
        } else if (reader.accept("AFTER")) {
            neighbour = Optional.of(new Neighbour(label(), false));
        }
        reader.expectEnd();
        return new CatalogChange.AddLabel(name, label, neighbour, presence);
    }

    /** @param before whether IF EXISTS came first */
    CatalogChange drop(Presence before) {
        String name = reader.newName("a type name");
        Token last = reader.peek();
        if (reader.acceptSymbol(",")) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED, last.position(), "DROP TYPE drops one type; write one for each");
        }
        // A type that columns have is not dropped, so nothing can go with it.
        if (!reader.accept("CASCADE")) {
            reader.accept("RESTRICT");
        }
        Presence presence = before == Presence.LENIENT || reader.accept("IF", "EXISTS") ? Presence.LENIENT : before;
        reader.expectEnd();
        return new CatalogChange.DropEnumeration(name, presence);
    }
}
