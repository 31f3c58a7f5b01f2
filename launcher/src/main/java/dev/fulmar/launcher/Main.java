package dev.fulmar.launcher;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The root of the command line. Without a subcommand it says what there is. */
@Command(
        name = "fulmar",
        description = "A distributed main-memory SQL database.",
        mixinStandardHelpOptions = true,
        subcommands = {
            DemoCommand.class,
            StartCommand.class,
            PrepareCommand.class,
            StopCommand.class,
            StatusCommand.class,
            ClusterCommand.class,
            PlanCommand.class,
            ReconfigureCommand.class,
            ZooKeeperCommand.class,
            SqlCommand.class,
            LoadCommand.class,
            DumpCommand.class,
            BenchCommand.class,
            VerifyCommand.class,
            LogCommand.class,
            AuditCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            ExperimentCommand.class,
            SimulateCommand.class,
            ChaosCommand.class
        },
        versionProvider = VersionProvider.class)
public final class Main implements Runnable {
    private static final Set<String> SERVERS = Set.of("start", "zookeeper");

    @Spec
    private CommandSpec spec;

    private Main() {}

    public static void main(String... arguments) {
        if (arguments.length == 0 || !SERVERS.contains(arguments[0])) {
            // The other commands' nodes are their own: what they do to them is no news to an operator,
            // and sessions with ZooKeeper end all the time.
            System.setProperty("fulmar.audit.level", "WARN");
            System.setProperty("fulmar.zookeeper.level", "ERROR");
        }
        if (arguments.length > 0 && arguments[0].equals("cluster")) {
            System.setProperty("fulmar.level", "WARN"); // they say what came of it themselves
        }
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Main());
        commandLine.setExecutionExceptionHandler((failure, failed, _) -> {
            failed.getErr().println("fulmar: " + message(failure));
            failed.getErr().flush();
            return failed.getCommandSpec().exitCodeOnExecutionException();
        });
        return commandLine;
    }

    /** The message of a failure; rethrows a defect of Fulmar's own, for only that deserves a stack trace. */
    private static String message(Exception failure) throws Exception {
        return switch (failure) {
            case FulmarException known
            when known.code() != ErrorCode.INTERNAL ->
                known.getMessage() + " [" + known.code() + ", SQLSTATE "
                        + known.code().sqlState() + "]";
            case IllegalArgumentException argument -> String.valueOf(argument.getMessage());
            default -> throw failure;
        };
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
