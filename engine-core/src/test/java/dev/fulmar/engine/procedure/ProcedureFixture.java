package dev.fulmar.engine.procedure;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.invocation.ProcedureExecution;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJar;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.foundation.time.real.SystemClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Procedures from source, loaded and called. */
public final class ProcedureFixture {
    public static final long TIME_MICROS = 1_700_000_000_123_456L;
    public static final long SEED = 42;

    private static final int MAX_RESULT_BYTES = 1 << 20;
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();

    private final Clock clock = new SystemClock();
    private final FakeSql sql = new FakeSql();
    private final FakeStatements statements = new FakeStatements();
    private final SourceJar sources = new SourceJar();
    private final List<ProcedureDefinition> definitions = new ArrayList<>();
    private final ProcedureExecution execution =
            new ProcedureExecution(clock, THREADS::getCurrentThreadAllocatedBytes, MAX_RESULT_BYTES);
    private BudgetLimits limits = BudgetLimits.DEFAULT;
    private @Nullable ProcedureRegistry registry;

    /** Adds a class of the package {@code shop} and a multi-partition procedure of its name. */
    public ProcedureFixture procedure(String name, String text) {
        sources.add(name, text);
        definitions.add(
                new ProcedureDefinition(name, Optional.empty(), new ProcedureDefinition.JavaClass("shop." + name, "")));
        return this;
    }

    /** Adds a procedure whose class has only this method {@code run} and what follows it. */
    public ProcedureFixture run(String name, String method) {
        return procedure(name, "public class " + name + " implements Procedure {\n" + method + "\n}");
    }

    public ProcedureFixture limits(BudgetLimits newLimits) {
        limits = newLimits;
        return this;
    }

    public FakeSql sql() {
        return sql;
    }

    public FakeStatements statements() {
        return statements;
    }

    public ProcedureExecution execution() {
        return execution;
    }

    public ProcedureLoader loader() {
        return new ProcedureLoader(sql, name -> null, clock, LoadingLimits.DEFAULT);
    }

    public ProcedureRegistry registry() {
        ProcedureRegistry known = registry;
        if (known == null) {
            ProcedureJar jar = ProcedureJar.of(sources.jar(), LoadingLimits.DEFAULT);
            Catalog catalog = Catalog.empty();
            for (ProcedureDefinition definition : definitions) {
                catalog = catalog.withProcedure(ProcedureJars.NONE.with(jar).resolve(definition));
            }
            known = loader().load(catalog, ProcedureJars.NONE.with(jar), ProcedureRegistry.empty());
            registry = known;
        }
        return known;
    }

    /** Calls the procedure with these values. */
    public ProcedureExecution call(String name, @Nullable Object... values) {
        execution.run(registry().require(name), parameters(values), TIME_MICROS, SEED, limits, statements);
        return execution;
    }

    /** The one value that a call returned. */
    public long value(String name, @Nullable Object... values) {
        return call(name, values).replyValue();
    }

    /** The one table that a call returned. */
    public ResultBlock table(String name, @Nullable Object... values) {
        byte[] blocks = call(name, values).replyBlocks();
        return new ResultBlock().wrap(blocks, 0, blocks.length).validate();
    }

    public static byte[] parameters(@Nullable Object... values) {
        ParameterWriter writer = new ParameterWriter(64, 1 << 20);
        for (Object value : values) {
            writer.addObject(value);
        }
        return writer.toByteArray();
    }
}
