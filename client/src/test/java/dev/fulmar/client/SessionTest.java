package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SessionTest {
    private FakeServer server;
    private FulmarClient client;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        client = FulmarClient.connect(server.address());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
    }

    private Session begin() throws Exception {
        CompletableFuture<Session> session = CompletableFuture.supplyAsync(client::begin);
        answered("BEGIN").answer(0);
        return session.get();
    }

    private FakeServer.Call answered(String begin) throws InterruptedException {
        FakeServer.Call call = server.next();
        ParameterReader read = new ParameterReader(2).wrap(call.parameters(), 0, call.parameters().length);
        assertThat(read.string(1)).startsWith(begin);
        return call;
    }

    /** The next client finds its rows free. */
    @Test
    void anOpenTransactionHasEndedWhenCloseReturns() throws Exception {
        Session session = begin();

        CompletableFuture<Void> closed = CompletableFuture.runAsync(session::close);
        FakeServer.Call rollback = answered("ROLLBACK");
        assertThatThrownBy(() -> closed.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        rollback.answer(0);

        closed.get();
        assertThat(session.isOpen()).isFalse();
    }

    @Test
    void closeReturnsIfTheConnectionIsLostOrTheServerRefuses() throws Exception {
        Session refused = begin();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(refused::close);
        answered("ROLLBACK").fail(ErrorCode.NO_ACTIVE_TRANSACTION, "there is none");
        closed.get();

        long begun = System.nanoTime();
        Session lost = begin();
        CompletableFuture<Void> alsoClosed = CompletableFuture.runAsync(lost::close);
        answered("ROLLBACK");
        server.breakConnections();
        alsoClosed.get();
        assertThat(System.nanoTime() - begun).as("it is not waited for").isLessThan(TimeUnit.SECONDS.toNanos(20));
    }

    /** The server ends a transaction that has failed before it tells so. */
    @Test
    void aFailedTransactionIsNotWaitedFor() throws Exception {
        Session session = begin();
        session.failed(new FulmarException(ErrorCode.SERIALIZATION_FAILURE, "another one was in its way"));

        session.close();

        answered("ROLLBACK").answer(0);
    }

    /** An event loop's thread that waited would wait for ever. */
    @Test
    void aCallbackMayCloseASession() throws Exception {
        Session session = begin();
        CompletableFuture<Void> closed = session.executeAsync("SELECT 1 FROM t").thenAccept(result -> session.close());

        answered("SELECT").answer(1);

        closed.get();
        answered("ROLLBACK").answer(0);
    }
}
