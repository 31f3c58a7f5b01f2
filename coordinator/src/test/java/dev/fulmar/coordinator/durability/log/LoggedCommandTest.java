package dev.fulmar.coordinator.durability.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.partition.RepeatableCall;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes are on disks: they never change under this version of the payload. */
class LoggedCommandTest {
    private static final String PLAIN = "0100" + "0500" + "5374616d70" + "0102";
    private static final String SEEDED = "0120" + "8877665544332211" + "0500" + "5374616d70" + "0102";

    private final ImageBuffer buffer = new ImageBuffer();

    private record Call(boolean drewRandom, long seed) implements RepeatableCall {
        @Override
        public byte[] procedureName() {
            return "Stamp".getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] parameters() {
            return new byte[] {1, 2};
        }

        @Override
        public long procedureTimeMicros() {
            return 5;
        }

        @Override
        public long clientId() {
            return 6;
        }

        @Override
        public long requestId() {
            return 7;
        }
    }

    private String written(boolean drewRandom) {
        LoggedCommand.write(new Call(drewRandom, 0x1122334455667788L), buffer);
        return HexFormat.of().formatHex(buffer.toByteArray());
    }

    @Test
    void theSeedIsWrittenIfItWasUsed() {
        assertThat(written(false)).isEqualTo(PLAIN);
        assertThat(written(true)).isEqualTo(SEEDED);
    }

    @Test
    void storedCommandsAreRead() {
        for (String text : new String[] {PLAIN, SEEDED}) {
            byte[] stored = HexFormat.of().parseHex("ff" + text);
            LoggedCommand read = LoggedCommand.read(stored, 1, stored.length);
            assertThat(read.procedure()).isEqualTo("Stamp");
            assertThat(read.parameters()).containsExactly(1, 2);
            assertThat(read.seed()).isEqualTo(text.equals(SEEDED) ? 0x1122334455667788L : 0);
        }
    }

    @Test
    void whatIsCutIsCorrupt() {
        byte[] cut = HexFormat.of().parseHex(SEEDED.substring(0, 28));
        assertThatThrownBy(() -> LoggedCommand.read(cut, 0, cut.length))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
    }
}
