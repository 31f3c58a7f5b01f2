package dev.fulmar.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.cluster.RequestFormat.Message;
import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that nodes wrote in each form are read, and written the same. */
class RequestFormatTest {
    private static final byte[] PARAMETERS = {1, 0, 2};

    private static TransactionRequest.Call call(long catalogVersion) {
        return new TransactionRequest.Call(7, 8, 9, "Transfer", PARAMETERS).sentAt(catalogVersion);
    }

    private static Message assertStored(Message message, String stored) {
        ByteBuffer written = RequestFormat.write(message);
        byte[] bytes = new byte[written.remaining()];
        written.get(bytes);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(stored);
        return RequestFormat.read(ByteBuffer.wrap(bytes));
    }

    private static void assertReadAgain(Message message, String stored) {
        assertThat(assertStored(message, stored)).isEqualTo(message);
    }

    @Test
    void formOne() {
        Message read = assertStored(
                new Message.Forwarded(5, call(0)),
                "01010000000000000005000000000000000700000000000000080000000000000009000100000000000000085472616e7366657200000003010002");
        assertThat(read).isInstanceOfSatisfying(Message.Forwarded.class, forwarded -> {
            assertThat(forwarded.number()).isEqualTo(5);
            assertThat(forwarded.request().subject()).isEqualTo("Transfer");
            assertThat(forwarded.request().parameters()).isEqualTo(PARAMETERS);
            assertThat(forwarded.request().catalogVersion()).isZero();
        });
        assertReadAgain(new Message.Introduction("db3:7420"), "0105000000086462333a37343230");
        assertReadAgain(
                new Message.Answered(5, new TransactionResponse.Failed(ErrorCode.NODE_BROKEN, "it broke")),
                "01040000000000000005000001340000000869742062726f6b65");
    }

    @Test
    void formTwoHasCancels() {
        assertReadAgain(new Message.Cancel(5), "02060000000000000005");
    }

    @Test
    void formThreeSaysWhichCatalogWasKnown() {
        Message read = assertStored(
                new Message.Forwarded(5, call(300)),
                "0301000000000000012c0000000000000005000000000000000700000000000000080000000000000009000100000000000000085472616e7366657200000003010002");
        assertThat(((Message.Forwarded) read).request().catalogVersion()).isEqualTo(300);
    }

    @Test
    void formFourTellsThatTheNodeBroke() {
        assertReadAgain(new Message.Breaking(), "0407");
        assertThatThrownBy(() -> RequestFormat.read(ByteBuffer.wrap(new byte[] {4, 7, 0})))
                .isInstanceOf(FulmarException.class);
    }

    @Test
    void formFiveTellsThatAClientIsGone() {
        assertReadAgain(new Message.Departed(5), "05080000000000000005");
        assertThatThrownBy(() -> RequestFormat.read(ByteBuffer.wrap(new byte[] {5, 7, 0, 0, 0, 0, 0, 0, 0, 5})))
                .isInstanceOf(FulmarException.class);
    }

    private static final int FIRST_STEP = 77;
    private static final String FORM_TEN =
            "0a090000000000000005000000000000000700000000000000080000000000000009000000000000012c000000000000000a000000000000001400000000000000280300010000000000000004000000000853454c454354203100000003010002000000000000000b000000000000000001000000000000000cfffffffffffffff3000000120000000006494e5345525400000003010002000000000000000f000000000000000600000000000d44454c4554452046524f4d207400000003010002000000000000000e00000000000000000001000000030100020000000000000010000000000000000000";

    private static TransactionRequest.Script script(long transaction, boolean readOnly, long... numbers) {
        return script(false, transaction, readOnly, numbers);
    }

    private static TransactionRequest.Script script(
            boolean comparesImages, long transaction, boolean readOnly, long... numbers) {
        return script(ScriptEnding.UNDO, comparesImages, transaction, readOnly, numbers);
    }

    private static TransactionRequest.Script script(
            ScriptEnding ending, boolean comparesImages, long transaction, boolean readOnly, long... numbers) {
        List<ScriptStep> steps = List.of(
                new ScriptStep("SELECT 1", PARAMETERS, 11).shown(new ResultDigest(12, -13), readOnly ? 18 : 0),
                new ScriptStep("INSERT", PARAMETERS, 15).using(numbers).failed(ErrorCode.UNIQUE_VIOLATION),
                new ScriptStep("DELETE FROM t", PARAMETERS, 14));
        return new TransactionRequest.Script(
                7, 8, 9, steps, ending, transaction, readOnly, comparesImages, 10, 20, Caller.TRUSTED, 300);
    }

