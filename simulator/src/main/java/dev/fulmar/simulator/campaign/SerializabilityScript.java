package dev.fulmar.simulator.campaign;

import dev.fulmar.benchmarks.listappend.procedure.Transact;
import dev.fulmar.sql.text.ScriptSplitter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the SQL statements that create the tables and procedures of the serializability check, from the scripts of the
 * list-append workload.
 */
public final class SerializabilityScript {
    private SerializabilityScript() {}

    /** All statements in order. */
    public static List<String> statements() {
        List<String> statements = new ArrayList<>(read("schema.sql"));
        statements.addAll(read("procedures.sql"));
        return List.copyOf(statements);
    }

    private static List<String> read(String name) {
        String path = "/dev/fulmar/benchmarks/listappend/" + name;
        try (InputStream content = Transact.class.getResourceAsStream(path)) {
            if (content == null) {
                throw new IllegalStateException("there is no " + path + " on the class path");
            }
            return ScriptSplitter.split(new String(content.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
