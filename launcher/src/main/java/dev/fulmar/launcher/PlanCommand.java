package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.reconfig.plan.EvenPlan;
import dev.fulmar.reconfig.plan.PlanDifference;
import dev.fulmar.reconfig.plan.PlanDocument;
import dev.fulmar.reconfig.plan.RangeMove;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the partition plan of a running database, checks plans in files, and compares plans. */
@Command(
        name = "plan",
        description = "Shows, checks and compares partition plans; see docs/RECONFIGURATION.md.",
        mixinStandardHelpOptions = true)
final class PlanCommand implements Runnable {
    private static final int SHOWN_MOVES = 1_000;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
            name = "show",
            description = "Shows the plan of a running database, a line for each partition.",
            mixinStandardHelpOptions = true)
    int show(@Mixin ConnectionOptions connection) {
        ServerPlan served = served(connection);
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                served.version() == 0
                        ? "the plan of the configuration"
                        : "the plan since version " + served.version() + " of the catalog");
        int partition = 0;
        for (List<String> ranges : PlanDocument.ranges(served.plan())) {
            out.println("partition " + partition++ + ": " + (ranges.isEmpty() ? "no keys" : String.join(", ", ranges)));
        }
        out.flush();
        return 0;
    }

    @Command(
            name = "export",
            description = "Writes the plan of a running database as a document, which you can change and check.",
            mixinStandardHelpOptions = true)
    int export(
            @Mixin ConnectionOptions connection,
            @Option(names = "--to", paramLabel = "FILE", description = "New file; default: the terminal.") @Nullable Path file)
            throws IOException {
        write(PlanDocument.write(served(connection).plan()), file);
        return 0;
    }

    @Command(
            name = "balance",
            description =
                    "Writes a plan by which partitions have equal shares of the hashes, spare ones too. Ranges of integers stay.",
            mixinStandardHelpOptions = true)
    int balance(
            @Mixin ConnectionOptions connection,
            @Option(
                            names = "--partitions",
                            paramLabel = "N",
                            description = "Only the first N are to have hashes; default: all.")
                    @Nullable Integer partitions,
            @Option(names = "--to", paramLabel = "FILE", description = "New file; default: the terminal.") @Nullable Path file)
            throws IOException {
        PartitionPlan plan = served(connection).plan();
        int used = partitions == null ? plan.partitionCount() : partitions;
        write(PlanDocument.write(EvenPlan.of(plan, used)), file);
        return 0;
    }

    private void write(String document, @Nullable Path file) throws IOException {
        if (file == null) {
            spec.commandLine().getOut().print(document);
            spec.commandLine().getOut().flush();
            return;
        }
        try {
            Files.writeString(file, document, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION, file + " exists already; name a new file, or remove it first", e);
        }
    }

    @Command(
            name = "check",
            description = "Checks a plan against the running database; the exit status is 0 if it can be used there.",
            mixinStandardHelpOptions = true)
    int check(
            @Parameters(paramLabel = "FILE", description = "The plan, as JSON.") Path file,
            @Mixin ConnectionOptions connection) {
        List<RangeMove> moves = moves(file, connection);
        PrintWriter out = spec.commandLine().getOut();
        out.println("the plan can be used: "
                + (moves.isEmpty()
                        ? "it is the one that counts"
                        : "it moves " + moves.size() + (moves.size() == 1 ? " range" : " ranges")));
        out.flush();
        return 0;
    }

    @Command(
            name = "diff",
            description = "Shows the ranges that change their partition, from the database's plan to that of a file.",
            mixinStandardHelpOptions = true)
    int diff(
            @Parameters(paramLabel = "FILE", description = "The later plan, as JSON.") Path file,
            @Mixin ConnectionOptions connection) {
        List<RangeMove> moves = moves(file, connection);
        PrintWriter out = spec.commandLine().getOut();
        moves.stream().limit(SHOWN_MOVES).forEach(out::println);
        if (moves.size() > SHOWN_MOVES) {
            out.println("and " + (moves.size() - SHOWN_MOVES) + " more");
        }
        if (moves.isEmpty()) {
            out.println("no range changes its partition");
        }
        out.flush();
        return 0;
    }

    /** From the database's plan to that of the file. */
    private static List<RangeMove> moves(Path file, ConnectionOptions connection) {
        PartitionPlan plan = served(connection).plan();
        return PlanDifference.between(plan, read(file, plan));
    }

    private static ServerPlan served(ConnectionOptions connection) {
        try (FulmarClient client = connection.connect(1)) {
            return ServerPlan.read(client);
        }
    }

    private static PartitionPlan read(Path file, PartitionPlan earlier) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the plan cannot be read from " + file + " (" + e + "); check path and permissions",
                    e);
        }
        try {
            return PlanDocument.read(text).on(earlier);
        } catch (FulmarException refused) {
            throw new FulmarException(refused.code(), file + ": " + refused.getMessage(), refused);
        }
    }
}
