package dev.fulmar.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.fulmar.foundation.error.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A call tells, with every sending under one handle, the same version of the catalog, which was there before the first:
 * by that a server sees whether it may have been executed at another place.
 */
class KnownCatalogTest {
    private FakePair pair;
    private FakeServer first;
    private FakeServer second;

    @BeforeEach
    void start() throws IOException {
        pair = new FakePair();
        first = pair.first;
        second = pair.second;
        first.catalogVersion = 4;
        second.catalogVersion = 9;
    }

    @AfterEach
    void stop() throws IOException {
        pair.close();
    }

    @Test
    void aRetryTellsWhatWasKnownAtFirst() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            assertThat(first.next().catalogVersion()).isEqualTo(4);
            first.stop();
            FakeServer.Call again = second.next();
            assertThat(again.catalogVersion()).isEqualTo(4);
            again.fail(ErrorCode.CATALOG_CHANGED, "partitioned otherwise");
            FakePair.assertFails(result, ErrorCode.OUTCOME_UNKNOWN);
            assertThat(second.nextWithin(300)).isNull();
            CompletableFuture<CallResult> next = client.executeAsync("DELETE FROM t");
            FakeServer.Call asked = second.next();
            assertThat(asked.catalogVersion()).isEqualTo(9);
            asked.answer(1);
            next.join();
        }
    }

    @Test
    void whatIsToldInBetweenIsKnownToTheNextCall() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            FakeServer.Call asked = first.next();
            asked.session().tellCatalog(5);
            asked.answer(1);
            result.join();
            result = client.callAsync("P", 1L);
            asked = first.next();
            assertThat(asked.catalogVersion()).isEqualTo(5);
            asked.answer(1);
            result.join();
        }
    }

    /** In a cluster and outside of one. */
    @Test
    void whatNobodyHasExecutedGoesUnderAnotherHandle() throws Exception {
        first.cluster = ByteString.EMPTY;
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            FakeServer.Call asked = first.next();
            asked.fail(ErrorCode.CATALOG_CHANGED, "partitioned otherwise");
            FakeServer.Call again = first.next();
            assertThat(again.requestId()).isNotEqualTo(asked.requestId());
            assertThat(again.catalogVersion()).isEqualTo(4);
            again.session().tellCatalog(5);
            again.fail(ErrorCode.CATALOG_CHANGED, "partitioned otherwise");
            FakeServer.Call last = first.next();
            assertThat(last.requestId()).isGreaterThan(again.requestId());
            assertThat(last.catalogVersion()).isEqualTo(5);
            last.answer(6);
            assertThat(result.join().longValue()).isEqualTo(6);
        }
    }

    /** The server has the statement's time-out for each sending: the client waits longer than that for its answer. */
    @Test
    void whatNobodyHasExecutedIsNotSentAfterItsTime() throws Exception {
        try (FulmarClient client = pair.connect()) {
            RunningCall running = client.statement("DELETE FROM t")
                    .withTimeout(Duration.ofMillis(100))
                    .start();
            FakeServer.Call asked = first.next();
            LockSupport.parkNanos(Duration.ofMillis(150).toNanos());
            asked.fail(ErrorCode.CATALOG_CHANGED, "partitioned otherwise");
            FakePair.assertFails(running.outcome(), ErrorCode.CATALOG_CHANGED);
            assertThat(first.nextWithin(300)).isNull();
        }
    }

    @Test
    void whatMayHaveBeenExecutedDoesNot() throws Exception {
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            first.next().fail(ErrorCode.OUTCOME_UNKNOWN, "the node is gone");
            FakeServer.Call again = first.next();
            again.session().tellCatalog(5);
            again.fail(ErrorCode.CATALOG_CHANGED, "partitioned otherwise");
            FakePair.assertFails(result, ErrorCode.OUTCOME_UNKNOWN);
        }
    }

    @Test
    void aServerThatTellsNothingIsToldNothing() throws Exception {
        first.catalogVersion = 0;
        try (FulmarClient client = pair.connect()) {
            CompletableFuture<CallResult> result = client.callAsync("P", 1L);
            FakeServer.Call asked = first.next();
            assertThat(asked.catalogVersion()).isZero();
            asked.answer(1);
            result.join();
        }
    }
}
