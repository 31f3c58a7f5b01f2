package dev.fulmar.engine.execution.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Items that paths of SQL/JSON find, as values. */
class JsonQueriesTest {
    private static final Object[] MANY = {
        "[\"" + "x".repeat(1_000_000) + "\"]", "$[" + String.join(",", Collections.nCopies(4_900, "0")) + "]"
    };

    /** Gigabytes of texts are not made to be refused. */
    @Test
    @Timeout(10)
    void itemsThatNoValueHasRoomForAreRefusedAtOnce() {
        JsonQueries queries = new JsonQueries();
        assertThatThrownBy(() -> queries.items(MANY))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STRING_TOO_LONG));
        assertThatThrownBy(() -> queries.array(MANY))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STRING_TOO_LONG));
        assertThat(queries.first(MANY)).hasSize(1_000_002);
        assertThat(queries.finds(MANY)).isTrue();
    }
}
