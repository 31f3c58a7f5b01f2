package dev.fulmar.engine.procedure.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.procedure.SourceJar;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

class ProcedureScanTest {
    private static final LibraryRules RULES = LibraryRules.load();

    /** A statement, and what is wrong with it. */
    private static final String NOT_REPEATABLE = """
            x = System.nanoTime();                                          | CLOCK
            x = System.currentTimeMillis();                                 | CLOCK
            x = Instant.now().getEpochSecond();                             | CLOCK
            x = LocalDate.now().toEpochDay();                               | CLOCK
            x = new Date().getTime();                                       | CLOCK
            x = Clock.systemUTC().millis();                                 | CLOCK
            x = new Random().nextInt();                                     | RANDOM
            x = UUID.randomUUID().hashCode();                               | RANDOM
            x = (long) (Math.random() * 10);                                | RANDOM
            x = java.util.concurrent.ThreadLocalRandom.current().nextInt(); | RANDOM
            x = new java.security.SecureRandom().nextInt();                 | RANDOM
            Collections.shuffle(new ArrayList<>(List.of(1, 2)));            | RANDOM
            x = new HashMap<String, String>().size();                       | UNORDERED
            x = new HashSet<String>().size();                               | UNORDERED
            for (String s : Set.of("a", "b")) { x += s.length(); }          | UNORDERED
            x = Map.of("a", "b").keySet().iterator().next().length();       | UNORDERED
            x = List.of(1).stream().collect(java.util.stream.Collectors.toSet()).size(); | UNORDERED
            x = List.of(1).stream().collect(java.util.stream.Collectors.groupingBy(i -> i)).size(); | UNORDERED
            x = new Object().hashCode();                                    | IDENTITY
            x = System.identityHashCode(this);                              | IDENTITY
            x = Colour.RED.hashCode();                                      | IDENTITY
            x = new Point(1, this).hashCode();                              | IDENTITY
            x = Objects.hash(this);                                         | IDENTITY
            x = super.toString().length();                                  | IDENTITY
            x = Arrays.hashCode(new Object[] {this});                       | IDENTITY
            x = "a".toUpperCase().length();                                 | SETTINGS
            x = "ä".getBytes().length;                                      | SETTINGS
            x = String.format("%d", x).length();                            | SETTINGS
            x = System.getenv().size();                                     | SETTINGS
            x = ZoneId.of("Europe/Berlin").getId().length();                | SETTINGS
            x = (long) Math.sin(x);                                         | PLATFORM
            x = new Exception().getStackTrace().length;                     | PLATFORM
            """;

    private static final String FORBIDDEN = """
            new Thread(() -> {}).start();                                   | THREAD
            Thread.sleep(10);                                               | THREAD
            synchronized (this) { x++; }                                    | THREAD
            this.wait();                                                    | THREAD
            x = List.of(1).parallelStream().count();                        | THREAD
            x = List.of(1).stream().parallel().count();                     | THREAD
            x = new java.util.concurrent.atomic.AtomicLong().get();         | THREAD
            new java.util.Timer();                                          | THREAD
            ThreadLocal<String> t = new ThreadLocal<>();                    | THREAD
            System.out.println(x);                                          | IO
            new java.io.File("x").delete();                                 | IO
            new java.net.Socket("localhost", 1);                            | IO
            java.nio.file.Files.delete(java.nio.file.Path.of("x"));         | IO
            new Scanner("x");                                               | IO
            new RuntimeException().printStackTrace();                       | IO
            Class.forName("shop.P");                                        | REFLECTION
            P.class.getMethods();                                           | REFLECTION
            P.class.getClassLoader();                                       | REFLECTION
            java.lang.reflect.Array.newInstance(int.class, 3);              | REFLECTION
            java.lang.invoke.MethodHandles.lookup();                        | REFLECTION
            ServiceLoader.load(P.class);                                    | REFLECTION
            System.exit(1);                                                 | PROCESS
            Runtime.getRuntime().halt(1);                                   | PROCESS
            new ProcessBuilder("ls").start();                               | PROCESS
            System.loadLibrary("x");                                        | PROCESS
            System.gc();                                                    | PROCESS
            java.lang.foreign.Arena.global();                               | PROCESS
            "a".intern();                                                   | PROCESS
            x = java.util.stream.LongStream.range(0, Long.MAX_VALUE).sum(); | ENDLESS
            x = java.util.stream.Stream.generate(() -> 1).count();          | ENDLESS
            x = Collections.nCopies(1_000_000_000, "a").size();             | ENDLESS
            x = new BigInteger("17").modPow(BigInteger.TEN, BigInteger.TWO).longValue(); | ENDLESS
            Function<Object, String> f = String::valueOf;                   | REFERENCE
            x = java.util.regex.Pattern.compile("a").asPredicate().test("a") ? 1 : 0; | ENDLESS
            """;

