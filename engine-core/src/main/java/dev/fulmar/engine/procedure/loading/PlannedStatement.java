package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.procedure.ProcedureStatement;

/** A statement of a procedure that is being loaded. */
record PlannedStatement(StatementPlan plan, ProcedureStatement statement) {}
