package dev.fulmar.node.server;

import dev.fulmar.foundation.error.FulmarException;
import java.util.function.Predicate;

/** A connection of a client, whatever its protocol, as its server sees it. On the connection's event loop. */
interface ServedConnection {
    /** Tells the client that the server stops. */
    void sayGoodbye(String reason);

    /** Says why, after the answers that there are, and closes the connection. */
    void end(FulmarException reason);

    /** Closes the connection after what was written is sent. */
    void close();

    /** Ends the connection of a user who does not exist any more. */
    void endIf(Predicate<String> isGone);
}
