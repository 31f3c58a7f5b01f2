package dev.fulmar.coordinator.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptResultsTest {
    private static final int DIGESTS = 3 * (1 + 2 * Long.BYTES);

    private static ScriptResults three() {
        ScriptResults results = new ScriptResults();
        results.add(new Committed(Kind.VALUE, 4, new byte[0]), false, 77, new ResultDigest(1, 2));
        results.add(new Committed(Kind.VALUE, 5, new byte[0]));
        results.add(ErrorCode.UNIQUE_VIOLATION, "there is one");
        return results;
    }

    @Test
    void resultsComeBackWithTheDigestsThatAreKnown() {
        List<ScriptResults.Result> read = ScriptResults.read(three().toAnswer());
        assertThat(read).extracting(ScriptResults.Result::known).containsExactly(new ResultDigest(1, 2), null, null);
        assertThat(read).extracting(ScriptResults.Result::images).containsExactly(77L, 0L, 0L);
        assertThat(read.getLast().response()).isEqualTo(new Failed(ErrorCode.UNIQUE_VIOLATION, "there is one"));
        Committed second = (Committed) read.get(1).response();
        assertThat(second.value()).isEqualTo(5);
        assertThat(read.get(1).digest(second, "UPDATE t SET a = 1"))
                .as("is made where the partition has made none")
                .isEqualTo(ResultDigest.of(second, "UPDATE t SET a = 1"));
    }

    /** Nodes that do not know of digests send none, and read no further than the last result. */
    @Test
    void digestsMayBeMissing() {
        byte[] answer = three().toAnswer().results();
        byte[] cut = Arrays.copyOf(answer, answer.length - DIGESTS);
        List<ScriptResults.Result> read = ScriptResults.read(new Committed(Kind.NOTHING, 0, cut));
        assertThat(read).hasSize(3).extracting(ScriptResults.Result::known).containsOnlyNulls();
        assertThat(read.getFirst().images()).isEqualTo(77);
    }
}
