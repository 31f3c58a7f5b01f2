package dev.fulmar.foundation.network.real;

import io.netty.handler.ssl.SslContext;

/** TLS between nodes: what this node shows and demands where it connects, and where it is connected to. */
public record LinkSecurity(SslContext connecting, SslContext accepting) {
    public LinkSecurity {
        if (!connecting.isClient() || !accepting.isServer()) {
            throw new IllegalArgumentException("one context connects and the other accepts");
        }
    }
}
