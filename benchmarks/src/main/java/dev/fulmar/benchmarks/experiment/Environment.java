package dev.fulmar.benchmarks.experiment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Describes the machine that a figure was taken on. */
final class Environment {
    private static final String UNKNOWN = "unknown";

    private Environment() {}

    static Map<String, Object> describe(String durability) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("cpu", line("/proc/cpuinfo", "model name"));
        map.put("cores", Runtime.getRuntime().availableProcessors());
        map.put("memory", line("/proc/meminfo", "MemTotal"));
        map.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        map.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        map.put("durability", durability);
        map.put("commit", commit());
        return map;
    }

    private static String line(String file, String key) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(line -> line.startsWith(key))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** Of the checkout that runs, wherever it was called from. */
    private static String commit() {
        try {
            String home = System.getProperty("fulmar.home", ".");
            Process git = new ProcessBuilder("git", "-C", home, "rev-parse", "--short", "HEAD")
                    .redirectErrorStream(true)
                    .start();
            String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor(5, TimeUnit.SECONDS) && git.exitValue() == 0 ? output : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }
}
