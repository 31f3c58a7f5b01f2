package dev.fulmar.postgres.dialect;

import dev.fulmar.engine.catalog.MirroredName;

/** Names in PostgreSQL's dialect and in the catalog's. Each front end finds the other's objects by plain names. */
public final class NameFolding {
    private NameFolding() {}

    /** The catalog's name for a client's one, or the client's for one of the catalog. */
    public static String mirrored(String name) {
        return MirroredName.of(name);
    }
}
