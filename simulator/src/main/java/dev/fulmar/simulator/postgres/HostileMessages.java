package dev.fulmar.simulator.postgres;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.wire.postgres.codec.FrontendEncoder;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.Target;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.message.ValueFormats;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Draws messages of a client in any order, and their bytes, some of which are broken. */
final class HostileMessages {
    private static final List<String> NAMES = List.of("", "", "s1", "s2", "p1", "\u00e4", "c");
    private static final List<Integer> OIDS = List.of(
            0, 0, 16, 17, 18, 20, 21, 23, 25, 26, 114, 700, 701, 1007, 1042, 1043, 1082, 1083, 1114, 1184, 1186, 1700,
            2205, 2950, 3802, 999_999, -1);
    private static final List<String> VALUES = List.of(
            "",
            "1",
            "0",
            "-1",
            "x",
            "true",
            "NaN",
            "1e400",
            "2024-02-30",
            "infinity",
            "{1,2}",
            "{",
            "\\x0g",
            "99999999999999999999",
            "00000000-0000-0000-0000-000000000000",
            "12:61",
            "\u00e4");
    private static final List<String> LINES = List.of(
            "1\tx\n", "2\t\\N\n", "3\ty", "\n", "\\.\n", "1,x\n", "\"", "\\x\n", "id,v\n", "a\tb\tc\n", "7\t\\\n");
    private static final int MOST_BYTES = 40;
    private static final int LARGE_BYTES = 5_000;
    private static final int MOST_FLIPS = 3;

    private final RandomSource random;
    private final HostileWords words;

    HostileMessages(RandomSource random) {
        this.random = random;
        this.words = new HostileWords(random);
    }

    /** One of all messages that a client may send in its session, but Terminate. */
    FrontendMessage message() {
        return switch (random.nextInt(20)) {
            case 0, 1, 2 -> new FrontendMessage.Query(words.statement());
            case 3, 4, 5 -> new FrontendMessage.Parse(name(), words.statement(), oids());
            case 6, 7, 8 -> new FrontendMessage.Bind(name(), name(), formats(), values(), formats());
            case 9 -> new FrontendMessage.Describe(target(), name());
            case 10, 11, 12 -> new FrontendMessage.Execute(name(), random.nextInt(4) - 1);
            case 13 -> new FrontendMessage.Close(target(), name());
            case 14, 15 -> new FrontendMessage.Sync();
            case 16 -> new FrontendMessage.Flush();
            case 17 -> new FrontendMessage.CopyData(copied());
            case 18 -> random.nextInt(2) == 0 ? new FrontendMessage.CopyDone() : new FrontendMessage.CopyFail("no");
            default ->
                random.nextInt(4) == 0
                        ? new FrontendMessage.AuthenticationResponse(bytes())
                        : new FrontendMessage.FunctionCall(random.nextInt(3));
        };
    }

    private String name() {
        return words.pick(NAMES);
    }

    private Target target() {
        return random.nextInt(2) == 0 ? Target.STATEMENT : Target.PORTAL;
    }

    private List<Integer> oids() {
        List<Integer> oids = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            oids.add(words.pick(OIDS));
        }
        return oids;
    }

    private ValueFormats formats() {
        List<ValueFormat> formats = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            formats.add(random.nextInt(2) == 0 ? ValueFormat.TEXT : ValueFormat.BINARY);
        }
        return new ValueFormats(formats);
    }

    private byte[][] values() {
        byte[][] values = new byte[random.nextInt(4)][];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch (random.nextInt(9)) {
                case 0, 1 -> bytes();
                case 2 -> large();
                default -> words.pick(VALUES).getBytes(StandardCharsets.UTF_8);
            };
        }
        return values;
    }

    /** A value that takes memory of the node's budget. */
    private static byte[] large() {
        byte[] bytes = new byte[LARGE_BYTES];
        Arrays.fill(bytes, (byte) '7');
        return bytes;
    }

    private byte[] copied() {
        return random.nextInt(3) == 0 ? bytes() : words.pick(LINES).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(MOST_BYTES)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    /** The bytes of a message. */
    static byte[] written(FrontendMessage message) {
        ByteBuf out = Unpooled.buffer();
        FrontendEncoder.write(out, message);
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    /** The same with something wrong: bits, a length, a part that is missing, or bytes that nobody knows. */
    byte[] broken(byte[] right) {
        return switch (random.nextInt(5)) {
            case 0, 1 -> {
                byte[] flipped = right.clone();
                for (int i = 1 + random.nextInt(MOST_FLIPS); i > 0; i--) {
                    flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
                }
                yield flipped;
            }
            case 2 -> Arrays.copyOf(right, random.nextInt(right.length));
            case 3 -> {
                // The body ends earlier than its fields, and the length says so.
                int length = Math.max(5, 5 + random.nextInt(Math.max(1, right.length - 4)));
                byte[] shorter = Arrays.copyOf(right, Math.min(length, right.length));
                shorter[1] = 0;
                shorter[2] = 0;
                shorter[3] = (byte) ((shorter.length - 1) >>> 8);
                shorter[4] = (byte) (shorter.length - 1);
                yield shorter;
            }
            default -> bytes();
        };
    }
}
