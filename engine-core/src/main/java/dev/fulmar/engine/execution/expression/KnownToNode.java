package dev.fulmar.engine.execution.expression;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** A number that only the node of the client's connection knows. It gives that to the statement as a parameter. */
final class KnownToNode implements LongEvaluator {
    @Override
    public long evaluate(Frame frame) {
        throw new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                "currval and lastval are values of a client's connection, which no partition knows; pass the number as a"
                        + " parameter");
    }
}