    private record Row(String statement, Effect effect) {}

    private static List<Row> rows(String table) {
        return table.lines()
                .map(line -> line.split("\\|(?=[^|]*$)"))
                .map(cells -> new Row(cells[0].strip(), Effect.valueOf(cells[1].strip())))
                .toList();
    }

    /** One procedure with a method per row, whose third line is the statement. */
    private static ProcedureScan scanRows(String annotation, List<Row> rows) {
        StringBuilder text = new StringBuilder(annotation
                + "public class P implements Procedure { enum Colour { RED, GREEN } record Point(int x, Object o) {}"
                + " public void run(ProcedureContext context) {}");
        for (int i = 0; i < rows.size(); i++) {
            text.append("\nlong m").append(i).append("(long x) throws Throwable {\n");
            text.append(rows.get(i).statement()).append("\nreturn x; }");
        }
        return scan(new SourceJar().add("P", text.append("}").toString()));
    }

    private static void assertRows(List<Finding> findings, List<Row> rows) {
        SoftAssertions.assertSoftly(softly -> {
            for (int i = 0; i < rows.size(); i++) {
                String method = "m" + i;
                Effect effect = rows.get(i).effect();
                int line = 3 * i + 3;
                softly.assertThat(findings.stream()
                                .filter(finding -> finding.method().equals(method)))
                        .as(rows.get(i).statement())
                        .anyMatch(finding -> finding.effect() == effect
                                && finding.line() == line
                                && finding.className().equals("shop.P"));
            }
        });
    }

    private static ProcedureScan scan(SourceJar jar) {
        Map<String, byte[]> classes = jar.compile();
        return ProcedureScan.of("shop/P", classes::get, RULES);
    }

    @Test
    void whatCannotBeRepeatedIsFoundWithItsLine() {
        List<Row> rows = rows(NOT_REPEATABLE);
        ProcedureScan scan = scanRows("", rows);

        assertRows(scan.findings(), rows);
        assertThat(scan.refusals()).isEqualTo(scan.findings());
        assertThat(scan.findings())
                .noneMatch(finding -> finding.effect().severity().isForbidden());
    }

    @Test
    void whatThreatensTheNodeIsRefusedAlways() {
        List<Row> rows = rows(FORBIDDEN);
        ProcedureScan scan = scanRows("@LogValues ", rows);

        assertThat(scan.logValues()).isTrue();
        assertRows(scan.refusals(), rows);
    }

    @Test
    void stateThatOutlivesACallIsFound() {
        ProcedureScan scan = scan(new SourceJar().add("P", """
                public class P implements Procedure {
                    static int calls;
                    static final int[] array = new int[1];
                    static final List<String> names = new ArrayList<>();
                    static final Object lock = new Object();
                    static final StringBuilder text = new StringBuilder();
                    int counter;
                    private final List<String> own = new ArrayList<>();
                    static final Box box = new Box();
                    final long fixed = 3;
                    public void run(ProcedureContext context) {}
                    static final class Box { int value; }
                }"""));

        assertThat(scan.findings()).extracting(Finding::effect).containsOnly(Effect.STATE);
        assertThat(scan.findings())
                .extracting(Finding::what)
                .containsExactlyInAnyOrder(
                        "the static field calls",
                        "the static field array",
                        "the static field names",
                        "the static field lock",
                        "the static field text",
                        "the field counter",
                        "the field own",
                        "the static field box");
        assertThat(scan.findings())
                .filteredOn(finding -> finding.what().endsWith("names"))
                .extracting(Finding::line)
                .containsExactly(4);
    }

