package dev.fulmar.sql;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Any text gets a plan, a change or an error of its author. As a plain test it runs its stored inputs; with
 * {@code JAZZER_FUZZ=1} it searches, half with any text, half with statements of the dialect whose words were changed,
 * which reach deeper than the parser.
 */
class SqlCompilerFuzz {
    private final SqlCompiler compiler = new SqlCompiler();
    private final Catalog catalog = CatalogFixture.of(compiler, PlanFiles.resource("dialect.ddl"));
    private final ChangedStatements statements = ChangedStatements.of("dialect");

    @FuzzTest(maxDuration = "30m")
    void anyTextIsAnswered(FuzzedDataProvider data) {
        String text = data.consumeBoolean() ? data.consumeRemainingAsString() : statements.next(data);
        try {
            compiler.compile(text, catalog);
        } catch (FulmarException e) {
            if (e.code() == ErrorCode.INTERNAL) {
                throw new AssertionError(text, e);
            }
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError(text, e);
        }
    }
}
