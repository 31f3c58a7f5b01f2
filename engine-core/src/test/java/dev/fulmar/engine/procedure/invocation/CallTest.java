package dev.fulmar.engine.procedure.invocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.ProcedureFixture;
import dev.fulmar.engine.procedure.ReplyKind;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CallTest {
    private static ErrorCode codeOf(Throwable thrown) {
        assertThat(thrown).isInstanceOf(FulmarException.class);
        return ((FulmarException) thrown).code();
    }

    @Test
    void statementsRunInBatchesInOrder() {
        ProcedureFixture fixture = new ProcedureFixture().run("P", """
                static final Statement READ = Statement.of("SELECT READ ?");
                static final Statement WRITE = Statement.of("UPDATE WRITE ? ?");
                public long run(ProcedureContext context, long x) {
                    context.queue(READ).with(x);
                    context.queue(READ).with(x + 1);
                    Results first = context.execute();
                    context.queue(WRITE).with(first.rows(0).first().getLong(0)).withNull();
                    context.queue(READ, 9L);
                    Results second = context.execute();
                    return first.size() * 100 + second.changedRows(0) * 10 + second.rows(1).rowCount() + first.rows(1).first().getLong(0);
                }""");
        fixture.statements().rows("SELECT READ ?", new Object[] {5L});

        assertThat(fixture.value("P", 3L)).isEqualTo(216);
        assertThat(fixture.statements().executed())
                .containsExactly(
                        "SELECT READ ?[3]", "SELECT READ ?[4];", "UPDATE WRITE ? ?[5, null]", "SELECT READ ?[9];");
        assertThat(fixture.execution().replyKind()).isEqualTo(ReplyKind.VALUE);
    }

    @Test
    void resultsAreReadByTypeAndCopiedIntoParameters() {
        ProcedureFixture fixture = new ProcedureFixture().run("P", """
                static final Statement READ = Statement.of("SELECT ALL");
                static final Statement WRITE = Statement.of("INSERT ? ? ? ? ? ?");
                public Rows run(ProcedureContext context) {
                    Rows rows = context.query(READ);
                    long sum = 0;
                    while (rows.next()) {
                        sum += rows.getLong(rows.column("number")) + rows.getUnscaled(1) + (rows.isNull(2) ? 1000 : 0);
                    }
                    rows.at(1).at(0);
                    var arguments = context.queue(WRITE);
                    for (int i = 0; i < 6; i++) { arguments = arguments.withCell(rows, i); }
                    context.execute();
                    return context.table("sum", "text", "double", "time", "id")
                            .row(sum, rows.getString(2), rows.getDouble(1), rows.getTimestamp(4), rows.getUuid(5)).build();
                }""");
        fixture.sql()
                .columns(
                        "SELECT ALL",
                        new ResultColumn("NUMBER", ColumnType.of(TypeKind.INTEGER), false),
                        new ResultColumn("PRICE", ColumnType.decimal(12, 2), false),
                        new ResultColumn("TEXT", ColumnType.varchar(20), true),
                        new ResultColumn("WIDE", ColumnType.decimal(38, 3), true),
                        new ResultColumn("AT", ColumnType.of(TypeKind.TIMESTAMP), true),
                        new ResultColumn("ID", ColumnType.of(TypeKind.UUID), true));
        fixture.sql()
                .parameters(
                        "INSERT ? ? ? ? ? ?",
                        ColumnType.of(TypeKind.BIGINT),
                        ColumnType.decimal(12, 4),
                        ColumnType.varchar(20),
                        ColumnType.decimal(38, 3),
                        ColumnType.of(TypeKind.TIMESTAMP),
                        ColumnType.of(TypeKind.UUID));
        LocalDateTime at = LocalDateTime.of(2024, 1, 2, 3, 4, 5);
        UUID id = new UUID(7, 8);
        fixture.statements()
                .rows(
                        "SELECT ALL",
                        new Object[] {1, new BigDecimal("2.50"), "abc", new BigDecimal("1.001"), at, id},
                        new Object[] {2, new BigDecimal("3.00"), null, null, null, null});

        ResultBlock row = fixture.table("P");
        row.next();
        assertThat(row.getLong(0)).isEqualTo(1 + 2 + 250 + 300 + 1000);
        assertThat(row.string(1)).isEqualTo("abc");
        assertThat(row.getDouble(2)).isEqualTo(2.5);
        assertThat(row.object(3)).isEqualTo(at);
        assertThat(row.uuid(4)).isEqualTo(id);
        assertThat(fixture.statements().executed().getLast())
                .startsWith("INSERT ? ? ? ? ? ?[1, 25000, VARCHAR, DECIMAL, 17");
    }

    @Test
    void labelsAreTextsToProcedures() {
        ColumnType mood = ColumnType.of(Enumeration.of(9, "MOOD", List.of("sad", "ok")));
        ProcedureFixture fixture = new ProcedureFixture().run("P", """
                static final Statement READ = Statement.of("SELECT ALL");
                static final Statement WRITE = Statement.of("INSERT ? ? ?");
                public Rows run(ProcedureContext context) {
                    Rows rows = context.query(READ);
                    Object[] seen = new Object[3];
                    rows.at(1);
                    seen[2] = rows.isNull(0) + " " + rows.getString(0);
                    rows.at(0);
                    context.queue(WRITE).withCell(rows, 0).with(rows.getString(0)).withCell(rows, 1);
                    context.execute();
                    seen[0] = rows.getString(0) + rows.getString(1);
                    seen[1] = rows.getObject(0);
                    return context.table("a", "b", "c").row(seen).build();
                }""").run("N", """
                static final Statement READ = Statement.of("SELECT ALL");
                public long run(ProcedureContext context) { return context.query(READ).first().getLong(0); }""");
        fixture.sql()
                .columns(
                        "SELECT ALL",
                        new ResultColumn("M", mood, true),
                        new ResultColumn("T", ColumnType.varchar(20), true));
        fixture.sql().parameters("INSERT ? ? ?", mood, mood, ColumnType.varchar(20));
        fixture.statements().rows("SELECT ALL", new Object[] {"ok", "!"}, new Object[] {null, null});
        ResultBlock row = fixture.table("P");
        row.next();
        assertThat(row.string(0)).isEqualTo("ok!");
        assertThat(row.string(1)).isEqualTo("ok");
        assertThat(row.string(2)).isEqualTo("true null");
        long code = mood.labels().code("ok");
        assertThat(fixture.statements().executed().getLast()).startsWith("INSERT ? ? ?[" + code + ", " + code);
        assertThatThrownBy(() -> fixture.call("N"))
                .satisfies(thrown -> assertThat(codeOf(thrown)).isEqualTo(ErrorCode.TYPE_MISMATCH));
    }

    @Test
    void aFailedStatementCanBeCaughtAndOtherwiseIsTheCallsError() {
        ProcedureFixture fixture = new ProcedureFixture().run("Catches", """
                        static final Statement BAD = Statement.of("INSERT BAD");
                        public Rows run(ProcedureContext context) {
                            try { context.update(BAD); } catch (StatementException e) {
                                return context.table("state", "message").row(e.sqlState(), e.getMessage()).build();
                            }
                            return null;
                        }""").run("LetsGo", """
                        static final Statement BAD = Statement.of("INSERT BAD");
                        public void run(ProcedureContext context) { context.update(BAD); }""");
        fixture.statements().fail("INSERT BAD", new FulmarException(ErrorCode.UNIQUE_VIOLATION, "row 1 exists"));

        ResultBlock row = fixture.table("Catches");
        row.next();
        assertThat(row.string(0)).isEqualTo("23505");
        assertThat(row.string(1)).isEqualTo("row 1 exists");
        assertThatThrownBy(() -> fixture.call("LetsGo"))
                .hasMessage("row 1 exists")
                .satisfies(thrown -> assertThat(codeOf(thrown)).isEqualTo(ErrorCode.UNIQUE_VIOLATION));
    }

    @Test
    void expectationsAreCheckedAndCannotBeCaught() {
        StringBuilder body = new StringBuilder();
        for (String name : new String[] {"EMPTY", "NON_EMPTY", "ONE_ROW", "ZERO_OR_ONE_ROW", "SCALAR"}) {
            body.append("static final Statement ")
                    .append(name)
                    .append(" = Statement.of(\"SELECT ROWS\").expecting(Expectation.")
                    .append(name)
                    .append(");");
        }
        ProcedureFixture fixture = new ProcedureFixture().run("P", body + """
                public long run(ProcedureContext context, String which) {
                    Statement statement = switch (which) { case "EMPTY" -> EMPTY; case "NON_EMPTY" -> NON_EMPTY; case "ONE_ROW" -> ONE_ROW;
                        case "SCALAR" -> SCALAR; default -> ZERO_OR_ONE_ROW; };
                    try { return context.query(statement).rowCount(); } catch (Throwable t) { return -1; }
                }""");
        Object[] row = {1L};
        check(fixture, new Object[][] {}, "EMPTY", "ZERO_OR_ONE_ROW");
        check(fixture, new Object[][] {row}, "NON_EMPTY", "ONE_ROW", "ZERO_OR_ONE_ROW", "SCALAR");
        check(fixture, new Object[][] {row, row}, "NON_EMPTY");
        assertThatThrownBy(() -> fixture.call("P", "ONE_ROW"))
                .hasMessage("\"SELECT ROWS\" should yield exactly one row but yielded 2 rows");
    }

    private static void check(ProcedureFixture fixture, Object[][] rows, String... met) {
        fixture.statements().rows("SELECT ROWS", rows);
        for (String name : new String[] {"EMPTY", "NON_EMPTY", "ONE_ROW", "ZERO_OR_ONE_ROW", "SCALAR"}) {
            if (java.util.List.of(met).contains(name)) {
                assertThat(fixture.value("P", name)).isEqualTo(rows.length);
            } else {
                assertThatThrownBy(() -> fixture.call("P", name))
                        .satisfies(thrown -> assertThat(codeOf(thrown)).isEqualTo(ErrorCode.EXPECTATION_FAILED));
            }
        }
    }

    @Test
    void aSignalEndsTheCallWhateverTheProcedureCatches() {
        ProcedureFixture fixture = new ProcedureFixture().run("P", """
                static final Statement READ = Statement.of("SELECT 1");
                public long run(ProcedureContext context) {
                    for (int i = 0; i < 3; i++) { try { context.query(READ); } catch (Throwable t) { } }
                    return 1;
                }""");
        ControlSignal signal = new ControlSignal("restart") {
            private static final long serialVersionUID = 1L;
        };
        fixture.statements().signal(signal);

        assertThatThrownBy(() -> fixture.call("P")).isSameAs(signal);
    }

    @Test
    void abortAndFailureAreToldApart() {
        ProcedureFixture fixture = new ProcedureFixture()
                .run("Aborts", "public void run(ProcedureContext context) { throw context.abort(\"no such item\"); }")
                .run("Fails", "public long run(ProcedureContext context) {\n int[] a = new int[1];\n return a[1]; }")
                .run("BadMessage", """
                        static final class Bad extends RuntimeException { public String getMessage() { for (;;) { } } }
                        public long run(ProcedureContext context) { throw new Bad(); }""")
                .limits(BudgetLimits.DEFAULT.withTimeNanos(50_000_000));

        assertThatThrownBy(() -> fixture.call("Aborts"))
                .hasMessage("no such item")
                .satisfies(thrown -> assertThat(codeOf(thrown)).isEqualTo(ErrorCode.USER_ABORT));
        assertThatThrownBy(() -> fixture.call("Fails"))
                .hasMessage("Fails failed: java.lang.ArrayIndexOutOfBoundsException: Index 1 out of bounds for length 1"
                        + " (shop.Fails.run, line 4)")
                .satisfies(thrown -> assertThat(codeOf(thrown)).isEqualTo(ErrorCode.PROCEDURE_FAILED));
        assertThatThrownBy(() -> fixture.call("BadMessage"))
                .satisfies(thrown -> assertThat(codeOf(thrown)).isEqualTo(ErrorCode.PROCEDURE_TIME_BUDGET));
    }

    @Test
    void mistakesOfTheProcedureSayWhatToDo() {
        ProcedureFixture fixture = new ProcedureFixture().run("P", """
                static final Statement READ = Statement.of("SELECT ?");
                static final Statement WRITE = Statement.of("UPDATE");
                public Object dummy() { return WRITE; }
                public Rows run(ProcedureContext context, int which) {
                    switch (which) {
                        case 0 -> { context.queue(READ).with(1); return context.table("a").build(); }
                        case 1 -> { context.queue(READ); context.execute(); }
                        case 2 -> context.queue(READ).with(1).with(2);
                        case 3 -> context.queue(Statement.of("SELECT 2"));
                        case 4 -> { context.queue(WRITE); context.execute().rows(0); }
                        case 5 -> { context.queue(READ).with(1); context.query(READ, 1); }
                        case 6 -> { Arguments a = context.queue(READ).with(1); context.execute(); a.with(1); }
                        case 7 -> context.query(READ, 1).getLong(0);
                        case 8 -> context.query(READ, 1).first().getString(3);
                        case 9 -> context.table("a").row(1, 2);
                        default -> { }
                    }
                    return null;
                }""");
        String[] messages = {
            "P ended with 1 statements queued but not executed; call execute() after queue()",
            "statement 1 of the batch has 1 parameters, but 0 were bound; bind one per ?",
            "the statement has 1 parameter but more were given; pass one value per ?",
            "the statement \"SELECT 2\" is no constant of P; declare it",
            "statement 0 of the batch changes rows and yields none; ask for changedRows(0)",
            "1 statements are queued; call execute() before query() or update()",
            "a parameter was bound after its statement was executed",
            "P failed: java.lang.IllegalStateException: the cursor stands before the first row",
            "P failed: java.lang.IndexOutOfBoundsException: column 3 of a result of 1 columns",
            "a row of 2 values was given to a table of 1 columns; pass one per column",
            "the procedure returned null instead of a result"
        };
        for (int i = 0; i < messages.length; i++) {
            int which = i;
            assertThatThrownBy(() -> fixture.call("P", which))
                    .isInstanceOf(FulmarException.class)
                    .hasMessageStartingWith(messages[i]);
        }
    }

    @Test
    void timeAndChanceRepeat() {
        ProcedureFixture fixture = new ProcedureFixture().run("P", """
                public Rows run(ProcedureContext context) {
                    var random = context.random();
                    return context.table("now", "micros", "int", "bounded", "double", "uuid")
                            .row(context.now(), context.nowMicros(), random.nextInt(), random.nextInt(5, 9), random.nextDouble(), context.uuid())
                            .build();
                }""");
        byte[] first = fixture.call("P").replyBlocks();
        byte[] second = fixture.call("P").replyBlocks();
        fixture.execution()
                .run(
                        fixture.registry().require("P"),
                        ProcedureFixture.parameters(),
                        ProcedureFixture.TIME_MICROS,
                        43,
                        BudgetLimits.DEFAULT,
                        fixture.statements());

        assertThat(second).isEqualTo(first);
        assertThat(fixture.execution().replyBlocks()).isNotEqualTo(first);
        ResultBlock row = new ResultBlock().wrap(first, 0, first.length);
        row.next();
        assertThat(row.getLong(1)).isEqualTo(ProcedureFixture.TIME_MICROS);
        assertThat(row.object(0)).isEqualTo(LocalDateTime.parse("2023-11-14T22:13:20.123456"));
        // These numbers are part of what a log of commands means.
        assertThat(row.getLong(2)).isEqualTo(-1_109_970_394);
        assertThat(row.getLong(3)).isBetween(5L, 8L);
        assertThat(row.uuid(5)).isNotNull().extracting(UUID::version).isEqualTo(4);
    }

    @Test
    void everyResultOfACallStaysValidUntilItEnds() {
        ProcedureFixture fixture = new ProcedureFixture().run("P", """
                static final Statement READ = Statement.of("SELECT ?");
                public Rows[] run(ProcedureContext context, int batches) {
                    Rows[] all = new Rows[batches];
                    for (int i = 0; i < batches; i++) { all[i] = context.query(READ, i); }
                    for (Rows rows : all) { if (rows.first().getLong(0) != 77) { throw context.abort("lost"); } }
                    return all;
                }""");
        fixture.statements().rows("SELECT ?", new Object[] {77L});

        for (int round = 0; round < 3; round++) {
            fixture.call("P", 500);
            assertThat(fixture.execution().replyKind()).isEqualTo(ReplyKind.TABLES);
            byte[] blocks = fixture.execution().replyBlocks();
            int offset = 0;
            int count = 0;
            while (offset < blocks.length) {
                offset += new ResultBlock()
                        .wrap(blocks, offset, blocks.length - offset)
                        .validate()
                        .totalBytes();
                count++;
            }
            assertThat(count).isEqualTo(500);
        }
        fixture.call("P", 0);
        assertThat(fixture.execution().replyBlocks()).isEmpty();
    }

    @Test
    void textOfObjectsIsTheSameEverywhereOrRefused() {
        ProcedureFixture fixture = new ProcedureFixture().run("P", """
                record Point(int x, Object y) {}
                record Named(String n) { public String toString() { return "Named " + n; } }
                enum Colour { RED }
                static final class Plain { }
                public Rows run(ProcedureContext context, int which) {
                    Object value = switch (which) { case 0 -> List.of(1, "a", new BigDecimal("1.0")); case 1 -> new Point(1, new Point(2, null));
                        case 2 -> new Named("x"); case 3 -> Colour.RED; case 4 -> new TreeMap<>(java.util.Collections.singletonMap("k", Optional.of(3)));
                        case 5 -> new Plain(); case 6 -> new int[1]; default -> new Point(1, new Object()); };
                    return context.table("text").row("<" + value + ">").build();
                }""");
        String[] texts = {
            "<[1, a, 1.0]>", "<Point[x=1, y=Point[x=2, y=null]]>", "<Named x>", "<RED>", "<{k=Optional[3]}>"
        };
        for (int i = 0; i < texts.length; i++) {
            ResultBlock row = fixture.table("P", i);
            row.next();
            assertThat(row.string(0)).isEqualTo(texts[i]);
        }
        for (int i = 5; i < 8; i++) {
            int which = i;
            assertThatThrownBy(() -> fixture.call("P", which))
                    .hasMessageContaining("has no text that is the same everywhere");
        }
    }
}
