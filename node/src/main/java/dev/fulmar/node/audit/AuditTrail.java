package dev.fulmar.node.audit;

/** Trail of audited events. Thread-safe; must not block. */
@FunctionalInterface
public interface AuditTrail {
    void note(AuditEvent event);

    /** Forgets them. */
    static AuditTrail none() {
        return event -> {};
    }
}