    private static void assertIs(TransactionRequest.Script script, Message read) {
        assertThat(((Message.Forwarded) read).request())
                .usingRecursiveComparison()
                .isEqualTo(script);
    }

    @Test
    void formSixHasTransactionsOfManyStatements() {
        assertIs(
                script(ScriptEnding.COMMIT, false, 0, false),
                RequestFormat.read(
                        ByteBuffer.wrap(
                                HexFormat.of()
                                        .parseHex(
                                                "06090000000000000005000000000000000700000000000000080000000000000009000000000000012c000000000000000a0000000000000014010100000000000000030000000853454c454354203100000003010002000000000000000b0000000001000000000000000cfffffffffffffff300000006494e5345525400000003010002000000000000000f00000006000000000d44454c4554452046524f4d207400000003010002000000000000000e0000000000"))));
    }

    @Test
    void formSevenHasTheirNumbers() {
        TransactionRequest.Script script = script(40, true, 16, -17);
        Message read = assertStored(
                new Message.Forwarded(5, script),
                "07090000000000000005000000000000000700000000000000080000000000000009000000000000012c000000000000000a0000000000000014000000000000002801000100000000000000030000000853454c454354203100000003010002000000000000000b000000000000000001000000000000000cfffffffffffffff30000001200000006494e5345525400000003010002000000000000000f000000020000000000000010ffffffffffffffef00000006000000000d44454c4554452046524f4d207400000003010002000000000000000e000000000000000000");
        assertIs(script, read);
    }

    /** A session keeps a text once that its statements share; the message must not multiply it. */
    @Test
    void formTenHasARepeatedTextOnce() {
        TransactionRequest.Script script = script(true, 40, true);
        List<ScriptStep> steps = new ArrayList<>(script.steps());
        steps.add(new ScriptStep("DELETE FROM t", PARAMETERS, 16));
        TransactionRequest.Script longer = new TransactionRequest.Script(
                7, 8, 9, steps, ScriptEnding.UNDO, 40, true, true, 10, 20, Caller.TRUSTED, 300);
        Message read = assertStored(new Message.Forwarded(5, longer), FORM_TEN);
        assertIs(longer, read);
        List<ScriptStep> found = ((TransactionRequest.Script) ((Message.Forwarded) read).request()).steps();
        assertThat(found.get(3).sql()).isSameAs(found.get(2).sql());
        byte[] first = HexFormat.of().parseHex(FORM_TEN);
        first[FIRST_STEP] = 1;
        assertThatThrownBy(() -> RequestFormat.read(ByteBuffer.wrap(first))).isInstanceOf(FulmarException.class);
    }

    @Test
    void formEightComparesImages() {
        TransactionRequest.Script script = script(true, 40, true);
        Message read = assertStored(
                new Message.Forwarded(5, script),
                "08090000000000000005000000000000000700000000000000080000000000000009000000000000012c000000000000000a0000000000000014000000000000002803000100000000000000030000000853454c454354203100000003010002000000000000000b000000000000000001000000000000000cfffffffffffffff30000001200000006494e5345525400000003010002000000000000000f0000000000000006000000000d44454c4554452046524f4d207400000003010002000000000000000e000000000000000000");
        assertIs(script, read);
        byte[] other = RequestFormat.write(new Message.Forwarded(5, script)).array();
        other[66] |= 4;
        assertThatThrownBy(() -> RequestFormat.read(ByteBuffer.wrap(other))).isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> RequestFormat.read(ByteBuffer.wrap(new byte[] {9, 9})))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("form 9");
    }

    /** A node of an earlier build would commit the statements before one that fails. */
    @Test
    void formElevenCommitsAllStatementsOrNone() {
        TransactionRequest.Script script = script(ScriptEnding.COMMIT, false, 40, false);
        Message read = assertStored(
                new Message.Forwarded(5, script),
                "0b090000000000000005000000000000000700000000000000080000000000000009000000000000012c000000000000000a000000000000001400000000000000280001010000000000000003000000000853454c454354203100000003010002000000000000000b000000000000000001000000000000000cfffffffffffffff3000000000000000006494e5345525400000003010002000000000000000f000000000000000600000000000d44454c4554452046524f4d207400000003010002000000000000000e000000000000000000");
        assertIs(script, read);
        TransactionRequest.Script again = script.with(script.steps().subList(0, 2));
        assertThat(RequestFormat.write(new Message.Forwarded(5, again)).get())
                .as("the form of statements that ran before")
                .isEqualTo((byte) 7);
    }

    @Test
    void formNineCancelsStatementsOfSessions() {
        assertReadAgain(new Message.CancelSession(0x100003, -2), "090a00100003fffffffe");
        assertThat(new Message.CancelSession(3, 1234567).toString()).doesNotContain("1234567");
    }
}
