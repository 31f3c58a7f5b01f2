package dev.fulmar.node.server;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.audit.AuditEvent;

/** Entries of one connection in the node's audit log. */
record ConnectionAudit(ServerSecurity security, ClientOrigin origin) {
    void note(AuditEvent.Kind kind, String user, String what, String outcome) {
        security.audit().note(new AuditEvent(kind, user, origin.address(), what, outcome));
    }

    /** The user was denied what the text says. */
    void denied(String user, String what, FulmarException reason) {
        note(AuditEvent.Kind.DENIED, user, what, reason.code().name());
    }
}
