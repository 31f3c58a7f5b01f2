package dev.fulmar.engine.catalog.access;

/** A privilege that can be granted. */
public enum Privilege {
    SELECT(Scope.TABLE),
    INSERT(Scope.TABLE),
    UPDATE(Scope.TABLE),
    DELETE(Scope.TABLE),
    /** Calling a procedure, which then may do whatever its statements say. */
    EXECUTE(Scope.PROCEDURE),
    /** Tables, indexes, procedures. As strong as all rights on all data, for a procedure may do anything. */
    DDL(Scope.DATABASE),
    /** System procedures, users, roles, grants and the code of procedures. */
    ADMIN(Scope.DATABASE);

    /** The kind of object that a privilege is for. */
    public enum Scope {
        TABLE,
        PROCEDURE,
        DATABASE
    }

    private final Scope scope;

    Privilege(Scope scope) {
        this.scope = scope;
    }

    public Scope scope() {
        return scope;
    }
}