    @Test
    void nativeSynchronizedAndFinalizeAreRefused() {
        ProcedureScan scan = scan(new SourceJar().add("P", """
                public class P implements Procedure {
                    public void run(ProcedureContext context) {}
                    native void a();
                    synchronized void b() {}
                    protected void finalize() {}
                }"""));

        assertThat(scan.refusals()).extracting(Finding::method).containsExactlyInAnyOrder("a", "b", "finalize");
    }

    @Test
    void whatAHelperClassDoesCountsToo() {
        ProcedureScan scan = scan(new SourceJar()
                .add(
                        "P",
                        "public class P implements Procedure { public long run(ProcedureContext c) { return Helper.now(); } }")
                .add("Helper", "class Helper {\n static long now() {\n return System.nanoTime(); } }")
                .add("Unused", "class Unused { static void x() { System.exit(1); } }"));

        assertThat(scan.findings()).hasSize(1);
        assertThat(scan.findings().getFirst().toString())
                .isEqualTo(
                        "shop.Helper.now, line 3: java.lang.System.nanoTime reads a clock; use now() of the context");
    }

    @Test
    void aLambdaAndAMethodReferenceAreSeen() {
        ProcedureScan scan = scan(new SourceJar().add("P", """
                public class P implements Procedure {
                    public long run(ProcedureContext c) {
                        LongSupplier a = () -> System.nanoTime();
                        LongSupplier b = System::currentTimeMillis;
                        return a.getAsLong() + b.getAsLong();
                    }
                }"""));

        assertThat(scan.findings()).extracting(Finding::line).containsExactlyInAnyOrder(3, 4);
    }

    @Test
    void inheritedMethodsAreThoseOfTheLibrary() {
        ProcedureScan scan = scan(new SourceJar().add("P", """
                public class P implements Procedure {
                    static final class Names extends ArrayList<String> {}
                    public long run(ProcedureContext c) throws Exception {
                        Names names = new Names();
                        names.parallelStream();
                        names.wait();
                        return names.size();
                    }
                }"""));

        assertThat(scan.refusals()).extracting(Finding::line).containsExactlyInAnyOrder(5, 6);
    }

