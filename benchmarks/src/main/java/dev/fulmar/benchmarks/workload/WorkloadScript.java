package dev.fulmar.benchmarks.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads the SQL that lies beside a workload's classes. */
public final class WorkloadScript {
    private WorkloadScript() {}

    /** Text of {@code schema.sql} and {@code procedures.sql} of the package. */
    public static String of(Class<?> anyClassOfThePackage) {
        return read(anyClassOfThePackage, "schema.sql") + "\n" + read(anyClassOfThePackage, "procedures.sql");
    }

    private static String read(Class<?> beside, String name) {
        try (InputStream content = beside.getResourceAsStream(name)) {
            if (content == null) {
                throw new IllegalArgumentException("there is no " + name + " beside " + beside.getName());
            }
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
