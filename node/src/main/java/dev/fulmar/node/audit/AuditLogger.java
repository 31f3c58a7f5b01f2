package dev.fulmar.node.audit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events in the node's own log, for a node without a data directory: logger {@code dev.fulmar.audit}. Thread-safe. */
public final class AuditLogger implements AuditTrail {
    private static final Logger LOG = LoggerFactory.getLogger("dev.fulmar.audit");

    @Override
    public void note(AuditEvent event) {
        LOG.info("{} {} from {}: {} {}", event.kind(), event.user(), event.address(), event.what(), event.outcome());
    }
}
