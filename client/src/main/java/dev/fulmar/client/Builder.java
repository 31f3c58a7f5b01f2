package dev.fulmar.client;

import dev.fulmar.wire.address.HostAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link FulmarClient}. */
public final class Builder {
    private List<HostAddress> hosts = List.of(new HostAddress("localhost", HostAddress.DEFAULT_PORT));
    private int connectionsPerHost = 1;
    private int eventLoopThreads = 1;
    private int maxOutstanding = 1024;
    private FulmarClient.WhenFull whenFull = FulmarClient.WhenFull.BLOCK;
    private Duration callTimeout = Duration.ofSeconds(30);
    private Duration connectTimeout = Duration.ofSeconds(5);
    private boolean repeatUnanswered = true;
    private boolean directRoute = true;
    private String name = "";
    private @Nullable ClientCredentials credentials;
    private @Nullable Path authorities;
    private @Nullable Path certificate;
    private @Nullable Path key;
    private boolean encrypted;
    private boolean verifyHostNames = true;

    Builder() {}

    /**
     * Nodes of one database, {@code host} or {@code host:port}; {@code localhost} by default. Calls are spread over
     * those that answer.
     */
    public Builder hosts(String... addresses) {
        return hosts(Arrays.asList(addresses));
    }

    /** Nodes of one database, {@code host} or {@code host:port}. */
    public Builder hosts(List<String> addresses) {
        List<HostAddress> parsed = new ArrayList<>();
        addresses.forEach(address -> parsed.add(HostAddress.parse(address)));
        hosts = List.copyOf(parsed);
        return this;
    }

    /** Connections to each host; 1 by default. */
    public Builder connectionsPerHost(int count) {
        connectionsPerHost = count;
        return this;
    }

    /** Threads that read and write all connections; 1 by default. */
    public Builder eventLoopThreads(int count) {
        eventLoopThreads = count;
        return this;
    }

    /** Calls that may wait for their outcome at the same time; 1024 by default. */
    public Builder maxOutstanding(int count) {
        maxOutstanding = count;
        return this;
    }

    /** Policy for a call beyond {@link #maxOutstanding}; it waits by default. */
    public Builder whenFull(FulmarClient.WhenFull policy) {
        whenFull = policy;
        return this;
    }

    /** Sets the time-out of a call, waiting included; 30 s by default. */
    public Builder callTimeout(Duration timeout) {
        callTimeout = timeout;
        return this;
    }

    /** Sets the time for which {@link #connect()} waits for the first connection; 5 s by default. */
    public Builder connectTimeout(Duration timeout) {
        connectTimeout = timeout;
        return this;
    }

    /**
     * Whether calls that a broken connection left without answer are repeated once it is back, within their time-out;
     * by default they are. It is safe, for the server recognises them and tells the first outcome; without it they end
     * as {@code OUTCOME_UNKNOWN}.
     */
    public Builder repeatUnanswered(boolean repeat) {
        repeatUnanswered = repeat;
        return this;
    }

    /**
     * Whether to send each call of a partitioned procedure straight to the node that serves its key; on by default. For
     * that the client connects to all nodes of a cluster, as the first ones name them. Otherwise calls go to the named
     * hosts, which forward them.
     */
    public Builder directRoute(boolean direct) {
        directRoute = direct;
        return this;
    }

    /** A name for people, shown in the server's logs and JMX. */
    public Builder name(String clientName) {
        name = clientName;
        return this;
    }

    /**
     * The user to log in as. The password itself is never sent: client and server prove to each other that they know it
     * (SCRAM-SHA-256). A server that does not ask for it is refused.
     */
    public Builder user(String user, String password) {
        credentials = new ClientCredentials(user, password);
        return this;
    }

    /**
     * Encrypts connections (TLS 1.3 or 1.2); a server's certificate must come from an authority that this Java trusts.
     */
    public Builder tls() {
        encrypted = true;
        return this;
    }

    /** Encrypts connections; a server's certificate must come from one of these. */
    public Builder tls(Path certificateAuthorities) {
        authorities = certificateAuthorities;
        return tls();
    }

    /** Shows a certificate to servers: PEM files, the key in PKCS#8 without password. */
    public Builder tlsCertificate(Path clientCertificate, Path privateKey) {
        certificate = clientCertificate;
        key = privateKey;
        return tls();
    }

    /**
     * Whether a server's certificate must be for the host that was connected to; it must by default. Without this, any
     * certificate of the authority will do.
     */
    public Builder verifyHostNames(boolean verify) {
        verifyHostNames = verify;
        return this;
    }

    /** Connects; returns once a first host has answered. */
    public FulmarClient connect() {
        return new FulmarClient(ClientConnections.open(new ClientConfiguration(
                hosts,
                connectionsPerHost,
                eventLoopThreads,
                maxOutstanding,
                whenFull == FulmarClient.WhenFull.BLOCK,
                callTimeout,
                connectTimeout,
                repeatUnanswered,
                directRoute,
                name,
                credentials,
                encrypted ? new ClientTls(authorities, certificate, key, verifyHostNames) : null)));
    }
}
