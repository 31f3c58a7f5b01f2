package dev.fulmar.wire.postgres.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage.AuthenticationResponse;
import dev.fulmar.wire.postgres.message.FrontendMessage.Bind;
import dev.fulmar.wire.postgres.message.FrontendMessage.CancelRequest;
import dev.fulmar.wire.postgres.message.FrontendMessage.Close;
import dev.fulmar.wire.postgres.message.FrontendMessage.CopyData;
import dev.fulmar.wire.postgres.message.FrontendMessage.CopyDone;
import dev.fulmar.wire.postgres.message.FrontendMessage.CopyFail;
import dev.fulmar.wire.postgres.message.FrontendMessage.Describe;
import dev.fulmar.wire.postgres.message.FrontendMessage.Execute;
import dev.fulmar.wire.postgres.message.FrontendMessage.Flush;
import dev.fulmar.wire.postgres.message.FrontendMessage.FunctionCall;
import dev.fulmar.wire.postgres.message.FrontendMessage.GssEncryptionRequest;
import dev.fulmar.wire.postgres.message.FrontendMessage.Parse;
import dev.fulmar.wire.postgres.message.FrontendMessage.Query;
import dev.fulmar.wire.postgres.message.FrontendMessage.SslRequest;
import dev.fulmar.wire.postgres.message.FrontendMessage.StartupMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage.Sync;
import dev.fulmar.wire.postgres.message.FrontendMessage.Terminate;
import dev.fulmar.wire.postgres.message.FrontendMessage.Unreadable;
import dev.fulmar.wire.postgres.message.Target;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.message.ValueFormats;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SequencedMap;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrontendDecoderTest {
    /** Protocol 3.0, user=a, and the end. */
    private static final String START_UP = "00000010" + "00030000" + "7573657200" + "6100" + "00";

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final FrontendDecoder decoder = new FrontendDecoder(allocator);
    private final List<FrontendMessage> messages = new ArrayList<>();

    @AfterEach
    void nothingIsLeaked() {
        decoder.close();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private boolean decode(String hex) {
        return decoder.decode(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex)), messages::add);
    }

    private void startUp() {
        decode(START_UP);
        messages.clear();
    }

    private static StartupMessage startUpOf(String... pairs) {
        SequencedMap<String, String> parameters = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            parameters.put(pairs[i], pairs[i + 1]);
        }
        return new StartupMessage(StartupMessage.VERSION_3_0, parameters);
    }

    private static List<FrontendMessage> everyKind() {
        return List.of(
                startUpOf("user", "b\u00e4rbel", "database", "d", "options", ""),
                new AuthenticationResponse(new byte[] {1, 0, 2}),
                new Query("SELECT '\u20ac'"),
                new Query(""),
                new Parse("s1", "SELECT $1, $2", List.of(23, 0)),
                new Parse("", "", List.of()),
                new Bind(
                        "p",
                        "s1",
                        new ValueFormats(List.of(ValueFormat.TEXT, ValueFormat.BINARY)),
                        new byte[] @Nullable [] {null, {1, 2, 3}},
                        ValueFormats.BINARY),
                new Bind("", "", ValueFormats.TEXT, new byte[][] {{}}, ValueFormats.TEXT),
                new Describe(Target.STATEMENT, "s1"),
                new Describe(Target.PORTAL, ""),
                new Execute("p", 100),
                new Close(Target.PORTAL, "p"),
                new Flush(),
                new Sync(),
                new CopyData(new byte[] {9}),
                new CopyDone(),
                new CopyFail("no more"),
                new FunctionCall(1598),
                new Terminate());
    }

    @Test
    void everyMessageArrivesWhateverTheCutsBetweenReads() {
        ByteBuf stream = Unpooled.buffer();
        everyKind().forEach(message -> FrontendEncoder.write(stream, message));
        Random random = new Random(7);
        for (int round = 0; round < 50; round++) {
            List<FrontendMessage> found = new ArrayList<>();
            try (FrontendDecoder cut = new FrontendDecoder(allocator)) {
                ByteBuf rest = stream.duplicate();
                while (rest.isReadable()) {
                    int count = Math.min(rest.readableBytes(), 1 + random.nextInt(1 << random.nextInt(9)));
                    assertThat(cut.decode(rest.readSlice(count), found::add)).isTrue();
                }
                assertThat(cut.heldBytes()).isZero();
            }
            assertThat(found).usingRecursiveComparison().isEqualTo(everyKind());
        }
    }

    /** The bytes are those of psql and pgjdbc. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            510000000d53454c454354203100 | Query[sql=SELECT 1]
            500000000e00 53454c45435400 0000 | Parse[name=, sql=SELECT, parameterTypes=[]]
            5000000018 533100 53454c45435400 0002 00000017 00000000 | Parse[name=S1, sql=SELECT, parameterTypes=[23, 0]]
            420000000c 00 00 0000 0000 0000 | Bind[portal=, statement=, 0 values]
            4400000006 53 00 | Describe[target=STATEMENT, name=]
            45000000090000000000 | Execute[portal=, rowLimit=0]
            450000000900ffffffff | Execute[portal=, rowLimit=0]
            4300000008 50 433100 | Close[target=PORTAL, name=C1]
            5300000004 | Sync[]
            4800000004 | Flush[]
            5800000004 | Terminate[]
            7000000008 70617700 | AuthenticationResponse[4 bytes]
            """)
    void bytesAreThoseOfTheProtocol(String hex, String expected) {
        startUp();
        assertThat(decode(hex.replace(" ", ""))).isTrue();
        assertThat(messages).hasToString("[" + expected + "]");
    }

    @Test
    void aConnectionBeginsWithMessagesWithoutType() {
        decode("0000000804d2162f");
        decode("0000000804d21630");
        decode(START_UP);
        assertThat(messages).containsExactly(new SslRequest(), new GssEncryptionRequest(), startUpOf("user", "a"));
    }

    @Test
    void bytesThatCameWithARequestForEncryptionAreDropped() {
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump("0000000804d2162f" + START_UP));
        assertThat(decoder.decode(bytes, messages::add)).isTrue();
        assertThat(bytes.isReadable()).isFalse();
        assertThat(decoder.heldBytes()).isZero();
        assertThat(messages).containsExactly(new SslRequest());
        decode(START_UP);
        assertThat(messages).containsExactly(new SslRequest(), startUpOf("user", "a"));
    }

    @Test
    void bytesThatCameWithTheRestOfARequestForEncryptionAreDroppedToo() {
        decode("0000000804d2");
        decode("162f" + START_UP);
        assertThat(messages).containsExactly(new SslRequest());
        assertThat(decoder.heldBytes()).isZero();
    }

    @Test
    void nothingFollowsACancel() {
        assertThat(decode("0000001004d2162e0000000700000009" + START_UP)).isFalse();
        assertThat(decode(START_UP)).isFalse();
        assertThat(messages).containsExactly(new CancelRequest(7, 9));
        assertThat(messages.getFirst().toString()).doesNotContain("9");
    }

    @Test
    void aVersionThatIsNotKnownIsDeliveredToBeRefused() {
        decode("0000000d" + "00020000" + "ffff00ff00");
        assertThat(messages).singleElement().isInstanceOfSatisfying(StartupMessage.class, message -> {
            assertThat(message.majorVersion()).isEqualTo(2);
            assertThat(message.parameters()).isEmpty();
        });
        assertThat(new StartupMessage(0x0003_0002, new LinkedHashMap<>()).minorVersion())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000", // no room for the length itself
                "00000007000300",
                "ffffffff",
                "00002805" + "00030000", // a byte more than 10 KiB
                "474554202f20485454502f312e310d0a", // GET / HTTP
                "16030100", // TLS without asking
                "0000000900030000" + "61", // no end of a name
                "0000000e00030000" + "7573657200" + "61", // no end of a value
                "0000001000030000" + "7573657200" + "6100" + "61", // no end of the list
                "0000001100030000" + "7573657200" + "6100" + "0000", // something after the end
                "0000001000030000" + "7573657200" + "e200" + "00", // not UTF-8
                "0000000904d2162f00", // a request for encryption with more
                "0000000c04d2162e00000007" // a cancel without secret
            })
    void aStartUpThatIsNoneEndsTheConnection(String hex) {
        assertViolation(hex);
        assertThat(messages).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000000004", // no type
                "000000000c04d2162f", // a request for encryption
                "7a00000004", // an unknown one
                "5100000003", // shorter than its length
                "51ffffffff",
                "5180000000",
                "5100002805", // a byte more than the limit
                "5300002715" // more than any of its kind
            })
    void framesThatAreNoneEndTheConnection(String hex) {
        startUp();
        assertViolation(hex);
        assertThat(messages).isEmpty();
    }

    private void assertViolation(String hex) {
        assertThatThrownBy(() -> decode(hex))
                .asInstanceOf(InstanceOfAssertFactories.type(FulmarException.class))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST))
                .satisfies(e -> assertThat(e.code().sqlState()).isEqualTo("08P01"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5100000008 53454c45", // no end of the text
                "5100000004",
                "510000000a 410042000000", // more after the end
                "5100000007 e28200", // half a character
                "5100000007 c08000", // a zero in two bytes
                "5000000008 00 00 0001", // a type is missing
                "500000000b 00 00 ffff 000000", // 65,535 types are missing
                "5000000006 00 00", // no count
                "420000000e 00 00 0001 0002 0000 0000", // a format that there is not
                "4200000010 00 00 0002 0000 0000 0001 ffffffff 0000", // formats and values do not fit
                "4200000010 00 00 0000 0001 fffffffe 0000", // a length of -2
                "4200000010 00 00 0000 0001 7fffffff 0000", // a value that is not there
                "420000000a 00 00 0000 ffff", // 65,535 values that are not there
                "4400000006 58 00", // neither statement nor portal
                "4400000004",
                "4500000008 00 000000",
                "5300000005 00",
                "6600000004",
                "4600000006 0000"
            })
    void aMessageWithAMalformedBodyIsAnsweredAndTheNextOneArrives(String hex) {
        startUp();
        String bytes = hex.replace(" ", "");
        String length = String.format(Locale.ROOT, "%08x", bytes.length() / 2 - 1);
        assertThat(decode(bytes.substring(0, 2) + length + bytes.substring(10) + "5300000004"))
                .isTrue();
        assertThat(messages).hasSize(2).last().isEqualTo(new Sync());
        assertThat(messages.getFirst()).isInstanceOfSatisfying(Unreadable.class, unreadable -> {
            assertThat(unreadable.type()).isEqualTo((char) Integer.parseInt(hex, 0, 2, 16));
            assertThat(unreadable.reason()).isNotBlank();
            assertThat(unreadable.isOfExtendedQuery()).isEqualTo("PBDE".indexOf(unreadable.type()) >= 0);
        });
    }

    @Test
    void theLimitGrowsAfterTheLogIn() {
        startUp();
        decoder.messageLimitBytes(1 << 20);
        ByteBuf large = Unpooled.buffer();
        FrontendEncoder.write(large, new Query("x".repeat(900_000)));
        while (large.isReadable()) {
            decoder.decode(large.readSlice(Math.min(64 << 10, large.readableBytes())), messages::add);
        }
        assertThat(messages).containsExactly(new Query("x".repeat(900_000)));
        assertViolation("5100100005");
    }

    @Test
    void memoryGrowsWithWhatArrivedOnly() {
        startUp();
        decoder.messageLimitBytes(Integer.MAX_VALUE - 4);
        decode("517fffffff" + "41");
        decode("4242");
        assertThat(decoder.heldBytes()).isEqualTo(8);
        assertThat(messages).isEmpty();
        assertThat(allocator.metric().usedDirectMemory()).isLessThan(1024);
    }

    @Test
    void nothingIsDeliveredAfterTheHandlerSaysSo() {
        startUp();
        List<FrontendMessage> taken = new ArrayList<>();
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump("58000000045300000004"));
        assertThat(decoder.decode(bytes, message -> {
                    taken.add(message);
                    return false;
                }))
                .isFalse();
        assertThat(taken).containsExactly(new Terminate());
    }

    @Test
    void anyBytesGiveMessagesOrAViolation() {
        Random random = new Random(11);
        ByteBuf valid = Unpooled.buffer();
        everyKind().forEach(message -> FrontendEncoder.write(valid, message));
        byte[] stream = ByteBufUtil.getBytes(valid);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = stream.clone();
            if (round % 3 == 0) {
                random.nextBytes(bytes);
            }
            for (int i = random.nextInt(8); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(1 << random.nextInt(9));
            }
            ByteBuf in = Unpooled.wrappedBuffer(bytes, 0, random.nextInt(bytes.length));
            try (FrontendDecoder any = new FrontendDecoder(allocator)) {
                while (in.isReadable()) {
                    any.decode(in.readSlice(1 + random.nextInt(in.readableBytes())), message -> true);
                }
            } catch (FulmarException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST);
            }
        }
    }

    @Test
    void secretsAreInNoText() {
        assertThat(new AuthenticationResponse("secret".getBytes(StandardCharsets.US_ASCII)))
                .hasToString("AuthenticationResponse[6 bytes]");
        assertThat(everyKind().toString()).doesNotContain("[B@");
    }
}
