package dev.fulmar.postgres.dialect;

import dev.fulmar.postgres.activity.SessionActivity;
import java.util.List;
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

    /** The number by which a cancel request names the session. */
    int process();

    /** The sessions of the node. */
    List<SessionActivity.Shown> sessions();

    /** Whether the user may see what all others do. */
    boolean seesAll();
}
