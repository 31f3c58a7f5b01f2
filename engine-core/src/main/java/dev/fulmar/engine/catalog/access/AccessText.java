package dev.fulmar.engine.catalog.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes users, roles and their rights as CREATE and GRANT statements, with which a dump of a database restores them.
 */
public final class AccessText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private AccessText() {}

    /** Makes the user or the role, without rights. A user who is there already keeps the password. */
    public static String creation(Principal principal) {
        return principal
                .verifier()
                .map(verifier ->
                        "CREATE USER IF NOT EXISTS " + quoted(principal.name()) + " VERIFIER '" + verifier.text() + "'")
                .orElseGet(() -> "CREATE ROLE " + quoted(principal.name()));
    }

    /** Grants what the user or the role has. The roles, tables and procedures are there before. */
    public static List<String> grants(Principal principal) {
        List<String> grants = new ArrayList<>();
        for (AccessRight right : principal.rights()) {
            boolean isAll = right.object().equals(AccessRight.EVERYTHING);
            String on = switch (right.privilege().scope()) {
                case TABLE -> isAll ? " ON ALL TABLES" : " ON TABLE " + quoted(right.object());
                case PROCEDURE -> isAll ? " ON ALL PROCEDURES" : " ON PROCEDURE " + dotted(right.object());
                case DATABASE -> "";
            };
            grants.add("GRANT " + right.privilege() + on + " TO " + quoted(principal.name()));
        }
        for (String role : principal.roles()) {
            grants.add("GRANT " + quoted(role) + " TO " + quoted(principal.name()));
        }
        return List.copyOf(grants);
    }

    /** The name of a procedure or a class, whose parts are in quotes where they must be. */
    public static String dotted(String name) {
        return Arrays.stream(name.split("\\.", -1))
                .map(part -> PLAIN.matcher(part).matches() ? part : quoted(part))
                .collect(Collectors.joining("."));
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
