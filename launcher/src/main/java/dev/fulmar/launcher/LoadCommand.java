package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.transfer.DatabaseDump;
import dev.fulmar.client.transfer.DatabaseLoad;
import dev.fulmar.client.transfer.TableLoad;
import dev.fulmar.sql.text.ScriptSplitter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** CSV into tables. */
@Command(
        name = "load",
        description =
                "Loads a CSV file into a table, or a directory that dump has written into an empty database. Records that"
                        + " become no rows go to FILE.rejected, the reasons to FILE.reasons; FILE.loaded says how far a load is that was"
                        + " broken off, and --resume goes on there.",
        mixinStandardHelpOptions = true)
final class LoadCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionOptions connection;

    @Parameters(paramLabel = "FILE|DIRECTORY", description = "What is loaded.")
    private Path source;

    @Option(names = "--table", paramLabel = "NAME", description = "Table to load the file into, as SQL names it.")
    private @Nullable String table;

    @Option(
            names = "--columns",
            split = ",",
            paramLabel = "NAME",
            description = "Columns that the fields are for; default: those that the first line of the file names.")
    private List<String> columns = List.of();

    @Option(
            names = "--separator",
            paramLabel = "C",
            defaultValue = ",",
            description = "Between fields; default: a comma.")
    private char separator;

    @Option(names = "--upsert", description = "Rows whose primary key exists are replaced.")
    private boolean upsert;

    @Option(names = "--resume", description = "Goes on where a load of the same file ended.")
    private boolean resume;

    @Option(
            names = "--max-rejects",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Rejected records that end the load when there is one more; default: 1000.")
    private long mostRejected;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            defaultValue = "500",
            description = "Rows on their way at once; default: 500.")
    private int outstanding;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Map<String, TableLoad.Report> reports = new TreeMap<>();
        try (FulmarClient client = connection.connect(outstanding + 1)) {
            if (Files.isDirectory(source)) {
                List<String> schema = new ArrayList<>(
                        ScriptSplitter.split(Files.readString(source.resolve(DatabaseDump.SCHEMA_FILE))));
                Path users = source.resolve(DatabaseDump.USERS_FILE);
                if (Files.exists(users)) {
                    schema.addAll(ScriptSplitter.split(Files.readString(users)));
                }
                reports.putAll(new DatabaseLoad(client, source, new TransferLine(out))
                        .run(schema, resume, mostRejected, outstanding));
            } else {
                String name = table;
                if (name == null) {
                    throw new ParameterException(spec.commandLine(), "--table says which table the file is for");
                }
                TableLoad.Request request = new TableLoad.Request(
                        source, name, columns, separator, upsert, resume, mostRejected, outstanding);
                reports.put(name, new TableLoad(client, request, new TransferLine(out)).run());
            }
        }
        reports.forEach((name, report) -> out.printf(
                Locale.ROOT,
                "%s: %,d rows, %,d rejected%s%n",
                name,
                report.rows(),
                report.rejected(),
                report.alreadyThere() == 0
                        ? ""
                        : String.format(Locale.ROOT, ", %,d were there already", report.alreadyThere())));
        out.flush();
        return reports.values().stream().allMatch(report -> report.rejected() == 0) ? 0 : 1;
    }
}
