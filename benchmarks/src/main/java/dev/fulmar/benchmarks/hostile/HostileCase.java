package dev.fulmar.benchmarks.hostile;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A request that must fail in one of the right ways.
 *
 * @param expected codes that are right
 * @param request sends it
 */
record HostileCase(String name, Set<ErrorCode> expected, Request request) {
    HostileCase(String name, ErrorCode expected, Request request) {
        this(name, Set.of(expected), request);
    }

    /** The defect of the outcome; empty if there is none. */
    Optional<String> surprise(FulmarClient client) {
        try {
            CallResult result = request.send(client);
            return Optional.of(name + ": succeeded with " + result.resultBytes() + " bytes, but must fail with one of "
                    + List.copyOf(expected));
        } catch (FulmarException e) {
            if (!expected.contains(e.code())) {
                return Optional.of(
                        name + ": failed with " + e.code() + " (" + e.getMessage() + ") instead of " + expected);
            }
            if (e.getMessage() == null || e.getMessage().length() < 10) {
                return Optional.of(name + ": the message does not say what to do: " + e.getMessage());
            }
            return Optional.empty();
        }
    }

    /** Sends a request and waits for its outcome. */
    @FunctionalInterface
    interface Request {
        CallResult send(FulmarClient client);
    }
}
