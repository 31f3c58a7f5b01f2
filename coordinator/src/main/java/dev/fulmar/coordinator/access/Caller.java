package dev.fulmar.coordinator.access;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.access.AccessRules;
import org.jspecify.annotations.Nullable;

/** Who sends requests: one object per connection, which keeps what the user may. Thread-safe. */
public final class Caller {
    /** Code of this process. */
    public static final Caller TRUSTED = trusted(CallerListener.none());

    private final String user;
    private final boolean trusted;
    private final boolean mayAdminister;
    private final CallerListener witness;

    /** Of the newest catalog that was asked about. */
    private volatile @Nullable CallerRights rights;

    private Caller(String user, boolean trusted, boolean mayAdminister, CallerListener witness) {
        this.user = user;
        this.trusted = trusted;
        this.mayAdminister = mayAdminister;
        this.witness = witness;
    }

    /** A user who has proven to be that one. */
    public static Caller user(String name, CallerListener witness) {
        return new Caller(AccessRules.nameOf(name), false, true, witness);
    }

    /** Somebody who is not asked for a name and may do everything. */
    public static Caller trusted(CallerListener witness) {
        return new Caller("", true, true, witness);
    }

    /** The same one, who came in where nobody administers. */
    public Caller withoutAdministration() {
        return new Caller(user, trusted, false, witness);
    }

    /** Whether what needs ADMIN may be done where this one came in. */
    public boolean mayAdminister() {
        return mayAdminister;
    }

    /** The user's name; empty if nobody asked for it. */
    public String user() {
        return user;
    }

    public boolean isTrusted() {
        return trusted;
    }

    /** Hears of what should not be forgotten. */
    public CallerListener witness() {
        return witness;
    }

    /** What the user may under the catalog. */
    CallerRights rights(Catalog catalog) {
        CallerRights known = rights;
        if (known == null || known.catalog() != catalog) {
            known = new CallerRights(catalog, user);
            rights = known;
        }
        return known;
    }
}
