package dev.fulmar.client;

import com.google.protobuf.ByteString;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.proto.Host;
import dev.fulmar.wire.proto.Welcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/** Addresses of the cluster's nodes, as the client knows them. Thread-safe. */
final class KnownCluster {
    private final Set<HostAddress> addresses = new CopyOnWriteArraySet<>();
    private volatile ByteString id = ByteString.EMPTY;

    KnownCluster(List<HostAddress> configured) {
        addresses.addAll(configured);
    }

    /** A node has told which cluster it is of, and who else is. */
    void welcomed(Welcome welcome) {
        ByteString told = welcome.getCluster();
        if (told.isEmpty()) {
            return;
        }
        if (!told.equals(id)) {
            id = told;
        }
        learn(welcome.getHostsList());
    }

    /** A node has told where clients reach the nodes of its cluster. */
    void learn(List<Host> hosts) {
        hosts.forEach(host -> addressOf(host).ifPresent(addresses::add));
    }

    static Optional<HostAddress> addressOf(Host host) {
        return !host.getAddress().isEmpty() && host.getPort() > 0 && host.getPort() < 1 << 16
                ? Optional.of(new HostAddress(host.getAddress(), host.getPort()))
                : Optional.empty();
    }

    /** Whether the nodes know each other, so that each takes what another one did not answer. */
    boolean isCluster() {
        return !id.isEmpty();
    }

    /** Addresses for a client that prefers one: that one first, then the other nodes, if there are any. */
    List<HostAddress> from(HostAddress preferred) {
        if (!isCluster()) {
            return List.of(preferred);
        }
        Set<HostAddress> all = new LinkedHashSet<>();
        all.add(preferred);
        List<HostAddress> others = new ArrayList<>(addresses);
        int start = Math.max(0, others.indexOf(preferred));
        for (int i = 0; i < others.size(); i++) {
            all.add(others.get((start + i) % others.size()));
        }
        return List.copyOf(all);
    }
}
