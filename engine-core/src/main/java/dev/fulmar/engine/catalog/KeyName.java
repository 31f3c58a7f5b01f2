package dev.fulmar.engine.catalog;

/** The name of a primary key, as its statement says it. */
public sealed interface KeyName {
    /** The name of a key without one. */
    static String usual(String table) {
        return table + "_PRIMARY_KEY";
    }

    /** The statement names the key. */
    default String of(String table) {
        return switch (this) {
            case Given(String name) -> name;
            case Unsaid _, Written _ -> usual(table);
        };
    }

    /** The statement says no name. */
    record Unsaid() implements KeyName {}

    /**
     * CONSTRAINT says a name that counts for nothing, as in texts that earlier builds have logged. The node that gets
     * such a statement of a client has the name count, by a word that it adds.
     */
    record Written(String name) implements KeyName {}

    /** The key and its first index have the name, as the catalog has it. */
    record Given(String name) implements KeyName {}
}
