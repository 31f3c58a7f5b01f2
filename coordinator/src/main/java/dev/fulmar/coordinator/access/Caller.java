package dev.fulmar.coordinator.access;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.access.AccessRules;
import org.jspecify.annotations.Nullable;

/**
 * Identity of the sender of requests, an authenticated user or a trusted caller without a name, whose rights {@link
 * AccessControl} checks. A connection has one. Thread-safe.
 */
public final class Caller {
    /** Code of this process. */
    public static final Caller TRUSTED = trusted(CallerListener.none());

    private final String user;
    private final boolean trusted;
    private final boolean mayAdminister;
    private final CallerListener witness;

    /** Rights under the newest catalog that was asked about. */
    private volatile @Nullable CallerRights rights;

    private Caller(String user, boolean trusted, boolean mayAdminister, CallerListener witness) {
        this.user = user;
        this.trusted = trusted;
        this.mayAdminister = mayAdminister;
        this.witness = witness;
    }

    /** An authenticated user. */
    public static Caller user(String name, CallerListener witness) {
        return new Caller(AccessRules.nameOf(name), false, true, witness);
    }

    /** A caller that is asked for no name and may do everything. */
    public static Caller trusted(CallerListener witness) {
        return new Caller("", true, true, witness);
    }

    /** The same caller on a connection that permits no administration. */
    public Caller withoutAdministration() {
        return new Caller(user, trusted, false, witness);
    }

    /** Whether the caller's connection permits requests that need ADMIN. */
    public boolean mayAdminister() {
        return mayAdminister;
    }

    /** The user's name; empty for a caller that is asked for none. */
    public String user() {
        return user;
    }

    public boolean isTrusted() {
        return trusted;
    }

    /** The listener that keeps the record of the caller's changes. */
    public CallerListener witness() {
        return witness;
    }

    /** The user's rights under the catalog. */
    CallerRights rights(Catalog catalog) {
        CallerRights known = rights;
        if (known == null || known.catalog() != catalog) {
            known = new CallerRights(catalog, user);
            rights = known;
        }
        return known;
    }
}
