package dev.fulmar.engine.procedure.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.ProcedureFixture;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class HostileProceduresTest {
    private static final BudgetLimits LIMITS = new BudgetLimits(100_000_000, 64 << 20, 8 << 20, 8 << 10);

    /** Bodies of {@code run(ProcedureContext context, long x)}; each would end the node or never end. */
    private static final Map<String, String> BODIES = new LinkedHashMap<>();

    static {
        BODIES.put("EmptyLoop", "while (true) { }");
        BODIES.put("CountingLoop", "long i = 0; do { i++; } while (i != -1); return i;");
        BODIES.put("SwitchLoop", "int i = 0; for (;;) { switch (i) { case 0: continue; default: i = 0; } }");
        BODIES.put("Swallows", "for (;;) { try { for (;;) { x++; } } catch (Throwable t) { x--; } }");
        BODIES.put("SwallowsOnce", "try { for (;;) { x++; } } catch (Throwable t) { } return 7;");
        BODIES.put("FinallyReturns", "try { for (;;) { x++; } } finally { return 7; }");
        BODIES.put("FinallyLoops", "try { for (;;) { x++; } } finally { for (;;) { x--; } }");
        BODIES.put(
                "CatchesInCaller",
                "return caught(x); } long caught(long x) { try { return endless(x); } catch (Throwable t) {"
                        + " return caught(x); } } long endless(long x) { for (;;) { x++; }");
        BODIES.put("Recursion", "return down(x); } static long down(long x) { return down(x + 1) + 1;");
        BODIES.put(
                "MutualRecursion",
                "return a(x); } static long a(long x) { return b(x) + 1; } static long b(long x) { return a(x) + 1;");
        BODIES.put(
                "RecursionSwallowed",
                "return down(x); } static long down(long x) { try { return down(x + 1); } catch (Throwable t) {"
                        + " return down(x); }");
        BODIES.put(
                "BranchingCalls",
                "return fib(90); } static long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2);");
        BODIES.put("StraightCalls", doubling());
        BODIES.put(
                "LambdaRecursion",
                "Function<Object, Object>[] f = new Function[1]; f[0] = o -> f[0].apply(o);"
                        + " return (Long) f[0].apply(x);");
        BODIES.put("ComparatorLoop", "new ArrayList<>(List.of(1, 2, 3)).sort((a, b) -> { for (;;) { } }); return 1;");
        BODIES.put(
                "EndlessIterator",
                "Iterable<Integer> all = () -> new Iterator<>() { public boolean hasNext() { return true; }"
                        + " public Integer next() { return 1; } }; new ArrayList<Integer>() {}.addAll(new AbstractList<>() {"
                        + " public Integer get(int i) { return 1; } public int size() { return 2_000_000_000; } }); all.forEach(i -> {}); return 1;");
        BODIES.put(
                "StreamOfLambdas",
                "return List.of(1).stream().mapMulti((Integer i, Consumer<Integer> c) -> { for (;;) { c.accept(1); } }).count();");
        BODIES.put("HugeArray", "return new long[2_000_000_000].length;");
        BODIES.put("HugeObjects", "return new String[100_000_000].length;");
        BODIES.put("HugeGrid", "return new int[100_000][100_000].length;");
        BODIES.put("ManyArrays", "List<byte[]> all = new ArrayList<>(); for (;;) { all.add(new byte[1 << 20]); }");
        BODIES.put(
                "ManyObjects",
                "List<Object> all = new LinkedList<>(); for (;;) { all.add(new Object[0]); all.add(List.of(x)); }");
        BODIES.put("DoublingText", "String s = \"ab\"; for (int i = 0; i < 60; i++) { s = s + s; } return s.length();");
        BODIES.put(
                "DoublingBuilder",
                "StringBuilder s = new StringBuilder(\"ab\"); for (int i = 0; i < 60; i++) { s.append(s); } return s.length();");
        BODIES.put(
                "DoublingList",
                "List<Object> l = new ArrayList<>(List.of(1)); for (int i = 0; i < 60; i++) { l.addAll(l); } return l.size();");
        BODIES.put("Repeat", "return \"abc\".repeat(1_000_000_000).length();");
        BODIES.put("BigCapacity", "return new ArrayList<Object>(2_000_000_000).size();");
        BODIES.put("CopyOf", "return Arrays.copyOf(new int[1], 2_000_000_000).length;");
        BODIES.put(
                "Regex",
                "return \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\".matches(\"(a+)+\\\\1b\") ? 1 : 0;");
        BODIES.put(
                "RegexReplace",
                "return \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\".replaceAll(\"(a|a)*\\\\1b\", \"\").length();");
        BODIES.put(
                "RegexSplit",
                "return \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\".split(\"(a|aa)+\\\\1b\").length;");
        BODIES.put(
                "PatternFind",
                "return java.util.regex.Pattern.compile(\"(x+)+\\\\1y\").matcher("
                        + "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\").find() ? 1 : 0;");
        BODIES.put("SelfText", "List<Object> l = new ArrayList<>(); l.add(l); return l.toString().length();");
        BODIES.put(
                "SlowWorkInLoop", "long[] a = new long[500_000]; for (;;) { Arrays.fill(a, x); Arrays.sort(a); x++; }");
        BODIES.put(
                "BigMultiply",
                "BigInteger n = BigInteger.TEN; for (;;) { n = n.multiply(n).mod(new BigInteger(\"9\".repeat(9000))); }");
    }

    /** A tree of calls without loop or recursion that would take 2^50 steps. */
    private static String doubling() {
        StringBuilder text = new StringBuilder("return f0(x);");
        for (int i = 0; i < 50; i++) {
            text.append("} static long f")
                    .append(i)
                    .append("(long x) { return f")
                    .append(i + 1)
                    .append("(x) + f")
                    .append(i + 1)
                    .append("(x);");
        }
        return text.append("} static long f50(long x) { return x;").toString();
    }

    private static final ProcedureFixture FIXTURE = new ProcedureFixture();

    static {
        BODIES.forEach((name, body) ->
                FIXTURE.run(name, "public long run(ProcedureContext context, long x) { " + body + " }"));
        FIXTURE.run("Harmless", """
                public long run(ProcedureContext context, long x) {
                    long sum = 0;
                    for (int i = 0; i < 1000; i++) { sum += "a,b".split(",").length; }
                    return sum;
                }""");
    }

    static Stream<String> names() {
        return BODIES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void endsAloneAndTheNextCallRuns(String name) {
        assertThatThrownBy(() -> FIXTURE.limits(LIMITS).call(name, 0L)).satisfies(thrown -> {
            assertThat(thrown).isInstanceOf(FulmarException.class);
            assertThat(((FulmarException) thrown).code())
                    .as(thrown.toString())
                    .isEqualTo(codeFor(String.valueOf(thrown.getMessage())));
            assertThat(thrown).hasMessageStartingWith(name + " was stopped: ");
        });
        assertThat(FIXTURE.limits(BudgetLimits.DEFAULT).value("Harmless", 0L)).isEqualTo(2000);
    }

    /** The text has always said which budget it was; the code says the same. */
    private static ErrorCode codeFor(String message) {
        if (message.contains("longer than its time budget")) {
            return ErrorCode.PROCEDURE_TIME_BUDGET;
        } else if (message.contains("nested too deeply")) {
            return ErrorCode.PROCEDURE_DEPTH_BUDGET;
        } else if (message.contains("wants an object of")) {
            return ErrorCode.PROCEDURE_OBJECT_BUDGET;
        }
        return ErrorCode.PROCEDURE_MEMORY_BUDGET;
    }

    @Test
    void anInterruptedCallEndsWithTheSignalWhateverItCatches() throws InterruptedException {
        ProcedureFixture fixture = new ProcedureFixture().run("Busy", """
                public long run(ProcedureContext context, long x) {
                    for (;;) { try { for (;;) { x++; } } catch (Throwable t) { x = 0; } }
                }""");
        fixture.registry();
        Wound wound = new Wound();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                fixture.call("Busy", 0L);
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        caller.start();
        // A call that has not begun knows nothing of it.
        while (caller.isAlive()) {
            fixture.execution().interrupt(wound);
            caller.join(Duration.ofMillis(1));
        }

        assertThat(thrown.get()).isSameAs(wound);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void smallObjectsAreCountedOnEveryKindOfThread(boolean virtual) throws InterruptedException {
        ProcedureFixture fixture = new ProcedureFixture()
                .run("Chain", """
                public long run(ProcedureContext context, long x) {
                    Node last = null;
                    for (;;) { last = new Node(last); }
                }
                static final class Node { final Node before; Node(Node before) { this.before = before; } }""")
                .limits(new BudgetLimits(25_000_000_000L, 8 << 20, 1 << 20, 8 << 10));
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Runnable call = () -> {
            try {
                fixture.call("Chain", 0L);
            } catch (FulmarException e) {
                thrown.set(e);
            }
        };

        (virtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(call).join();

        assertThat(thrown.get()).hasMessageContaining("allocated more than 8 MiB");
    }

    @Test
    void whatEarlierCallsAllocatedOnTheThreadIsNotCharged() {
        ProcedureFixture fixture = new ProcedureFixture()
                .run("Modest", """
                public long run(ProcedureContext context, long x) {
                    long sum = 0;
                    for (int i = 0; i < 3_000; i++) { sum += new long[100].length; }
                    return sum;
                }""")
                .limits(new BudgetLimits(25_000_000_000L, 8 << 20, 1 << 20, 8 << 10));

        for (int i = 0; i < 20; i++) {
            assertThat(fixture.value("Modest", 0L)).isEqualTo(300_000);
        }
    }

    @Test
    void recursionWithinTheLimitRuns() {
        ProcedureFixture fixture = new ProcedureFixture().run("Down", """
                public long run(ProcedureContext context, long x) { return down(x); }
                static long down(long x) { return x == 0 ? 0 : down(x - 1) + 1; }""");

        assertThat(fixture.value("Down", 500L)).isEqualTo(500);
        // The depth that exceptions leave behind is given back.
        for (int i = 0; i < 100; i++) {
            assertThat(fixture.value("Down", 500L)).isEqualTo(500);
        }
    }

    @Test
    void depthIsGivenBackWhenAnExceptionIsCaught() {
        ProcedureFixture fixture = new ProcedureFixture().run("Catcher", """
                public long run(ProcedureContext context, long x) {
                    long caught = 0;
                    for (int i = 0; i < 10_000; i++) {
                        try { down(100); } catch (IllegalStateException e) { caught++; }
                    }
                    return caught;
                }
                static long down(long x) { if (x == 0) { throw new IllegalStateException("x"); } return down(x - 1) + 1; }""");

        assertThat(fixture.value("Catcher", 0L)).isEqualTo(10_000);
    }

    /**
     * Their messages are gone once the code is compiled, so a call that saw one may show something else when it is
     * repeated.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x / (x - x)",
                "(new long[1])[(int) x]",
                "((long[]) null).length",
                "((Number) (Object) \"x\").longValue()"
            })
    void anExceptionOfTheMachineMakesACallUnrepeatable(String failing) {
        ProcedureFixture fixture = new ProcedureFixture().run("Sees", """
                public long run(ProcedureContext context, long x) {
                    try { return x == 0 ? own() : %s; } catch (RuntimeException e) { return -1; }
                }
                static long own() { throw new IllegalStateException("always the same"); }""".formatted(failing));

        assertThat(fixture.value("Sees", 7L)).isEqualTo(-1);
        assertThat(fixture.execution().metFailure()).isTrue();
        assertThat(fixture.value("Sees", 0L)).isEqualTo(-1);
        assertThat(fixture.execution().metFailure()).isFalse();
    }

    private static final class Wound extends ControlSignal {
        private static final long serialVersionUID = 1L;

        Wound() {
            super("an older transaction needs the partition");
        }
    }
}
