package dev.fulmar.foundation.network.real;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that the connected process is the node that it claims to be. TLS has shown that its certificate is of the
 * cluster's authority; here it must be for the host at which the cluster's records have that node, so that one node's
 * key does not open the place of another.
 */
final class PeerCertificate {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private PeerCertificate() {}

    /** The reason of a refusal; null if the process is that node, or if there is no TLS. */
    static @Nullable String objection(Channel channel, LinkPeer peer) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            return null;
        }
        InetSocketAddress address = peer.address;
        if (address == null) {
            return "it is not known yet where " + peer.node + " is";
        }
        try {
            Certificate[] shown = tls.engine().getSession().getPeerCertificates();
            return shown[0] instanceof X509Certificate certificate && isFor(certificate, address.getHostString())
                    ? null
                    : "the certificate is not for " + address.getHostString() + ", where " + peer.node + " is";
        } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
            return "its certificate cannot be read: " + e.getMessage();
        }
    }

    static boolean isFor(X509Certificate certificate, String host) throws CertificateParsingException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        if (names == null) {
            return false;
        }
        for (List<?> entry : names) {
            if (entry.get(0) instanceof Integer kind
                    && entry.get(1) instanceof String name
                    && ((kind == DNS_NAME && name.equalsIgnoreCase(host))
                            || (kind == IP_ADDRESS && isSameAddress(name, host)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSameAddress(String name, String host) {
        try {
            return isLiteral(host) && InetAddress.getByName(name).equals(InetAddress.getByName(host));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Such a text is never looked up. */
    private static boolean isLiteral(String host) {
        return host.indexOf(':') >= 0
                || host.chars().allMatch(character -> character == '.' || (character >= '0' && character <= '9'));
    }
}
