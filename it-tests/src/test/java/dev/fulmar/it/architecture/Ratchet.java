package dev.fulmar.it.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;

/** A file of counts that may only shrink: lines of the form {@code count name}; a number sign begins a comment. */
final class Ratchet {
    private Ratchet() {}

    /** The allowed count of each name, by the file's path in the checkout. */
    static Map<String, Integer> read(String file) throws IOException {
        Map<String, Integer> allowed = new TreeMap<>();
        for (String line : Files.readAllLines(CodeBase.directory().resolve(file))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(" ", 2);
                allowed.put(parts[1], Integer.parseInt(parts[0]));
            }
        }
        return allowed;
    }
}
