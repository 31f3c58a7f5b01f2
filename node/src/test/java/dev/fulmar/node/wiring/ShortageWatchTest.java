package dev.fulmar.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShortageWatchTest {
    @Test
    void tellsOfEachBeginningAndEndOnce() {
        List<String> lines = new ArrayList<>();
        AtomicReference<@Nullable FulmarException> log = new AtomicReference<>();
        ShortageWatch watch =
                new ShortageWatch(lines::add).add("the log", log::get).add("the archive", () -> null);
        watch.look();
        assertThat(lines).isEmpty();
        for (int i = 0; i < 3; i++) {
            log.set(new FulmarException(ErrorCode.DISK_FULL, "no space " + i));
            watch.look();
        }
        assertThat(lines).containsExactly("the log cannot go on: no space 0");
        log.set(null);
        watch.look();
        watch.look();
        log.set(new FulmarException(ErrorCode.DISK_FULL, "no space again"));
        watch.look();
        assertThat(lines)
                .containsExactly(
                        "the log cannot go on: no space 0",
                        "the log works again",
                        "the log cannot go on: no space again");
    }
}
