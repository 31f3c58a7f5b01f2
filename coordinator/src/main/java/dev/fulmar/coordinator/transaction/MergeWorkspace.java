package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.execution.StatementMerge;
import dev.fulmar.engine.execution.StatementRouter;
import dev.fulmar.engine.procedure.ProcedureStatement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The routers and merges of statements, made once and kept while the catalog stays. One thread at a time. */
final class MergeWorkspace {
    /** Each may keep megabytes of working memory; beyond that many statements all are forgotten. */
    private static final int KEPT_STATEMENTS = 64;

    /** The tools of one statement. */
    private static final class Tools {
        final StatementRouter router;

        @Nullable StatementMerge merge;

        Tools(StatementRouter router) {
            this.router = router;
        }
    }

    private final ExecutionContext merges;

    /** Asked for single statements only. */
    private final Map<ProcedureStatement, Tools> known = new HashMap<>();

    private @Nullable Program program;

    /** @param merges where rows are put together */
    MergeWorkspace(ExecutionContext merges) {
        this.merges = merges;
    }

    /** Turns to the statements of a program. */
    void use(Program newProgram) {
        if (newProgram != program) {
            known.clear();
            program = newProgram;
        }
    }

    StatementRouter router(ProcedureStatement statement) {
        return tools(statement).router;
    }

    StatementMerge merge(ProcedureStatement statement) {
        Tools tools = tools(statement);
        StatementMerge merge = tools.merge;
        if (merge == null) {
            merge = statement.compiled().newMerge(merges);
            tools.merge = merge;
        }
        return merge;
    }

    private Tools tools(ProcedureStatement statement) {
        Tools tools = known.get(statement);
        if (tools == null) {
            if (known.size() >= KEPT_STATEMENTS) {
                known.clear();
            }
            tools = new Tools(statement.compiled().newRouter());
            known.put(statement, tools);
        }
        return tools;
    }
}
