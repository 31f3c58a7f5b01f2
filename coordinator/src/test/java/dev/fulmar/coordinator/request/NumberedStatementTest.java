package dev.fulmar.coordinator.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A statement that has its numbers is sent with them behind its parameters; no client sends one. */
class NumberedStatementTest {
    private static TransactionRequest.AdHoc statement(byte[] parameters, long... numbers) {
        ScriptStep step = new ScriptStep("INSERT", parameters, 1).using(numbers);
        return new TransactionRequest.Script(
                        1, 2, 3, List.of(step), ScriptEnding.UNDO, 4, false, false, 5, 6, Caller.TRUSTED, 7)
                .statement(step);
    }

    @Test
    void numbersFollowTheParameters() {
        byte[] list =
                new ParameterWriter(64, 1 << 10).add(5).add("text").addNull().toByteArray();
        TransactionRequest.AdHoc sent = statement(list, -1, Long.MAX_VALUE);
        ParameterReader reader = new ParameterReader(10).wrap(sent.parameters(), 0, sent.parameters().length);
        assertThat(reader.count()).isEqualTo(5);
        assertThat(reader.getLong(0)).isEqualTo(5);
        assertThat(reader.getLong(3)).isEqualTo(-1);
        assertThat(reader.getLong(4)).isEqualTo(Long.MAX_VALUE);
        assertThat(NumberedStatement.sql(sent.sql())).isEqualTo("INSERT");
    }

    @Test
    void numbersAreTakenAwayAgain() {
        byte[] list = new ParameterWriter(64, 1 << 10).add(5).add("text").toByteArray();
        TransactionRequest.AdHoc plain = new TransactionRequest.AdHoc(1, 2, 3, "INSERT", list);
        TransactionRequest.AdHoc sent = NumberedStatement.of(plain, new long[] {7, 8, 9}, List.of(4, 12));
        assertThat(NumberedStatement.numbers(sent.sql())).isEqualTo(3);
        assertThat(NumberedStatement.sequences(sent.sql())).containsExactly(4, 12);
        assertThat(NumberedStatement.sql(sent.sql())).isEqualTo("INSERT");
        TransactionRequest.AdHoc back = (TransactionRequest.AdHoc) NumberedStatement.without(sent);
        assertThat(back.sql()).isEqualTo("INSERT");
        assertThat(back.parameters()).isEqualTo(list);
        assertThat(NumberedStatement.without(plain)).isSameAs(plain);
        assertThat(NumberedStatement.looksLikeOne(sent)).isTrue();
        assertThat(NumberedStatement.looksLikeOne(plain)).isFalse();
    }

    @Test
    void aStatementWithoutNumbersIsAsItWas() {
        byte[] list = new ParameterWriter(64, 1 << 10).add(5).toByteArray();
        assertThat(statement(list).sql()).isEqualTo("INSERT");
        assertThat(statement(list).parameters()).isSameAs(list);
    }

    /** A session's transaction may have many statements with one text of a megabyte. */
    @Test
    void statementsBehindEachOtherHaveOneText() {
        byte[] list = new ParameterWriter(64, 1 << 10).add(5).toByteArray();
        TransactionRequest.AdHoc first = statement(list, 7);
        TransactionRequest.AdHoc second = statement(list, 8);
        assertThat(second.sql()).isNotSameAs(first.sql());
        assertThat(second.behind(first).sql()).isSameAs(first.sql());
        assertThat(second.behind(first).parameters()).isSameAs(second.parameters());
        assertThat(second.behind(statement(list, 7, 8))).isSameAs(second);
    }

    @Test
    void aTextIsCountedOnceForStepsBehindEachOther() {
        ScriptStep step = new ScriptStep("INSERT", new byte[10], 1);
        ScriptStep other = new ScriptStep("DELETE", new byte[10], 1);
        long text = 2L * "INSERT".length();
        assertThat(ScriptStep.bytes(List.of(step, step, step), null)).isEqualTo(3 * step.bytes() - 2 * text);
        assertThat(ScriptStep.bytes(List.of(step, other, step), null)).isEqualTo(3 * step.bytes());
        assertThat(ScriptStep.bytes(List.of(step, step), step)).isEqualTo(2 * (step.bytes() - text));
    }

    @Test
    void noClientSendsOne() {
        NumberedStatement.refuse("INSERT");
        NumberedStatement.refuse("");
        assertThatThrownBy(() -> NumberedStatement.refuse(NumberedStatement.text("INSERT", 1)))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SYNTAX));
    }

    @Test
    void thereAreNotTooMany() {
        byte[] list = new ParameterWriter(64, 1 << 10).add(5).toByteArray();
        assertThatThrownBy(() -> statement(list, new long[ParameterWriter.MAX_PARAMETERS]))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_PARAMETERS));
    }

    @Test
    void numbersOfAllStatementsAreTold() {
        List<long[]> numbers = List.of(new long[] {1, -2}, new long[0], new long[] {3});
        List<long[]> read = DrawnNumbers.read(DrawnNumbers.toAnswer(numbers));
        assertThat(read).usingRecursiveComparison().isEqualTo(numbers);
        assertThat(DrawnNumbers.read(new ScriptResults().toAnswer())).isNull();
    }
}
