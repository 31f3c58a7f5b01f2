package dev.fulmar.launcher;

import dev.fulmar.node.audit.AuditFile;
import dev.fulmar.node.audit.AuditScan;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks an audit log. */
@Command(name = "audit", description = "Checks an audit log; see docs/SECURITY.md.", mixinStandardHelpOptions = true)
final class AuditCommand {
    @Spec
    private CommandSpec spec;

    @Command(
            name = "verify",
            description = {
                "Checks that every line follows from those before it; the exit status is 0 if all do.",
                "A node that dies while it writes leaves a last line that is not whole, which is told but is no damage."
            },
            mixinStandardHelpOptions = true)
    int verify(
            @Parameters(paramLabel = "FILE", arity = "0..1", description = "The audit log.") @Nullable Path file,
            @Option(names = "--data", paramLabel = "DIR", description = "The data directory that it is in.") @Nullable Path data)
            throws IOException {
        if ((file == null) == (data == null)) {
            throw new ParameterException(spec.commandLine(), "name either an audit log or a data directory");
        }
        Path log = file != null ? file : data.resolve(AuditFile.NAME);
        AuditScan found = AuditFile.verify(log);
        String end = found.incompleteBytes() == 0
                ? ""
                : ", and " + found.incompleteBytes() + " bytes of a last line that is not whole";
        spec.commandLine().getOut().println("the audit log is whole: " + found.lines() + " lines" + end);
        spec.commandLine().getOut().flush();
        return 0;
    }
}
