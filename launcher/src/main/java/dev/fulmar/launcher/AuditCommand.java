package dev.fulmar.launcher;

import dev.fulmar.node.audit.AuditFile;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks an audit log. */
@Command(name = "audit", description = "Checks an audit log; see docs/SECURITY.md.", mixinStandardHelpOptions = true)
final class AuditCommand {
    @Spec
    private CommandSpec spec;

    @Command(
            name = "verify",
            description = "Checks that every line follows from those before it; the exit status is 0 if all do.",
            mixinStandardHelpOptions = true)
    int verify(@Parameters(paramLabel = "FILE", description = "The audit log.") Path file) throws IOException {
        long lines = AuditFile.verify(file);
        spec.commandLine().getOut().println("the audit log is whole: " + lines + " lines");
        spec.commandLine().getOut().flush();
        return 0;
    }
}
