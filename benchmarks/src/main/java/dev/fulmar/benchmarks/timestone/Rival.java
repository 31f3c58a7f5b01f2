package dev.fulmar.benchmarks.timestone;

import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.pmemlog.backend.BackendSettings;
import dev.fulmar.pmemlog.backend.Backends;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Competitors of the benchmark, with their memory or files. */
enum Rival {
    STORE("Fulmar store", false),
    VALUE_LOGGING("value logging, whole objects", false),
    FORCE_PER_COMMIT("file, force per commit", false),
    NO_DURABILITY("no durability", false),
    STORE_EMULATED("Fulmar store on LLPL", true),
    VALUE_LOGGING_EMULATED("value logging on LLPL", true),
    LLPL_TRANSACTIONS("LLPL transactions (PMDK undo)", true),
    NO_DURABILITY_EMULATED("no durability", true);

    private static final long POOL_BYTES = 1L << 30;
    private static final AtomicInteger POOLS = new AtomicInteger();

    private final String title;
    private final boolean emulated;

    Rival(String title, boolean emulated) {
        this.title = title;
        this.emulated = emulated;
    }

    String title() {
        return title;
    }

    /** Whether it runs on memory that only imitates persistent memory. */
    boolean isEmulated() {
        return emulated;
    }

    boolean isStore() {
        return this == STORE || this == STORE_EMULATED;
    }

    /** Durability of a commit. */
    String durability(Path directory) {
        return switch (this) {
            case NO_DURABILITY, NO_DURABILITY_EMULATED -> "none";
            case LLPL_TRANSACTIONS -> "PROCESS_CRASH (emulated)";
            case STORE_EMULATED, VALUE_LOGGING_EMULATED -> "PROCESS_CRASH (emulated)";
            case STORE, VALUE_LOGGING, FORCE_PER_COMMIT -> {
                try (Backend backend = file(directory)) {
                    yield backend.durability().name();
                }
            }
        };
    }

    private static Backend file(Path directory) {
        return Backends.open("file", new BackendSettings(directory.toString(), 0, false));
    }

    /** The store's backend; one that is opened again has what it had. */
    private Backend backend(Path directory) {
        return emulated
                ? Backends.open("llpl", new BackendSettings(directory.toString(), POOL_BYTES, true))
                : file(directory);
    }

    /** Opens nodes in the directory. */
    Nodes open(Path directory) {
        return switch (this) {
            case STORE, STORE_EMULATED -> StoreNodes.durable(backend(directory), "log", false);
            case VALUE_LOGGING, VALUE_LOGGING_EMULATED -> StoreNodes.durable(backend(directory), "log", true);
            case FORCE_PER_COMMIT -> new ForcedFileNodes(directory.resolve("forced" + POOLS.incrementAndGet()));
            case LLPL_TRANSACTIONS ->
                new LlplNodes(directory.resolve("transactions" + POOLS.incrementAndGet()), POOL_BYTES);
            case NO_DURABILITY, NO_DURABILITY_EMULATED -> StoreNodes.inMemory();
        };
    }
}
