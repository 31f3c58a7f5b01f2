package dev.fulmar.node.audit;

/**
 * An audited action of a user or of the node, done or tried.
 *
 * @param user who; empty where nobody is asked for a name
 * @param address from where
 * @param what for example {@code CREATE TABLE T}
 * @param outcome {@code DONE}, or the name of an error code
 */
public record AuditEvent(Kind kind, String user, String address, String what, String outcome) {
    /** Kinds of events. */
    public enum Kind {
        /** A user logged in, or a log-in failed. */
        LOGIN,
        /** Tables, indexes, procedures, users, roles, rights. */
        CHANGE,
        /** A system procedure that needs the privilege ADMIN. */
        ADMIN,
        /** A denied request. */
        DENIED,
        /** The node itself: it started, stopped, read new certificates. */
        NODE
    }

    /** The outcome of what was done. */
    public static final String DONE = "DONE";
}