    @Test
    void logValuesLetsTheHarmlessPass() {
        ProcedureScan scan = scan(new SourceJar().add("P", """
                @LogValues public class P implements Procedure {
                    public long run(ProcedureContext c) { return System.nanoTime() + new HashMap<String, String>().size(); }
                }"""));

        assertThat(scan.findings()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(scan.refusals()).isEmpty();
    }

    @Test
    void aReaderSaysWhetherAnOldStateWillDo() {
        String body = " public class P implements Procedure { public long run(ProcedureContext c) { return 1; } }";
        assertThat(scan(new SourceJar().add("P", "@ReadOnly" + body)).anySnapshot())
                .isFalse();
        assertThat(scan(new SourceJar().add("P", "@ReadOnly(consistency = ReadOnly.Consistency.SNAPSHOT)" + body))
                        .anySnapshot())
                .isTrue();
        assertThat(scan(new SourceJar().add("P", body)).anySnapshot()).isFalse();
    }

    @Test
    void usualCodeIsAllowed() {
        ProcedureScan scan = scan(new SourceJar().add("P", """
                @ReadOnly public class P implements Procedure {
                    static final Statement S = Statement.of("SELECT 1").expecting(Expectation.SCALAR);
                    static final String NAME = "a";
                    static final List<String> NAMES = List.of("a", "b", "c");
                    static final Map<String, Integer> CODES = Collections.unmodifiableMap(new TreeMap<>());
                    static final BigDecimal RATE = new BigDecimal("0.07");
                    static final Comparator<String> ORDER = Comparator.comparing(String::length);
                    static final Function<String, Integer> LENGTH = s -> s.length();
                    static final Limits LIMITS = new Limits(1, "x", Kind.LARGE);
                    enum Kind { SMALL, LARGE { int size() { return 9; } }; int size() { return 1; } }
                    record Limits(int a, String b, Kind kind) {}
                    sealed interface Shape permits Circle, Square {}
                    record Circle(double r) implements Shape {}
                    record Square(double a) implements Shape {}
                    public Rows[] run(ProcedureContext context, int[] items, String text) {
                        TreeMap<String, Integer> counts = new TreeMap<>();
                        LinkedHashMap<Kind, List<Integer>> byKind = new LinkedHashMap<>();
                        EnumMap<Kind, Integer> kinds = new EnumMap<>(Kind.class);
                        for (String part : text.split(",")) { counts.merge(part.trim(), 1, Integer::sum); }
                        for (int item : items) { byKind.computeIfAbsent(Kind.SMALL, k -> new ArrayList<>()).add(item); }
                        Shape shape = items.length > 3 ? new Circle(1) : new Square(2);
                        double area = switch (shape) { case Circle(double r) -> 3 * r; case Square s when s.a() > 1 -> s.a(); case Square s -> 0; };
                        int size = switch (text) { case "a" -> 1; case "b" -> 2; default -> 3; };
                        switch (LIMITS.kind()) { case SMALL -> size++; case LARGE -> size--; }
                        String message = "items " + items.length + " of " + NAME + " " + RATE + " " + Kind.LARGE + area;
                        int sum = Arrays.stream(items).filter(i -> i > 2).sum();
                        List<Integer> sorted = byKind.values().stream().flatMap(List::stream).sorted().toList();
                        if (sorted.isEmpty()) { throw context.abort(message); }
                        StringBuilder builder = new StringBuilder();
                        for (Map.Entry<String, Integer> entry : counts.entrySet()) { builder.append(entry.getKey()).append(entry.getValue()); }
                        try { size = Integer.parseInt(text); } catch (NumberFormatException e) { size = -1; } finally { size++; }
                        LocalDate day = LocalDate.ofInstant(context.now(), ZoneOffset.UTC).plusDays(3);
                        int[][] grid = new int[3][4];
                        grid[1] = items.clone();
                        Object o = sum;
                        if (o instanceof Integer i && i > 3) { size += i; }
                        kinds.put(Kind.SMALL, size);
                        context.queue(S).with(text).with(sum).withObject(o);
                        Results results = context.execute();
                        return new Rows[] {results.rows(0), context.table("a", "b").row(day, message.toUpperCase(Locale.ROOT)).build()};
                    }
                }"""));

        assertThat(scan.findings()).isEmpty();
        assertThat(scan.readOnly()).isTrue();
        assertThat(scan.classes().models().keySet())
                .contains("shop/P", "shop/P$Kind", "shop/P$Kind$1", "shop/P$Square");
    }

    @Test
    void anythingUnknownIsRefused() {
        ProcedureScan scan = scan(new SourceJar()
                .add(
                        "P",
                        "public class P implements Procedure {"
                                + " public void run(ProcedureContext context) throws Exception { javax.crypto.Cipher.getInstance(\"AES\"); new java.text.SimpleDateFormat(\"x\");"
                                + " new java.util.BitSet(); } }"));

        assertThat(scan.findings()).isNotEmpty();
        List<Effect> effects = scan.findings().stream().map(Finding::effect).toList();
        assertThat(effects).contains(Effect.UNLISTED, Effect.SETTINGS, Effect.IO);
    }
}
