package dev.fulmar.foundation.network.real;

import io.netty.handler.ssl.SslContext;
import java.util.function.Supplier;

/**
 * TLS between nodes: what this node shows and demands where it connects, and where it is connected to. Each new
 * connection asks for the newest.
 */
public record LinkSecurity(Supplier<SslContext> connecting, Supplier<SslContext> accepting) {
    public LinkSecurity {
        if (!connecting.get().isClient() || !accepting.get().isServer()) {
            throw new IllegalArgumentException("one context connects and the other accepts");
        }
    }
}
