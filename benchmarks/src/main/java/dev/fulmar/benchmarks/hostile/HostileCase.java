package dev.fulmar.benchmarks.hostile;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A request that must fail in one of the right ways.
 *
 * @param expected codes that are right
 * @param request sends it
 */
record HostileCase(String name, Set<ErrorCode> expected, Function<FulmarClient, CallResult> request) {
    HostileCase(String name, ErrorCode expected, Function<FulmarClient, CallResult> request) {
        this(name, Set.of(expected), request);
    }

    /** What is wrong with the outcome; empty if nothing is. */
    Optional<String> surprise(FulmarClient client) {
        try {
            request.apply(client);
            return Optional.of(name + ": succeeded, but must fail with one of " + List.copyOf(expected));
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
}
