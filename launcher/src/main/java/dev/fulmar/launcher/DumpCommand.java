package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.transfer.DatabaseDump;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A database as DDL and CSV. */
@Command(
        name = "dump",
        description =
                "Writes the database into a directory: schema.sql, users.sql, a CSV file for each table, and the jars of its"
                        + " procedures. Pages of rows are read"
                        + " while others write: take a backup where all must be of one moment.",
        mixinStandardHelpOptions = true)
final class DumpCommand implements Callable<Integer> {
    private static final int OUTSTANDING = 16;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionOptions connection;

    @Parameters(paramLabel = "DIRECTORY", description = "Where the files go; it is made if it is not there.")
    private Path directory;

    @Option(
            names = "--table",
            split = ",",
            paramLabel = "NAME",
            description = "Only these tables, without schema.sql; names as the catalog has them, which is upper case.")
    private List<String> tables = List.of();

    @Option(names = "--parallel", paramLabel = "N", defaultValue = "4", description = "Tables at once; default: 4.")
    private int parallel;

    @Option(
            names = "--without-users",
            description = "Leaves out users and jars of procedures, which only somebody with ADMIN may read.")
    private boolean withoutUsers;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (FulmarClient client = connection.connect(OUTSTANDING)) {
            Map<String, Long> rows =
                    new DatabaseDump(client, directory, parallel, !withoutUsers, new TransferLine(out)).run(tables);
            rows.forEach((table, count) -> out.printf(Locale.ROOT, "%s: %,d rows%n", table, count));
            out.flush();
        }
        return 0;
    }
}
