package dev.fulmar.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.health.ProbeRound;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.time.real.SystemClock;
import dev.fulmar.node.config.MetricsConfiguration;
import dev.fulmar.node.health.Liveness;
import dev.fulmar.node.health.Readiness;
import dev.fulmar.node.jmx.Counter;
import dev.fulmar.node.jmx.DescribedBean;
import dev.fulmar.node.jmx.Gauge;
import dev.fulmar.wire.address.HostAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
    private final MBeanServer beans = MBeanServerFactory.newMBeanServer();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Liveness liveness = new Liveness(new SystemClock(), 1_000_000_000);
    private Optional<String> obstacle = Optional.empty();
    private MetricsServer server;

    /** Some figures. */
    public interface TableMXBean {
        @Counter("Rows so far.")
        long getRowCount();

        @Gauge("Whether it has work.")
        boolean isBusy();

        String getText();

        Map<String, Long> getByCode();
    }

    /** Theirs. */
    public record Figures(long count) implements TableMXBean {
        @Override
        public long getRowCount() {
            return count;
        }

        @Override
        public boolean isBusy() {
            return true;
        }

        @Override
        public String getText() {
            return "text";
        }

        @Override
        public Map<String, Long> getByCode() {
            return Map.of("SERVER_BUSY", 4L);
        }
    }

    /** As the test says. */
    private final class Standing implements Readiness.Circumstances {
        @Override
        public Optional<String> obstacle() {
            return obstacle;
        }

        @Override
        public List<String> problems(boolean leads) {
            return List.of();
        }

        @Override
        public boolean leads(PartitionId partition) {
            return true;
        }
    }

    @BeforeEach
    void start() throws Exception {
        beans.registerMBean(DescribedBean.of(new Figures(7)), new ObjectName("fulmar:type=Table,node=3,name=\"A,B\""));
        beans.registerMBean(DescribedBean.of(new Figures(8)), new ObjectName("fulmar:type=Table,node=4,name=other"));
        server = new MetricsServer(
                new MetricsConfiguration(new HostAddress("127.0.0.1", 0), "a word"),
                beans,
                3,
                liveness,
                new Readiness(() -> new ProbeRound(0), new Standing(), new SystemClock()),
                null);
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    private HttpResponse<String> ask(String method, String path, String token) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .header("Authorization", "Bearer " + token)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void numbersOfTheNodeAreTold() throws Exception {
        HttpResponse<String> answer = ask("GET", "/metrics", "a word");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("""
                        # HELP fulmar_table_busy Whether it has work.
                        # TYPE fulmar_table_busy gauge
                        fulmar_table_busy{name="A,B",node="3"} 1
                        # HELP fulmar_table_by_code ByCode
                        # TYPE fulmar_table_by_code untyped
                        fulmar_table_by_code{entry="SERVER_BUSY",name="A,B",node="3"} 4
                        # HELP fulmar_table_row_count Rows so far.
                        # TYPE fulmar_table_row_count counter
                        fulmar_table_row_count{name="A,B",node="3"} 7
                        """);
    }

    @Test
    void whoDoesNotShowTheTokenIsToldNothing() throws Exception {
        for (String token : new String[] {"", "a wor", "a word "}) {
            HttpResponse<String> answer = ask("GET", "/metrics", token + "x");
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body()).doesNotContain("fulmar_table");
        }
    }

    @Test
    void callersWhoSendHalfARequestKeepNobodyFromAnAnswer() throws Exception {
        List<Socket> half = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                Socket socket = new Socket("127.0.0.1", server.port());
                half.add(socket);
                socket.getOutputStream().write("GET /health".getBytes(StandardCharsets.US_ASCII));
            }
            long begunNanos = System.nanoTime();
            assertThat(ask("GET", "/health/live", "no").statusCode()).isEqualTo(200);
            assertThat(System.nanoTime() - begunNanos)
                    .as("before the half ones are cut off, after 10 s")
                    .isLessThan(8_000_000_000L);
        } finally {
            for (Socket socket : half) {
                socket.close();
            }
        }
    }

    @Test
    void aProbeThatHangsKeepsNobodyFromTheFigures() throws Exception {
        ProbeRound hanging = new ProbeRound(1);
        server.close();
        server = new MetricsServer(
                new MetricsConfiguration(new HostAddress("127.0.0.1", 0), "a word"),
                beans,
                3,
                liveness,
                new Readiness(() -> hanging, new Standing(), new SystemClock()),
                null);
        CompletableFuture<HttpResponse<String>> asked = http.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/health/ready"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(ask("GET", "/metrics", "a word").statusCode()).isEqualTo(200);
        assertThat(ask("GET", "/health/live", "a word").body()).isEqualTo("{\"status\":\"live\"}\n");
        HttpResponse<String> answer = asked.join();
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("{\"status\":\"not ready\"}\n");
    }

    @Test
    void healthIsToldToAllAndItsReasonsToThoseWithTheToken() throws Exception {
        assertThat(ask("GET", "/health/ready", "no").body()).isEqualTo("{\"status\":\"ready\"}\n");
        assertThat(ask("HEAD", "/health/ready", "no").statusCode()).isEqualTo(200);
        assertThat(ask("POST", "/health/ready", "no").statusCode()).isEqualTo(405);
        assertThat(ask("GET", "/health/ready/more", "no").statusCode()).isEqualTo(404);
        obstacle = Optional.of("the disk is \"full\"");
        assertThat(ask("GET", "/health/ready", "no").body()).isEqualTo("{\"status\":\"not ready\"}\n");
        HttpResponse<String> answer = ask("GET", "/health/ready", "a word");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("{\"status\":\"not ready\",\"problems\":[\"the disk is \\\"full\\\"\"]}\n");
    }

    @Test
    void nothingElseIsThere() throws Exception {
        assertThat(ask("GET", "/other", "a word").statusCode()).isEqualTo(404);
        assertThat(ask("POST", "/metrics", "a word").statusCode()).isEqualTo(405);
    }
}
