package dev.fulmar.launcher;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Settings of a node that is started here. */
final class NodeOptions {
    @Option(
            names = "--partitions",
            description =
                    "Parts that the data is cut into; default: as many as a database that exists has, else one per site.")
    private @Nullable Integer partitions;

    @Option(names = "--sites", description = "Threads that run the partitions; default: one less than there are cores.")
    private @Nullable Integer sites;

    @Option(names = "--memory", paramLabel = "SIZE", description = "Limit of the data's memory, for example 4g.")
    private String memory = "";

    @Option(
            names = "--durability",
            paramLabel = "MODE",
            description =
                    "sync: no reply before what it tells of is on the disk; async: replies do not wait; none: nothing is"
                            + " written. Default: sync where there is a data directory.")
    private String durability = "";

    @Option(
            names = "--backend",
            paramLabel = "KIND",
            description =
                    "Where a data directory's bytes go: file, or llpl for persistent memory (see docs/DURABILITY.md)."
                            + " Default: file.")
    private String backend = "";

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "Any other setting of the node, see docs/OPERATIONS.md; may be repeated.")
    private Map<String, String> settings = new TreeMap<>();

    /** The settings by name. */
    Map<String, String> settings() {
        TreeMap<String, String> all = new TreeMap<>(settings);
        if (partitions != null) {
            all.put("partitions", partitions.toString());
        }
        if (sites != null) {
            all.put("sites", sites.toString());
        }
        if (!memory.isEmpty()) {
            all.put("memory.limit", memory);
        }
        if (!durability.isEmpty()) {
            all.put("durability", durability);
        }
        if (!backend.isEmpty()) {
            all.put("backend", backend);
        }
        return all;
    }

    int partitionsOr(int defaultValue) {
        return partitions != null ? partitions : defaultValue;
    }
}
