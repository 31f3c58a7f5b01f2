package dev.fulmar.node.server;

import dev.fulmar.node.audit.AuditTrail;
import io.netty.handler.ssl.SslContext;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Protection of the server: its checks of clients, and the encryption of connections.
 *
 * @param users who may log in; null if nobody is asked for a name and everybody may everything
 * @param tls what each new connection is encrypted with, the newest certificate; null for none
 */
public record ServerSecurity(
        @Nullable UserDirectory users, @Nullable Supplier<SslContext> tls, HandshakeLimits limits, AuditTrail audit) {
    /** For a server that only this machine's users reach. */
    public static ServerSecurity off() {
        return new ServerSecurity(null, null, HandshakeLimits.DEFAULT, AuditTrail.none());
    }
}
