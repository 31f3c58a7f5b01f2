package dev.fulmar.sql;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Any text gets a plan, a change or an error of its author. As a plain test it runs its seeds; with {@code JAZZER_FUZZ=1} it searches. */
class SqlCompilerFuzz {
    private final SqlCompiler compiler = new SqlCompiler();
    private final Catalog catalog = CatalogFixture.of(compiler, PlanFiles.resource("dialect.ddl"));

    @FuzzTest(maxDuration = "10m")
    void anyTextIsAnswered(FuzzedDataProvider data) {
        try {
            compiler.compile(data.consumeRemainingAsString(), catalog);
        } catch (FulmarException e) {
            if (e.code() == ErrorCode.INTERNAL) {
                throw e;
            }
        }
    }
}
