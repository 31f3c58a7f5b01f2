package dev.fulmar.node.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Answers to operators whose change of a reconfiguration waits in a queue. */
class ReconfigureTest {
    /** With SERVER_BUSY the change would surely have no effect. */
    @Test
    void aChangeThatMayStillBeMadeIsNotCalledRefused() {
        assertThatThrownBy(() -> Reconfigure.await(new CompletableFuture<>(), 0))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT))
                .hasMessageContaining("look at its status");
    }

    @Test
    void aRefusalIsPassedOn() {
        FulmarException refusal = new FulmarException(ErrorCode.SERVER_BUSY, "another one is under way");
        assertThatThrownBy(() -> Reconfigure.await(CompletableFuture.failedFuture(refusal), 1))
                .isSameAs(refusal);
    }
}
