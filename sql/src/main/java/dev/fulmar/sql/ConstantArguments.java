package dev.fulmar.sql;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.QueryParser;
import dev.fulmar.sql.ddl.InvocationParser;
import dev.fulmar.sql.planner.StatementPlanner;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;

/** Computes the constants that a statement passes to a procedure, by planning each as a query of one value. */
record ConstantArguments(QueryParser parser) implements InvocationParser.Constants {
    @Override
    public Expression of(String text, Position position) {
        PlanningTurn.goOn(); // each of many takes a plan of its own
        try {
            return StatementPlanner.constant(parser.parse("VALUES (" + text + ")", Catalog.empty()));
        } catch (FulmarException e) {
            throw SqlErrors.at(e.code(), position, "the argument " + text + ": " + e.getMessage());
        } catch (IllegalStateException e) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    position,
                    "the argument " + text + " reads rows; read them before, or in the procedure");
        }
    }
}
