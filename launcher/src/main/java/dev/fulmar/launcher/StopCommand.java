package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Stops a node. */
@Command(
        name = "stop",
        description = "Stops a node after it has finished what it accepted.",
        mixinStandardHelpOptions = true)
final class StopCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionOptions connection;

    @Override
    public Integer call() {
        try (FulmarClient client = connection.connect(1)) {
            client.call("@Shutdown");
        } catch (FulmarException e) {
            // The node may close the connection before the answer to its own shutdown arrives.
            if (e.code() != ErrorCode.OUTCOME_UNKNOWN && e.code() != ErrorCode.NODE_STOPPING) {
                throw e;
            }
        }
        spec.commandLine().getOut().println("the node stops");
        return 0;
    }
}
