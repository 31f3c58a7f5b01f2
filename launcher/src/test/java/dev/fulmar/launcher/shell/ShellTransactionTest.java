package dev.fulmar.launcher.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShellTransactionTest {
    /** Its user repeats it, or rolls back: it is not forgotten. */
    @Test
    void aCommitThatWasNotSentCanBeRepeated() {
        LocalDatabase database = LocalDatabase.start(Map.of("partitions", "1", "memory.limit", "64m", "jmx", "false"));
        try (FulmarClient client = FulmarClient.builder()
                .hosts("127.0.0.1:" + database.port())
                .callTimeout(Duration.ofSeconds(1))
                .connect()) {
            ShellTransaction transaction = new ShellTransaction(client);
            assertThat(transaction.takes("BEGIN")).isTrue();
            database.close();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> transaction.takes("COMMIT"))
                        .isInstanceOfSatisfying(
                                FulmarException.class,
                                e -> assertThat(e.code().category())
                                        .as(e.getMessage())
                                        .isEqualTo(ErrorCode.Category.RETRYABLE));
                assertThat(transaction.mark()).as("it may only end").isEqualTo("!");
            }
        } finally {
            database.close();
        }
    }
}
