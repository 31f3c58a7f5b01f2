package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.AccessRules;
import dev.fulmar.engine.catalog.access.Principal;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.network.real.LinkSecurity;
import dev.fulmar.foundation.scram.ScramVerifier;
import dev.fulmar.node.audit.AuditEvent;
import dev.fulmar.node.audit.AuditFile;
import dev.fulmar.node.audit.AuditLogger;
import dev.fulmar.node.audit.AuditTrail;
import dev.fulmar.node.audit.BoundedTrail;
import dev.fulmar.node.config.SecurityConfiguration;
import dev.fulmar.node.data.OwnerOnly;
import dev.fulmar.node.server.HandshakeLimits;
import dev.fulmar.node.server.NodeServer;
import dev.fulmar.node.server.ServerSecurity;
import dev.fulmar.node.server.UserDirectory;
import dev.fulmar.node.tls.RenewedContext;
import dev.fulmar.node.tls.TlsContexts;
import dev.fulmar.node.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts that protect a node. */
final class NodeSecurity implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeSecurity.class);

    private final SecurityConfiguration configuration;
    private final BoundedTrail audit;
    private final @Nullable AuditFile file;
    private final @Nullable RenewedContext tls;
    private final @Nullable RenewedContext openedLinks;
    private final @Nullable RenewedContext acceptedLinks;
    private final HandshakeLimits limits;
    private AccessRules lastRules = AccessRules.none();

    /**
     * @param links certificates for links between nodes, if those are encrypted
     * @param executor of one thread, for what waits for the disk
     */
    NodeSecurity(
            SecurityConfiguration configuration, Optional<TlsFiles> links, HandshakeLimits limits, Executor executor) {
        this.openedLinks = links.map(files -> new RenewedContext(files, TlsContexts::forOpenedLinks))
                .orElse(null);
        this.acceptedLinks = links.map(files -> new RenewedContext(files, TlsContexts::forAcceptedLinks))
                .orElse(null);
        this.configuration = configuration;
        if (!configuration.authentication() && configuration.administrator().isPresent()) {
            LOG.warn(
                    "nobody logs in at this node, so the file of the first user is not read; --authentication on asks for users");
        }
        this.limits = limits;
        this.tls = configuration
                .tls()
                .map(files -> new RenewedContext(
                        files, readable -> TlsContexts.forClients(readable, configuration.clientCertificates())))
                .orElse(null);
        this.file =
                configuration.audit().map(path -> new AuditFile(path, executor)).orElse(null);
        AuditTrail kept = file;
        this.audit = new BoundedTrail(kept != null ? kept : new AuditLogger(), System::nanoTime);
    }

    AuditTrail audit() {
        return audit;
    }

    ServerSecurity server(Database database) {
        return new ServerSecurity(configuration.authentication() ? new Users(database) : null, tls, limits, audit);
    }

    /** Those of the database's newest catalog. */
    private record Users(Database database) implements UserDirectory {
        @Override
        public ScramVerifier verifierOrDecoy(String user) {
            return database.catalog().access().verifierOrDecoy(user);
        }

        @Override
        public boolean isEmpty() {
            return database.catalog().access().principals().isEmpty();
        }

        @Override
        public boolean isAdministrator(String user) {
            AccessRules rules = database.catalog().access();
            return rules.user(user) != null && administers(rules, user);
        }
    }

    private static boolean administers(AccessRules rules, String user) {
        return rules.rightsOf(user).contains(AccessRight.onEverything(Privilege.ADMIN));
    }

    /** TLS for clients; null for none. */
    @Nullable RenewedContext tls() {
        return tls;
    }

    /** TLS between nodes; null for none. */
    @Nullable LinkSecurity links() {
        RenewedContext opened = openedLinks;
        RenewedContext accepted = acceptedLinks;
        return opened == null || accepted == null ? null : new LinkSecurity(opened, accepted);
    }

    /** Looks for new certificates, which reads files, and ends connections of users who are gone. One thread. */
    void look(Database database, NodeServer server) {
        renew();
        audit.noteOthers();
        AccessRules rules = database.catalog().access();
        if (rules != lastRules) {
            lastRules = rules;
            server.endConnectionsOf(user -> rules.user(user) == null);
        }
    }

    private void renew() {
        boolean isNew = isRenewed(tls);
        isNew |= isRenewed(openedLinks);
        isNew |= isRenewed(acceptedLinks);
        if (isNew) {
            note("new certificates");
        }
    }

    private static boolean isRenewed(@Nullable RenewedContext context) {
        return context != null && context.renew();
    }

    /**
     * Makes the administrator where clients log in and there is none, before they come. With one, users can be added.
     */
    void open(Database database) {
        if (needsAdministrator(database)) {
            createAdministrator(database);
        }
        noteStart();
    }

    /**
     * The same for a node of a cluster, of which another node may make the administrator. Returns whether there is one,
     * or need not be.
     */
    boolean openShared(Database database) {
        if (needsAdministrator(database)) {
            if (configuration.administrator().isEmpty()) {
                return false;
            }
            createAdministrator(database);
        }
        return true;
    }

    private boolean needsAdministrator(Database database) {
        return configuration.authentication()
                && !hasAdministrator(database.catalog().access());
    }

    void noteStart() {
        note("started, authentication " + (configuration.authentication() ? "on" : "off") + ", TLS "
                + (tls == null ? "off" : "on") + ", TLS between nodes " + (openedLinks == null ? "off" : "on"));
    }

    private static boolean hasAdministrator(AccessRules rules) {
        return rules.principals().values().stream()
                .filter(Principal::isUser)
                .anyMatch(user -> administers(rules, user.name()));
    }

    private void createAdministrator(Database database) {
        Path path = configuration
                .administrator()
                .orElseThrow(
                        () -> refused("nobody could log in, for there is no user with ADMIN yet; write NAME:PASSWORD"
                                + " into a file that only you may read, and name it with --administrator"));
        String[] parts = read(path).strip().split(":", 2);
        if (parts.length != 2 || parts[0].isBlank()) {
            throw refused(path + " does not hold NAME:PASSWORD");
        }
        String name = '"' + parts[0].strip().replace("\"", "\"\"") + '"';
        for (String statement : List.of(
                "CREATE USER IF NOT EXISTS " + name + " PASSWORD '" + parts[1].replace("'", "''") + "'",
                "GRANT ALL TO " + name,
                "GRANT ALL ON ALL TABLES TO " + name,
                "GRANT ALL ON ALL PROCEDURES TO " + name)) {
            run(database, statement);
        }
        note("made the administrator " + parts[0].strip());
    }

    private static String read(Path path) {
        try {
            if (OwnerOnly.isOpenToOthers(path)) {
                throw refused(path + " has a password, and others may read it; take that right away (chmod 600)");
            }
            return Files.readString(path);
        } catch (IOException e) {
            throw refused(path + " cannot be read (" + e + ")");
        }
    }

    private static void run(Database database, String statement) {
        byte[] none = new ParameterWriter(Short.BYTES, Short.BYTES).toByteArray();
        TransactionResponse response = database.submit(new TransactionRequest.AdHoc(0, 0, 0, statement, none))
                .join();
        if (response instanceof TransactionResponse.Failed failed) {
            throw new FulmarException(failed.code(), "the administrator could not be made: " + failed.message());
        }
    }

    private static FulmarException refused(String why) {
        return new FulmarException(ErrorCode.INVALID_CONFIGURATION, why);
    }

    private void note(String what) {
        audit.note(new AuditEvent(AuditEvent.Kind.NODE, "", "", what, AuditEvent.DONE));
    }

    @Override
    public void close() {
        audit.end();
        note("stopped");
        if (file != null) {
            file.close();
        }
    }
}
