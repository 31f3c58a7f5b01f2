package dev.fulmar.postgres.dialect;

import java.util.Map;

/** Facts of a session that statements ask for. */
public interface SessionFacts {
    /** The name of the user that has logged in. */
    String user();

    /** The name of the database that the client has given. */
    String database();

    /** The value of a setting; an unknown name is an error. */
    String setting(String name);

    /** All settings by their names. */
    Map<String, String> settings();
}
