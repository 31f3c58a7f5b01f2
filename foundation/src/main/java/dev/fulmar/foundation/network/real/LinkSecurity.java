package dev.fulmar.foundation.network.real;

import io.netty.handler.ssl.SslContext;
import java.util.function.Supplier;

/**
 * TLS between nodes: the certificates that this node shows and demands, as the connecting and as the accepting side.
 * Each new connection asks for the newest.
 */
public record LinkSecurity(Supplier<SslContext> connecting, Supplier<SslContext> accepting) {
    public LinkSecurity {
        if (!connecting.get().isClient() || !accepting.get().isServer()) {
            throw new IllegalArgumentException("one context connects and the other accepts");
        }
    }
}
