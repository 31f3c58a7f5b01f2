package dev.fulmar.it.architecture;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A Maven module, the package its classes live in, and the modules it may use directly. What those use it may use too.
 * A new module gets a line here; its place in the list is its place in the build.
 */
record Module(String name, String shortPackage, Set<String> uses) {
    static final String ROOT_PACKAGE = "dev.fulmar";

    static final List<Module> ALL = List.of(
            new Module("foundation", "foundation", Set.of()),
            new Module("procedure-api", "procedure", Set.of()),
            new Module("wire", "wire", Set.of("foundation")),
            new Module("pmem-log", "pmemlog", Set.of("foundation")),
            new Module("engine-core", "engine", Set.of("pmem-log", "procedure-api")),
            new Module("sql", "sql", Set.of("engine-core")),
            new Module("coordinator", "coordinator", Set.of("engine-core", "wire")),
            new Module("reconfig", "reconfig", Set.of("coordinator")),
            new Module("postgres", "postgres", Set.of("coordinator")),
            new Module("client", "client", Set.of("wire")),
            new Module("node", "node", Set.of("procedure-api", "sql", "coordinator", "reconfig", "postgres")),
            new Module("benchmarks", "benchmarks", Set.of("node", "client", "procedure-api")),
            new Module("simulator", "simulator", Set.of("benchmarks")),
            new Module("launcher", "launcher", Set.of("simulator")),
            new Module("it-tests", "it", Set.of("launcher")));

    private static final Map<String, Module> BY_NAME =
            ALL.stream().collect(toUnmodifiableMap(Module::name, Function.identity()));

    static Module named(String name) {
        Module module = BY_NAME.get(name);
        if (module == null) {
            throw new IllegalArgumentException("no line for module " + name);
        }
        return module;
    }

    /** The pattern, as ArchUnit understands it, of the packages of this module. */
    String packages() {
        return ROOT_PACKAGE + "." + shortPackage + "..";
    }

    /** Every module reachable over {@link #uses}, this one not included. */
    Set<String> reachable() {
        Set<String> reached = new TreeSet<>(uses);
        for (String used : uses) {
            reached.addAll(named(used).reachable());
        }
        return reached;
    }
}
