package dev.fulmar.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.scram.ChannelBinding;
import dev.fulmar.foundation.scram.ScramClient;
import dev.fulmar.foundation.scram.ScramServer;
import dev.fulmar.foundation.scram.ScramVerifier;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A login as version 2 has it, stored: both sides must still say the same, and in the same frames. */
class SampleLoginTest {
    private static final String PASSWORD = "correct horse";

    private static List<String> sample() throws IOException {
        try (InputStream in = SampleLoginTest.class.getResourceAsStream("samples/login-v2.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    @Test
    void bothSidesSayWhatIsStored() throws IOException {
        byte[] salt = new byte[ScramVerifier.SALT_BYTES];
        for (int i = 0; i < salt.length; i++) {
            salt[i] = (byte) i;
        }
        ScramClient client = new ScramClient(
                "ann", ScramClient.PasswordSalting.of(PASSWORD), ChannelBinding.none(), "clientNonce", "1-2");
        ScramServer server = new ScramServer(ChannelBinding.none(), "1-2");
        List<String> sample = sample();
        assertThat(client.first()).isEqualTo(sample.get(0));
        assertThat(server.begin(sample.get(0))).isEqualTo("ann");
        assertThat(server.challenge(ScramVerifier.of(PASSWORD, salt, 4096), "serverNonce"))
                .isEqualTo(sample.get(1));
        assertThat(client.last(sample.get(1))).isEqualTo(sample.get(2));
        assertThat(server.finish(sample.get(2))).contains(sample.get(3));
        client.finish(sample.get(3));
    }

    @Test
    void theFrameHasTheTextAsItIs() {
        ByteBuf out = Unpooled.buffer();
        FrameFormat.write(out, FrameKind.AUTHENTICATION, "v=ü");
        assertThat(ByteBufUtil.hexDump(out)).isEqualTo("06000000" + "01" + "09" + "763dc3bc");
    }
}
