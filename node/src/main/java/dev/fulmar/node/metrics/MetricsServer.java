package dev.fulmar.node.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.config.MetricsConfiguration;
import dev.fulmar.node.health.Liveness;
import dev.fulmar.node.health.Readiness;
import dev.fulmar.node.health.Verdict;
import dev.fulmar.wire.address.HostAddress;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import javax.management.MBeanServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /metrics}, {@code /health/live} and {@code /health/ready}, and nothing else. Whether the node is healthy
 * is told without the token, why not only with it. Each request has a virtual thread, and ten seconds to be sent, so
 * that a caller who sends half of one keeps nobody from an answer.
 */
public final class MetricsServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsServer.class);
    private static final int BACKLOG = 16;
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    /** Of the JDK's server, in seconds; read when the process makes the first one. */
    private static final String REQUEST_TIME = "sun.net.httpserver.maxReqTime";

    private static final String REQUEST_SECONDS = "10";

    /** Of the JDK's server, too: how many may be connected at once. */
    private static final String CONNECTIONS = "jdk.httpserver.maxConnections";

    private static final String MOST_CONNECTIONS = "1000";
    private static final String LIVE = "/health/live";
    private static final String READY = "/health/ready";

    private final MBeanServer beans;
    private final int node;
    private final String token;
    private final Liveness liveness;
    private final Readiness readiness;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("fulmar-metrics-", 0).factory());

    /**
     * Listens.
     *
     * @param tls what connections are encrypted with; null for none
     */
    public MetricsServer(
            MetricsConfiguration configuration,
            MBeanServer beans,
            int node,
            Liveness liveness,
            Readiness readiness,
            @Nullable Supplier<SslContext> tls) {
        this.beans = beans;
        this.node = node;
        this.token = configuration.token();
        this.liveness = liveness;
        this.readiness = readiness;
        HostAddress wanted = configuration.listen();
        InetSocketAddress address = new InetSocketAddress(wanted.host(), wanted.port());
        setUnlessSet(REQUEST_TIME, REQUEST_SECONDS);
        setUnlessSet(CONNECTIONS, MOST_CONNECTIONS);
        try {
            if (tls != null && tls.get() instanceof JdkSslContext context) {
                HttpsServer encrypted = HttpsServer.create(address, BACKLOG);
                encrypted.setHttpsConfigurator(new HttpsConfigurator(context.context()));
                server = encrypted;
            } else {
                server = HttpServer.create(address, BACKLOG);
            }
        } catch (IOException e) {
            threads.shutdownNow();
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the node cannot serve its figures at " + wanted + " (" + e.getMessage()
                            + "); choose a free port with metrics.listen",
                    e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.createContext(LIVE, exchange -> health(exchange, LIVE));
        server.createContext(READY, exchange -> health(exchange, READY));
        server.start();
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /** Port at which the server listens. */
    public int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!isAllowed(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                send(exchange, UNAUTHORIZED, "send the token of metrics.token-file as Authorization: Bearer TOKEN\n");
            } else if (!exchange.getRequestURI().getPath().equals("/metrics")) {
                send(exchange, NOT_FOUND, "the figures are at /metrics, health is at " + LIVE + " and " + READY + "\n");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, NOT_ALLOWED, "figures can only be read\n");
            } else {
                exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
                send(exchange, OK, MetricsText.of(beans, node));
            }
        } catch (RuntimeException e) {
            LOG.error("the figures could not be told", e);
        }
    }

    /** The answer may come later; until then others are served. */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails after an answer is the client's connection
    private void health(HttpExchange exchange, String path) throws IOException {
        String method = exchange.getRequestMethod();
        if (!exchange.getRequestURI().getPath().equals(path)) {
            refuse(exchange, NOT_FOUND, "health is at " + LIVE + " and " + READY + "\n");
        } else if (!method.equals("GET") && !method.equals("HEAD")) {
            refuse(exchange, NOT_ALLOWED, "health can only be read\n");
        } else if (path.equals(LIVE)) {
            tell(exchange, liveness.ask(), "live", "stuck");
        } else {
            readiness
                    .ask()
                    .whenCompleteAsync(
                            (verdict, thrown) -> tell(
                                    exchange,
                                    thrown == null ? verdict : new Verdict(List.of("the node could not tell")),
                                    "ready",
                                    "not ready"),
                            threads);
        }
    }

    private static void refuse(HttpExchange exchange, int status, String text) throws IOException {
        try (exchange) {
            send(exchange, status, text);
        }
    }

    private void tell(HttpExchange exchange, Verdict verdict, String good, String bad) {
        try (exchange) {
            boolean hasDetails = isAllowed(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            String text = verdict.json(good, bad, hasDetails);
            int status = verdict.isGood() ? OK : UNAVAILABLE;
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.sendResponseHeaders(status, -1);
            } else {
                send(exchange, status, text);
            }
        } catch (IOException e) {
            LOG.debug("a supervisor went away before its answer", e);
        }
    }

    private boolean isAllowed(@Nullable String authorization) {
        return token.isEmpty()
                || (authorization != null
                        && MessageDigest.isEqual(
                                ("Bearer " + token).getBytes(StandardCharsets.UTF_8),
                                authorization.getBytes(StandardCharsets.UTF_8)));
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
