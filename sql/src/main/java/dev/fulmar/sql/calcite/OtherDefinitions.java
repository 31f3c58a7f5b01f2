package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Comments;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.Principal;
import dev.fulmar.sql.calcite.DefinitionText.Definition;
import java.util.ArrayList;
import java.util.List;

/** Statements that make comments and roles anew. Users, whose passwords nobody is told, are not among them. */
final class OtherDefinitions {
    private final Catalog catalog;
    private final List<Definition> definitions = new ArrayList<>();

    private OtherDefinitions(Catalog catalog) {
        this.catalog = catalog;
    }

    static List<Definition> of(Catalog catalog) {
        OtherDefinitions made = new OtherDefinitions(catalog);
        catalog.comments().all().forEach(made::comment);
        List<Principal> roles = catalog.access().principals().values().stream()
                .filter(principal -> !principal.isUser())
                .toList();
        roles.forEach(role -> made.add("ROLE", role.name(), "CREATE ROLE " + quoted(role.name())));
        roles.forEach(made::grants);
        return List.copyOf(made.definitions);
    }

    private void add(String type, String name, String statement) {
        definitions.add(new Definition(type, name, statement));
    }

    private void comment(Comments.Subject subject, String text) {
        String name = quoted(subject.name());
        if (subject.kind() == Comments.Kind.PROCEDURE) {
            if (!isMadeHere(subject.name())) {
                return;
            }
            name = subject.name();
        } else if (subject.kind() == Comments.Kind.COLUMN) {
            name += "." + quoted(subject.column());
        }
        add(
                "COMMENT",
                subject.name(),
                "COMMENT ON " + subject.kind() + " " + name + " IS '" + text.replace("'", "''") + "'");
    }

    /** A procedure from a jar comes with the jar. */
    private boolean isMadeHere(String procedure) {
        ProcedureDefinition definition = catalog.procedure(procedure);
        return definition != null && definition.body() instanceof ProcedureDefinition.Sql;
    }

    private void grants(Principal role) {
        for (AccessRight right : role.rights()) {
            boolean isAll = right.object().equals(AccessRight.EVERYTHING);
            String on = switch (right.privilege().scope()) {
                case TABLE -> isAll ? " ON ALL TABLES" : " ON TABLE " + quoted(right.object());
                case PROCEDURE -> isAll ? " ON ALL PROCEDURES" : " ON PROCEDURE " + right.object();
                case DATABASE -> "";
            };
            boolean comesLater = on.startsWith(" ON PROCEDURE") && !isMadeHere(right.object());
            if (!comesLater) {
                add("GRANT", role.name(), "GRANT " + right.privilege() + on + " TO " + quoted(role.name()));
            }
        }
        for (String other : role.roles()) {
            add("GRANT", role.name(), "GRANT " + quoted(other) + " TO " + quoted(role.name()));
        }
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
