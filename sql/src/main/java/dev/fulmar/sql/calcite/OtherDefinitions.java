package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Comments;
import dev.fulmar.engine.catalog.access.AccessText;
import dev.fulmar.engine.catalog.access.Principal;
import dev.fulmar.sql.calcite.DefinitionText.Definition;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the statements of a catalog's definition that DefinitionText leaves out: comments, roles, and the rights of
 * roles. Users are not among them: what is kept of their passwords is for those with ADMIN alone.
 */
final class OtherDefinitions {
    private final List<Definition> definitions = new ArrayList<>();

    private OtherDefinitions() {}

    static List<Definition> of(Catalog catalog) {
        OtherDefinitions made = new OtherDefinitions();
        catalog.comments().all().forEach(made::comment);
        List<Principal> roles = catalog.access().principals().values().stream()
                .filter(principal -> !principal.isUser())
                .toList();
        roles.forEach(role -> made.add("ROLE", role.name(), AccessText.creation(role)));
        roles.forEach(role -> AccessText.grants(role).forEach(grant -> made.add("GRANT", role.name(), grant)));
        return List.copyOf(made.definitions);
    }

    private void add(String type, String name, String statement) {
        definitions.add(new Definition(type, name, statement));
    }

    private void comment(Comments.Subject subject, String text) {
        String name = quoted(subject.name());
        if (subject.kind() == Comments.Kind.PROCEDURE) {
            name = AccessText.dotted(subject.name());
        } else if (subject.kind() == Comments.Kind.COLUMN) {
            name += "." + quoted(subject.column());
        }
        add(
                "COMMENT",
                subject.name(),
                "COMMENT ON " + subject.kind() + " " + name + " IS '" + text.replace("'", "''") + "'");
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
