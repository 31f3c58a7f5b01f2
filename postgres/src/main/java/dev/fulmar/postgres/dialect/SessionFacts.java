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

    /** The cursors that are open. */
    default List<OpenCursor> cursors() {
        return List.of();
    }

    /** The statements that are prepared. */
    default List<KnownStatement> statements() {
        return List.of();
    }

    /**
     * A cursor that DECLARE has made.
     *
     * @param statement the text of DECLARE
     * @param isHeld whether it outlives its transaction
     * @param isScrolled whether it goes back
     */
    record OpenCursor(String name, String statement, boolean isHeld, boolean isScrolled) {}

    /**
     * A statement that is prepared.
     *
     * @param statement the text of PREPARE, or of the statement if a message of the protocol has prepared it
     * @param types OIDs of the types of its parameters
     * @param isOfSql whether PREPARE has made it
     */
    record KnownStatement(String name, String statement, List<Integer> types, boolean isOfSql) {
        public KnownStatement {
            types = List.copyOf(types);
        }
    }
}
