package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.StatementPlan;

/** Compiles plans to statements that partitions run. */
public final class StatementCompiler {
    private StatementCompiler() {}

    /** Compiles a plan made against the catalog; to be compiled again when a table or index that it uses changes. */
    public static CompiledStatement compile(Catalog catalog, StatementPlan plan) {
        return new CompiledStatement(catalog, plan);
    }
}
