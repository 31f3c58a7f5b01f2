package dev.fulmar.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.ProcessEnd;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeFailureTest {
    private final List<String> steps = new ArrayList<>();

    /** Stands for the process; runs the last words when it is told to. */
    private final class RecordedEnd implements ProcessEnd {
        private Runnable lastWords = () -> {};

        @Override
        public void broken(int status, Throwable thrown) {
            steps.add("status " + status);
        }

        @Override
        public void before(Runnable words) {
            lastWords = words;
        }
    }

    private final RecordedEnd process = new RecordedEnd();
    private final NodeFailure failure = new NodeFailure(process, () -> steps.add("stop"));

    private void connect() {
        failure.tells(() -> steps.add("nodes"), () -> steps.add("clients"));
    }

    @Test
    void aBrokenNodeTellsNodesAndClientsBetweenTheDecisionAndTheStop() {
        connect();
        failure.end("the site failed", new FulmarException(ErrorCode.INTERNAL, "a defect"));
        assertThat(steps).containsExactly("status 70", "nodes", "clients", "stop");
    }

    @Test
    void aNodeWhoseDeviceFailedTellsNobodyThatARequestMayBeWhy() {
        connect();
        failure.end("the log failed", new FulmarException(ErrorCode.STORAGE_FAILURE, "an error of the device"));
        assertThat(steps).containsExactly("status 74", "stop");
    }

    @Test
    void aThreadThatDiesTellsThemToo() {
        connect();
        long begun = System.nanoTime();
        process.lastWords.run();
        assertThat(steps).containsExactly("nodes", "clients");
        assertThat(System.nanoTime() - begun)
                .as("links have a moment to send, though there is no client to wait for")
                .isGreaterThanOrEqualTo(50_000_000);
    }
}
