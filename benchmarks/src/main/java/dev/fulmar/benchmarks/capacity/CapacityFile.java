package dev.fulmar.benchmarks.capacity;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * File by which an experiment says how slow the sites of its nodes are. Nodes look at it 20 times a second.
 *
 * @param file with the factor; 0 for no emulation
 */
public record CapacityFile(Path file) {
    /** In the directory, without emulation as yet. */
    public static CapacityFile create(Path directory) throws IOException {
        CapacityFile created = new CapacityFile(directory.resolve("capacity"));
        created.slow(0);
        return created;
    }

    /** Sites are slower by the factor from now on. */
    public void slow(double factor) throws IOException {
        Path next = file.resolveSibling("capacity.new");
        Files.writeString(next, Double.toString(factor));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    static double read(Path file) {
        try {
            return Double.parseDouble(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The option of a JVM that has the agent; the agent's classes are on the class path. */
    public String agentOption() throws IOException {
        Path jar = file.resolveSibling("capacity-agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", CapacityAgent.class.getName());
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return "-javaagent:" + jar + "=" + file;
    }
}
