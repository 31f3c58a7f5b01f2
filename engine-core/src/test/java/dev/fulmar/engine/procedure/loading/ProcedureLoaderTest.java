package dev.fulmar.engine.procedure.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.ProcedureDefinition.JavaClass;
import dev.fulmar.engine.catalog.ProcedureDefinition.Partitioning;
import dev.fulmar.engine.catalog.ProcedureDefinition.Sql;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.procedure.FakeSql;
import dev.fulmar.engine.procedure.FakeStatements;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.LoadedProcedure.Scope;
import dev.fulmar.engine.procedure.ProcedureFixture;
import dev.fulmar.engine.procedure.ProcedureParameter;
import dev.fulmar.engine.procedure.ReplyKind;
import dev.fulmar.engine.procedure.SourceJar;
import dev.fulmar.engine.procedure.StatementRunner;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.invocation.ProcedureExecution;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.foundation.time.real.SystemClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProcedureLoaderTest {
    private final Clock clock = new SystemClock();
    private final FakeSql sql = new FakeSql();
    private final FakeStatements statements = new FakeStatements();
    private final ProcedureExecution execution = new ProcedureExecution(clock, () -> -1, 1 << 20);
    private ProcedureJars jars = ProcedureJars.NONE;

    private ProcedureLoader loader() {
        return new ProcedureLoader(sql, name -> null, clock, LoadingLimits.DEFAULT);
    }

    private ProcedureRegistry load(Catalog catalog) {
        return loader().load(catalog, jars, ProcedureRegistry.empty());
    }

    private ProcedureJar jar(String className, String text) {
        return ProcedureJar.of(new SourceJar().add(className, text).jar(), LoadingLimits.DEFAULT);
    }

    private Catalog withJava(Catalog catalog, String className, Optional<Partitioning> partitioning) {
        return catalog.withProcedure(
                jars.resolve(new ProcedureDefinition(className, partitioning, new JavaClass("shop." + className, ""))));
    }

    private long value(LoadedProcedure procedure, Object... values) {
        execution.run(procedure, ProcedureFixture.parameters(values), 0, 0, BudgetLimits.DEFAULT, statements);
        return execution.replyValue();
    }

    private static Table table(int id, String name, boolean partitioned, String... columns) {
        List<Column> all = new ArrayList<>();
        for (String column : columns) {
            all.add(new Column(column, ColumnType.of(TypeKind.BIGINT), true, null));
        }
        Index key = new Index(id + 1, name + "_PK", IndexKind.HASH, true, true, List.of(new IndexColumn(0, false)));
        return new Table(
                id, name, all, partitioned ? OptionalInt.of(0) : OptionalInt.empty(), List.of(0), List.of(key));
    }

    private static void refused(Runnable action, ErrorCode code, String... parts) {
        assertThatThrownBy(action::run)
                .isInstanceOf(FulmarException.class)
                .hasMessageContainingAll(parts)
                .extracting(thrown -> ((FulmarException) thrown).code())
                .isEqualTo(code);
    }

    @Test
    void aJavaProcedureIsDescribed() {
        jars = jars.with(jar("Pay", """
                public class Pay implements Procedure {
                    static final Statement READ = Statement.of("SELECT A FROM ORDERS WHERE A = ?").expecting(Expectation.ONE_ROW);
                    static final Statement WRITE = Statement.of("UPDATE ORDERS SET B = ?");
                    static final Statement UNUSED = Statement.of("GARBAGE");
                    public long run(ProcedureContext context, long order, String text, int[] items) {
                        context.queue(WRITE).with(1); context.queue(READ).with(2); return context.execute().size();
                    }
                }"""));
        Catalog catalog = Catalog.empty().withTable(table(1, "ORDERS", true, "A", "B"));
        ProcedureRegistry registry = load(withJava(catalog, "Pay", Optional.of(new Partitioning("ORDERS", "A", 0))));

        LoadedProcedure procedure = registry.require("pay");
        assertThat(registry.find("PAY")).isSameAs(procedure).isSameAs(registry.find("Pay"));
        assertThat(procedure.parameters())
                .extracting(ProcedureParameter::toString)
                .containsExactly("long order", "string text", "int[] items");
        assertThat(procedure.scope()).isEqualTo(Scope.KEYED);
        assertThat(procedure.partitioningParameter()).isZero();
        assertThat(procedure.isReadOnly()).isFalse();
        assertThat(procedure.determinism().commandLogged()).isTrue();
        assertThat(procedure.statements())
                .extracting(statement -> statement.compiled().plan().sql())
                .containsExactly("SELECT A FROM ORDERS WHERE A = ?", "UPDATE ORDERS SET B = ?");
        assertThat(value(procedure, 1L, "x", new int[] {1})).isEqualTo(2);
        assertThat(statements.executed())
                .containsExactly("UPDATE ORDERS SET B = ?[1]", "SELECT A FROM ORDERS WHERE A = ?[2];");
    }

    @Test
    void whatThreatensIsRefusedAndWhatCannotBeRepeatedNeedsTheMark() {
        String body =
                " class P implements Procedure { public long run(ProcedureContext context) {\nreturn System.nanoTime(); } }";
        jars = jars.with(jar("P", "public" + body));
        refused(
                () -> load(withJava(Catalog.empty(), "P", Optional.empty())),
                ErrorCode.PROCEDURE_REFUSED,
                "procedure P: ",
                "shop.P.run, line 2: java.lang.System.nanoTime reads a clock",
                "@LogValues");

        jars = jars.with(jar("P", "@LogValues public" + body));
        LoadedProcedure marked =
                load(withJava(Catalog.empty(), "P", Optional.empty())).require("P");
        assertThat(marked.determinism().commandLogged()).isFalse();
        assertThat(marked.determinism().reasons()).singleElement().asString().contains("line 2");
        assertThat(value(marked)).isNotZero();
        assertThat(marked.scope()).isEqualTo(Scope.ANYWHERE);
    }

    @Test
    void aJarIsReplacedWhileTheOldOneRuns() {
        jars = jars.with(jar(
                "P",
                "public class P implements Procedure { public long run(ProcedureContext context) { return 1; } }"));
        Catalog catalog = withJava(Catalog.empty(), "P", Optional.empty());
        ProcedureRegistry before = load(catalog);
        ProcedureJar second = jar(
                "P", "public class P implements Procedure { public long run(ProcedureContext context) { return 2; } }");
        jars = jars.with(second);
        Catalog changed = ProcedureJars.replaced(catalog, second);
        ProcedureRegistry after = loader().load(changed, jars, before);

        assertThat(value(before.require("P"))).isEqualTo(1);
        assertThat(value(after.require("P"))).isEqualTo(2);
        assertThat(value(before.require("P"))).isEqualTo(1);
        assertThat(((JavaClass) after.require("P").definition().body()).jarDigest())
                .isEqualTo(second.digest())
                .hasSize(64);
        assertThat(jars.usedBy(changed).find(second.digest())).isSameAs(second);
    }

    @Test
    void loadersOfOneJvmMayShareCodeAndKnowOnlyTheirOwnJars() {
        SharedCode shared = SharedCode.among();
        ProcedureLoader one = new ProcedureLoader(sql, name -> null, clock, LoadingLimits.DEFAULT, shared);
        ProcedureLoader other = new ProcedureLoader(sql, name -> null, clock, LoadingLimits.DEFAULT, shared);
        jars = jars.with(jar(
                "P",
                "public class P implements Procedure { public long run(ProcedureContext context) { return 1; } }"));
        Catalog catalog = withJava(Catalog.empty(), "P", Optional.empty());
        LoadedProcedure first =
                one.load(catalog, jars, ProcedureRegistry.empty()).require("P");
        LoadedProcedure second =
                other.load(catalog, jars, ProcedureRegistry.empty()).require("P");

        assertThat(second).isNotSameAs(first);
        assertThat(second.entry()).isSameAs(first.entry());
        assertThat(value(second)).isEqualTo(1);
        assertThat(load(catalog).require("P").entry()).isNotSameAs(first.entry());
        refused(
                () -> other.load(catalog, ProcedureJars.NONE, ProcedureRegistry.empty()),
                ErrorCode.UNKNOWN_OBJECT,
                "LOAD CLASSES");
    }

    @Test
    void whatNothingChangedForIsKept() {
        jars = jars.with(jar("P", """
                public class P implements Procedure {
                    static final Statement READ = Statement.of("SELECT A FROM ORDERS");
                    public Rows run(ProcedureContext context) { return context.query(READ); }
                }"""));
        Catalog catalog =
                withJava(Catalog.empty().withTable(table(1, "ORDERS", true, "A", "B")), "P", Optional.empty());
        ProcedureRegistry first = load(catalog);
        ProcedureRegistry second = loader().load(catalog.withTable(table(5, "OTHERS", true, "A", "B")), jars, first);
        ProcedureRegistry third =
                loader().load(catalog.withTable(table(9, "ORDERS", true, "A", "B", "C")), jars, second);

        assertThat(second.require("P")).isSameAs(first.require("P"));
        assertThat(second.require("ORDERS.insert")).isSameAs(first.require("orders.INSERT"));
        assertThat(second.find("OTHERS.insert")).isNotNull();
        assertThat(third.require("P")).isNotSameAs(first.require("P"));
        assertThat(third.require("ORDERS.insert").parameters()).hasSize(3);
    }

    @Test
    void tablesHaveAutomaticProcedures() {
        Catalog catalog = Catalog.empty()
                .withTable(table(1, "ORDERS", true, "A", "B", "C"))
                .withTable(table(5, "ITEMS", false, "A", "B"))
                .withTable(table(9, "KEYS", true, "A"));
        ProcedureRegistry registry = load(catalog);

        assertThat(registry.procedures().keySet())
                .containsExactly(
                        "ITEMS.DELETE",
                        "ITEMS.INSERT",
                        "ITEMS.SELECT",
                        "ITEMS.UPDATE",
                        "ITEMS.UPSERT",
                        "KEYS.DELETE",
                        "KEYS.INSERT",
                        "KEYS.SELECT",
                        "KEYS.UPSERT",
                        "ORDERS.DELETE",
                        "ORDERS.INSERT",
                        "ORDERS.SELECT",
                        "ORDERS.UPDATE",
                        "ORDERS.UPSERT");
        assertThat(sql.compiled())
                .contains(
                        "SELECT \"A\", \"B\", \"C\" FROM \"ORDERS\" WHERE \"A\" = ?",
                        "INSERT INTO \"ORDERS\" (\"A\", \"B\", \"C\") VALUES (?, ?, ?)",
                        "UPSERT INTO \"ORDERS\" (\"A\", \"B\", \"C\") VALUES (?, ?, ?)",
                        "UPDATE \"ORDERS\" SET \"B\" = ?, \"C\" = ? WHERE \"A\" = ?",
                        "DELETE FROM \"ORDERS\" WHERE \"A\" = ?");
        assertThat(registry.require("ORDERS.update").scope()).isEqualTo(Scope.KEYED);
        assertThat(registry.require("ORDERS.update").partitioningParameter()).isZero();
        assertThat(registry.require("ITEMS.insert").scope()).isEqualTo(Scope.MULTI_PARTITION);
        assertThat(registry.require("ORDERS.select").isReadOnly()).isTrue();

        assertThat(value(registry.require("ORDERS.update"), 1L, 2L, 3L)).isEqualTo(1);
        assertThat(statements.executed().getLast()).endsWith("WHERE \"A\" = ?[2, 3, 1];");
        value(registry.require("ORDERS.select"), 7L);
        assertThat(execution.replyKind()).isEqualTo(ReplyKind.TABLE);
        refused(
                () -> value(registry.require("ORDERS.select"), new int[] {1}),
                ErrorCode.WRONG_PARAMETERS,
                "parameter 1 is an array");
    }

    @Test
    void sqlProceduresRunAsOneBatch() {
        Catalog catalog = Catalog.empty()
                .withTable(table(1, "ORDERS", true, "A", "B"))
                .withProcedure(new ProcedureDefinition(
                        "Two",
                        Optional.of(new Partitioning("ORDERS", "A", 1)),
                        new Sql(List.of("UPDATE ORDERS SET B = ? WHERE A = ?", "SELECT A FROM ORDERS WHERE A = ?"))))
                .withProcedure(
                        new ProcedureDefinition("One", Optional.empty(), new Sql(List.of("DELETE FROM ORDERS"))));
        ProcedureRegistry registry = load(catalog);

        value(registry.require("Two"), 1L, 2L, 3L);
        assertThat(statements.executed())
                .containsExactly("UPDATE ORDERS SET B = ? WHERE A = ?[1, 2]", "SELECT A FROM ORDERS WHERE A = ?[3];");
        assertThat(execution.replyKind()).isEqualTo(ReplyKind.TABLES);
        byte[] blocks = execution.replyBlocks();
        ResultBlock changed = new ResultBlock().wrap(blocks, 0, blocks.length).validate();
        changed.next();
        assertThat(changed.getLong(0)).isEqualTo(1);
        assertThat(value(registry.require("One"))).isEqualTo(1);
        assertThat(registry.require("One").scope()).isEqualTo(Scope.MULTI_PARTITION);
    }

    @Test
    void classesThatAreNoProceduresSayWhy() {
        Map<String, String> refusals = new TreeMap<>();
        refusals.put(
                "class P implements Procedure { public void run(ProcedureContext c) {} }", "must be a public class");
        refusals.put(
                "public class P { public void run(ProcedureContext c) {} }",
                "does not implement dev.fulmar.procedure.Procedure");
        refusals.put("public class P implements Procedure { }", "exactly one public method run");
        refusals.put(
                "public class P implements Procedure { public void run(ProcedureContext c) {} public void run(ProcedureContext c, int a) {} }",
                "but has 2");
        refusals.put(
                "public class P implements Procedure { public int run(ProcedureContext c) { return 1; } }",
                "returns int from run");
        refusals.put(
                "public class P implements Procedure { P(int x) {} public void run(ProcedureContext c) {} }",
                "constructor without parameters");
        refusals.put(
                "public class P implements Procedure { public void run(ProcedureContext c, Integer[] a) {} }",
                "int[], not Integer[]");
        refusals.put(
                "public class P implements Procedure { public void run(ProcedureContext c, List<String> a) {} }",
                "takes a java.util.List");
        refusals.put(
                "public class P implements Procedure { static final Statement S = Statement.of(\"GARBAGE\");"
                        + " public void run(ProcedureContext c) { c.query(S); } }",
                "shop.P.S: line 1, column 1");
        refusals.put(
                "public class P implements Procedure { static final Statement S = Statement.of(\"CREATE TABLE X\");"
                        + " public void run(ProcedureContext c) { c.query(S); } }",
                "changes the catalog");
        refusals.put(
                "@ReadOnly public class P implements Procedure { static final Statement S = Statement.of(\"DELETE FROM X\");"
                        + " public void run(ProcedureContext c) { c.query(S); } }",
                "marked @ReadOnly");
        refusals.put(
                "public class P implements Procedure { static final long X = spin(1); static long spin(long x) { for (;;) { x++; } }"
                        + " public void run(ProcedureContext c) { } }",
                "longer than its time budget of 100 ms");
        refusals.put(
                "public class P implements Procedure { static final int X = Integer.parseInt(\"x\"); public void run(ProcedureContext c) { } }",
                "NumberFormatException");
        LoadingLimits limits =
                new LoadingLimits(1 << 20, 100, 1 << 20, BudgetLimits.DEFAULT.withTimeNanos(100_000_000));
        refusals.forEach((text, message) -> {
            jars = ProcedureJars.NONE.with(jar("P", text));
            ProcedureLoader loader = new ProcedureLoader(sql, name -> null, clock, limits);
            Catalog catalog = withJava(Catalog.empty(), "P", Optional.empty());
            assertThatThrownBy(() -> loader.load(catalog, jars, ProcedureRegistry.empty()))
                    .as(text)
                    .isInstanceOf(FulmarException.class)
                    .hasMessageContaining(message);
        });
    }

    @Test
    void partitioningIsChecked() {
        jars = jars.with(jar(
                "P", "public class P implements Procedure { public void run(ProcedureContext c, int[] a, int b) {} }"));
        Catalog catalog = Catalog.empty().withTable(table(1, "ORDERS", true, "A", "B"));

        refused(
                () -> load(withJava(catalog, "P", Optional.of(new Partitioning("ORDERS", "A", 2)))),
                ErrorCode.PROCEDURE_REFUSED,
                "partitioned by parameter 2 but has only 2");
        refused(
                () -> load(withJava(catalog, "P", Optional.of(new Partitioning("ORDERS", "A", 0)))),
                ErrorCode.PROCEDURE_REFUSED,
                "is an array");
        refused(
                () -> load(withJava(catalog, "P", Optional.of(new Partitioning("ORDERS", "B", 1)))),
                ErrorCode.PROCEDURE_REFUSED,
                "not that table's partitioning column");
        refused(
                () -> load(withJava(catalog, "Q", Optional.empty())),
                ErrorCode.UNKNOWN_OBJECT,
                "there is no class shop.Q");
    }

    @Test
    void jarsAreBoundedAndBringNoForeignClasses() {
        LoadingLimits tight = new LoadingLimits(10_000, 2, 5_000, BudgetLimits.DEFAULT);
        byte[] two = new byte[2];
        refused(() -> ProcedureJar.of(new byte[10_001], tight), ErrorCode.PROCEDURE_REFUSED, "limit of 10000");
        refused(() -> ProcedureJar.of(new byte[10], tight), ErrorCode.PROCEDURE_REFUSED, "no jar with classes");
        refused(
                () -> ProcedureJar.of(SourceJar.pack(Map.of("a/A", two, "a/B", two, "a/C", two)), tight),
                ErrorCode.PROCEDURE_REFUSED,
                "more than 2 classes");
        refused(
                () -> ProcedureJar.of(SourceJar.pack(Map.of("a/A", new byte[6_000])), tight),
                ErrorCode.PROCEDURE_REFUSED,
                "5000 bytes");
        refused(
                () -> ProcedureJar.of(SourceJar.pack(Map.of("dev/fulmar/engine/X", two)), tight),
                ErrorCode.PROCEDURE_REFUSED,
                "its own dev.fulmar.engine.X");
        refused(
                () -> ProcedureJar.of(SourceJar.pack(Map.of("java/lang/X", two)), tight),
                ErrorCode.PROCEDURE_REFUSED,
                "its own java.lang.X");
        jars = jars.with(ProcedureJar.of(SourceJar.pack(Map.of("shop/P", two)), tight));
        refused(() -> load(withJava(Catalog.empty(), "P", Optional.empty())), ErrorCode.PROCEDURE_REFUSED, "malformed");
    }

    @Test
    void codeSeesNothingOfTheEngine() {
        Map<String, byte[]> classes = new SourceJar()
                .add(
                        "P",
                        "public class P implements Procedure { public void run(ProcedureContext c) throws Exception {"
                                + " dev.fulmar.engine.procedure.budget.ExecutionBudget.enter(1); } }")
                .compile();
        jars = jars.with(ProcedureJar.of(SourceJar.pack(classes), LoadingLimits.DEFAULT));

        refused(
                () -> load(withJava(Catalog.empty(), "P", Optional.empty())),
                ErrorCode.PROCEDURE_REFUSED,
                "dev.fulmar.engine.procedure.budget.ExecutionBudget.enter is not in the jar");
    }

    @Test
    void aHotCallAllocatesOnlyWhatItsAuthorWrote() {
        jars = jars.with(jar("Hot", """
                public class Hot implements Procedure {
                    static final Statement READ = Statement.of("SELECT A FROM ORDERS WHERE A = ?").expecting(Expectation.ONE_ROW);
                    static final Statement WRITE = Statement.of("UPDATE ORDERS SET B = ? WHERE A = ?");
                    public long run(ProcedureContext context, int order, long amount, double rate) {
                        for (int i = 0; i < 10; i++) { context.queue(READ).with(order + i); }
                        Results read = context.execute();
                        long sum = 0;
                        for (int i = 0; i < 10; i++) {
                            long value = read.rows(i).first().getLong(0);
                            sum += value;
                            context.queue(WRITE).with(value + amount).with(rate > 1 ? 1 : 0);
                        }
                        context.execute();
                        return sum;
                    }
                }"""));
        Catalog catalog = Catalog.empty().withTable(table(1, "ORDERS", true, "A", "B"));
        LoadedProcedure procedure =
                load(withJava(catalog, "Hot", Optional.empty())).require("Hot");
        byte[] parameters = ProcedureFixture.parameters(3, 4L, 1.5);
        StatementRunner runner = batch -> {
            for (int i = 0; i < batch.size(); i++) {
                if (batch.statement(i).yieldsRows()) {
                    int start = batch.writer().begin(batch.statement(i).shape().layout());
                    batch.writer().startRow();
                    batch.writer().setLong(0, batch.bindings(i).getLong(0));
                    batch.writer().endRow();
                    batch.writer().end();
                    batch.completeRows(start);
                } else {
                    batch.completeChange(1);
                }
            }
        };
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        ProcedureExecution hot = new ProcedureExecution(clock, threads::getCurrentThreadAllocatedBytes, 1 << 20);
        int calls = 20_000;
        long allocated = 0;
        for (int round = 0; round < 3; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < calls; i++) {
                hot.run(procedure, parameters, i, i, BudgetLimits.DEFAULT, runner);
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(hot.replyValue()).isEqualTo(10 * 3 + 45);
        // The procedure's own object, and nothing for its 20 statements and 10 rows.
        assertThat(allocated / calls).isLessThanOrEqualTo(24);
    }

    @Test
    void afterARestartAutomaticProceduresArePlannedWhenTheyAreFirstAskedFor() {
        Catalog catalog = Catalog.empty()
                .withTable(table(1, "ORDERS", true, "A", "B"))
                .withTable(table(5, "ITEMS", false, "A", "B"));
        ProcedureRegistry registry = loader().loadAgain(catalog, jars, List.of(ProcedureRegistry.empty()));
        assertThat(sql.compiled()).isEmpty();

        LoadedProcedure procedure = registry.require("ORDERS.insert");
        assertThat(procedure.parameters()).hasSize(2);
        assertThat(procedure.partitioningParameter()).isZero();
        assertThat(procedure.isPlanned()).isFalse();

        assertThat(procedure.scope()).isEqualTo(Scope.KEYED);
        assertThat(procedure.isReadOnly()).isFalse();
        assertThat(procedure.isPlanned()).isTrue();
        assertThat(procedure.statements()).isSameAs(procedure.statements());
        assertThat(sql.compiled()).containsExactly("INSERT INTO \"ORDERS\" (\"A\", \"B\") VALUES (?, ?)");

        ProcedureRegistry now = load(catalog);
        assertThat(now.procedures().values()).allMatch(LoadedProcedure::isPlanned);
        assertThat(now.require("ORDERS.insert").scope()).isEqualTo(procedure.scope());
    }

    @Test
    void whatAnyRegistryHasIsTakenFromThereAndNeverWhatItsTablesWereLater() {
        Catalog first = Catalog.empty().withTable(table(1, "ORDERS", false, "A", "B"));
        Catalog second = first.withTable(table(5, "ITEMS", true, "A", "B"));
        Catalog newest = second.withTable(table(1, "ORDERS", true, "A", "B"));
        ProcedureRegistry ofNewest = loader().loadAgain(newest, jars, List.of(ProcedureRegistry.empty()));
        ProcedureRegistry ofFirst = loader().loadAgain(first, jars, List.of(ofNewest));
        ProcedureRegistry ofSecond = loader().loadAgain(second, jars, List.of(ofNewest, ofFirst));
        assertThat(ofFirst.require("ORDERS.insert")).isNotSameAs(ofNewest.require("ORDERS.insert"));
        assertThat(ofFirst.require("ORDERS.insert").partitioningParameter()).isEqualTo(-1);
        assertThat(ofSecond.require("ORDERS.insert")).isSameAs(ofFirst.require("ORDERS.insert"));
        assertThat(ofSecond.require("ITEMS.insert")).isSameAs(ofNewest.require("ITEMS.insert"));
    }
}
