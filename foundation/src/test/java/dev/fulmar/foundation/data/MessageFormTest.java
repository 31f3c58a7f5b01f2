package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class MessageFormTest {
    private static final MessageForm FORM = new MessageForm("samples", Set.of(1, 3));

    private enum Colour {
        RED,
        BLUE
    }

    private static ByteBuffer message(int version, int kind, byte... fields) {
        return ByteBuffer.allocate(2 + fields.length)
                .put((byte) version)
                .put((byte) kind)
                .put(fields)
                .flip();
    }

    private static <T> void assertRefuses(Function<MessageReader, T> field, String why, byte... bytes) {
        assertThatThrownBy(() -> FORM.readWhole(message(1, 1, bytes), (version, kind, in) -> field.apply(in)))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST))
                .hasMessageContaining("a node sends samples")
                .hasMessageContaining(why);
    }

    @Test
    void theBodyIsToldVersionAndKind() {
        String read =
                FORM.readWhole(message(3, 7, (byte) 1), (version, kind, in) -> version + " " + kind + " " + in.flag());
        assertThat(read).isEqualTo("3 7 true");
    }

    @Test
    void anUnknownVersionIsRefusedUnread() {
        assertThatThrownBy(() -> FORM.readWhole(message(2, 1), (version, kind, in) -> "never"))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VERSION_MISMATCH))
                .hasMessageContaining("in form 2")
                .hasMessageContaining("run the same version on all nodes");
    }

    @Test
    void whatFollowsBelongsToTheCallerOrIsRefused() {
        ByteBuffer bytes = message(1, 1, (byte) 0, (byte) 9);
        assertThat(FORM.<Boolean>readHead(bytes, (version, kind, in) -> in.flag()))
                .isFalse();
        assertThat(bytes.remaining()).isEqualTo(1);
        assertRefuses(MessageReader::flag, "1 bytes too many", (byte) 0, (byte) 9);
    }

    @Test
    void eachFieldIsChecked() {
        assertRefuses(MessageReader::flag, "flag 2", (byte) 2);
        assertRefuses(MessageReader::getLong, "it is too short", (byte) 1);
        assertRefuses(MessageReader::natural, "number -1", (byte) -1, (byte) -1, (byte) -1, (byte) -1);
        assertRefuses(MessageReader::naturalLong, "number -1", new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
        assertRefuses(in -> in.count(4), "2 elements", new byte[] {0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0});
        assertRefuses(MessageReader::bytes, "2 bytes where 1 are left", new byte[] {0, 0, 0, 2, 5});
        assertRefuses(MessageReader::text, "not UTF-8", new byte[] {0, 0, 0, 1, -1});
        assertRefuses(in -> in.constant(Colour.values(), Colour::ordinal), "Colour 2 is unknown", (byte) 2);
        assertRefuses(
                in -> {
                    throw MessageReader.unknownKind(5);
                },
                "kind 5");
    }

    @Test
    void goodFieldsAreRead() {
        byte[] fields = ByteBuffer.allocate(100)
                .putInt(7)
                .putLong(8)
                .putInt(1)
                .put((byte) 1)
                .putInt(3)
                .put("abc".getBytes(StandardCharsets.UTF_8))
                .array();
        String read = FORM.readHead(
                message(1, 1, fields),
                (version, kind, in) -> in.natural() + " " + in.naturalLong() + " " + in.count(1) + " "
                        + in.constant(Colour.values(), Colour::ordinal) + " " + in.text());
        assertThat(read).isEqualTo("7 8 1 BLUE abc");
        assertThat(FORM.<String>readWhole(message(1, 1, (byte) 'x'), (version, kind, in) -> in.restAsText()))
                .isEqualTo("x");
    }

    /** Whatever comes, there is one kind of error. */
    @Test
    void noBytesBreakAReader() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = 1;
            }
            try {
                FORM.readWhole(
                        ByteBuffer.wrap(bytes),
                        (version, kind, in) -> in.natural()
                                + in.text()
                                + in.flag()
                                + Arrays.toString(in.bytes())
                                + in.count(8)
                                + in.constant(Colour.values(), Colour::ordinal)
                                + in.restAsText());
            } catch (FulmarException refused) {
                assertThat(refused.code()).isIn(ErrorCode.MALFORMED_REQUEST, ErrorCode.VERSION_MISMATCH);
            }
        }
    }
}
