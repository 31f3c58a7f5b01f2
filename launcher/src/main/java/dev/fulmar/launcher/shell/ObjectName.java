package dev.fulmar.launcher.shell;

import java.util.Locale;

/** A name as a user types it. */
final class ObjectName {
    private static final String DEFAULT_SCHEMA = "PUBLIC.";

    private ObjectName() {}

    /** The name as the catalog has it: parts without quotes are upper case, and the schema PUBLIC is not said. */
    static String inCatalog(String typed) {
        StringBuilder name = new StringBuilder();
        boolean quoted = false;
        for (String part : typed.strip().replaceFirst(";$", "").split("(?<=\")|(?=\")")) {
            if (part.equals("\"")) {
                quoted = !quoted;
            } else {
                name.append(quoted ? part : part.toUpperCase(Locale.ROOT));
            }
        }
        return name.indexOf(DEFAULT_SCHEMA) == 0 ? name.substring(DEFAULT_SCHEMA.length()) : name.toString();
    }
}
