package dev.fulmar.engine.execution.expression;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** A number that only the node of the client's connection knows, or draws. It gives that to the statement. */
final class KnownToNode implements LongEvaluator {
    @Override
    public long evaluate(Frame frame) {
        throw new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                "currval, lastval and random numbers come from the node of a client's connection, and no partition has them;"
                        + " pass the value as a parameter");
    }
}
