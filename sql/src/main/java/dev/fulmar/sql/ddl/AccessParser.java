package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.access.AccessChange;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.AccessRules;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.engine.catalog.access.Secret;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.scram.ScramVerifier;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Parses CREATE, ALTER and DROP of users and roles, GRANT and REVOKE. Its errors never show what may be a password. */
final class AccessParser {
    private static final int LEAST_PASSWORD = 8;
    private static final int MOST_PASSWORD = 1_024;
    private static final Set<String> PRIVILEGE_NAMES =
            Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "EXECUTE", "DDL", "ADMIN", "ALL", "USAGE");

    private final TokenReader reader;

    AccessParser(TokenReader reader) {
        this.reader = reader;
    }

    /** Whether the statement is one of these. */
    static boolean begins(TokenReader reader) {
        Token first = reader.peek();
        if (first.isWord("GRANT") || first.isWord("REVOKE")) {
            return true;
        }
        Token second = reader.peek(1);
        boolean definition = first.isWord("CREATE") || first.isWord("ALTER") || first.isWord("DROP");
        return definition && (second.isWord("USER") || second.isWord("ROLE"));
    }

    AccessChange parse() {
        AccessChange change;
        if (reader.accept("CREATE", "USER")) {
            boolean lenient = reader.accept("IF", "NOT", "EXISTS");
            change = new AccessChange.CreateUser(newName("a user's name"), secret(), lenient);
        } else if (reader.accept("ALTER", "USER")) {
            change = new AccessChange.AlterUser(name("a user's name"), secret());
        } else if (reader.accept("DROP", "USER")) {
            change = drop(true);
        } else if (reader.accept("CREATE", "ROLE")) {
            boolean lenient = reader.accept("IF", "NOT", "EXISTS");
            change = new AccessChange.CreateRole(newName("a role's name"), lenient);
        } else if (reader.accept("DROP", "ROLE")) {
            change = drop(false);
        } else if (reader.accept("GRANT")) {
            change = grant(true);
        } else if (reader.accept("REVOKE")) {
            change = grant(false);
        } else {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    reader.peek().position(),
                    "ALTER ROLE is not supported; GRANT and REVOKE change a role");
        }
        if (!reader.isAtEnd()) {
            throw expected("the end of the statement");
        }
        return change;
    }

    private AccessChange drop(boolean user) {
        boolean before = reader.accept("IF", "EXISTS");
        String name = name("a name");
        return new AccessChange.Drop(name, user, reader.accept("IF", "EXISTS") || before);
    }

    private Secret secret() {
        boolean password = reader.accept("PASSWORD");
        if (!password && !reader.accept("VERIFIER")) {
            throw expected("PASSWORD or VERIFIER");
        }
        Token token = reader.peek();
        if (token.kind() != Token.Kind.STRING) {
            throw expected((password ? "the password" : "the verifier") + " in single quotes");
        }
        reader.take();
        String text = token.text().substring(1, token.text().length() - 1).replace("''", "'");
        if (!password) {
            return new Secret.Verified(ScramVerifier.parse(text));
        }
        if (text.length() < LEAST_PASSWORD || text.length() > MOST_PASSWORD) {
            throw SqlErrors.at(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    token.position(),
                    "a password has " + LEAST_PASSWORD + " to " + MOST_PASSWORD + " characters; choose another one");
        }
        return new Secret.Password(text);
    }

    private AccessChange grant(boolean granting) {
        if (isPrivileges()) {
            return rights(granting);
        }
        List<String> roles = names("a privilege or a role's name");
        return new AccessChange.Membership(granting, roles, principals(granting));
    }

    private boolean isPrivileges() {
        Token token = reader.peek();
        return token.kind() == Token.Kind.WORD
                && PRIVILEGE_NAMES.contains(token.text().toUpperCase(Locale.ROOT));
    }

    private AccessChange rights(boolean granting) {
        Token first = reader.peek();
        if (reader.peek().isWord("USAGE") && reader.peek(1).isWord("ON")) {
            reader.take();
            return usage(granting);
        }
        EnumSet<Privilege> privileges = EnumSet.noneOf(Privilege.class);
        boolean all = reader.accept("ALL");
        if (all) {
            reader.accept("PRIVILEGES");
        } else {
            do {
                if (!isPrivileges() || reader.peek().isWord("ALL")) {
                    throw expected("a privilege");
                }
                String name = reader.take().text().toUpperCase(Locale.ROOT);
                if (name.equals("USAGE")) { // of a sequence, beside what it is
                    privileges.addAll(EnumSet.of(Privilege.SELECT, Privilege.UPDATE));
                } else {
                    privileges.add(Privilege.valueOf(name));
                }
            } while (reader.acceptSymbol(","));
        }
        Privilege.Scope scope = Privilege.Scope.DATABASE;
        List<String> objects = List.of(AccessRight.EVERYTHING);
        if (reader.accept("ON")) {
            scope = isOfRoutines(0) || (reader.peek().isWord("ALL") && isOfRoutines(1))
                    ? Privilege.Scope.PROCEDURE
                    : Privilege.Scope.TABLE;
            objects = objects(scope);
        }
        if (all) {
            privileges.addAll(ofScope(scope));
        }
        TreeSet<AccessRight> rights = new TreeSet<>();
        for (Privilege privilege : privileges) {
            checkScope(privilege, scope, first);
            objects.forEach(object -> rights.add(new AccessRight(privilege, object)));
        }
        return new AccessChange.Rights(granting, rights, principals(granting));
    }

    /** The use of a sequence is to draw its numbers, and to ask for them. Names in a schema are for all. */
    private AccessChange usage(boolean granting) {
        reader.expect("ON");
        TreeSet<AccessRight> rights = new TreeSet<>();
        if (reader.accept("SCHEMA")) {
            names("a schema name");
        } else {
            reader.expect("SEQUENCE");
            do {
                String sequence = reader.objectName("a sequence name");
                rights.add(new AccessRight(Privilege.SELECT, sequence));
                rights.add(new AccessRight(Privilege.UPDATE, sequence));
            } while (reader.acceptSymbol(","));
        }
        return new AccessChange.Rights(granting, rights, principals(granting));
    }

    /** A right to execute is for a procedure or a function, whose names differ. */
    private boolean isOfRoutines(int ahead) {
        Token word = reader.peek(ahead);
        String plural = ahead == 0 ? "" : "S";
        return word.isWord("PROCEDURE" + plural) || word.isWord("FUNCTION" + plural);
    }

    private static EnumSet<Privilege> ofScope(Privilege.Scope scope) {
        EnumSet<Privilege> privileges = EnumSet.allOf(Privilege.class);
        privileges.removeIf(privilege -> privilege.scope() != scope);
        return privileges;
    }

    private static void checkScope(Privilege privilege, Privilege.Scope scope, Token place) {
        if (privilege.scope() != scope) {
            String form = switch (privilege.scope()) {
                case TABLE -> " ON table, or ON ALL TABLES";
                case PROCEDURE -> " ON PROCEDURE procedure, or ON ALL PROCEDURES";
                case DATABASE -> " without ON";
            };
            throw SqlErrors.syntax(place.position(), "write " + privilege + form);
        }
    }

    private List<String> objects(Privilege.Scope scope) {
        if (reader.accept("ALL", "TABLES") || reader.accept("ALL", "PROCEDURES") || reader.accept("ALL", "FUNCTIONS")) {
            return List.of(AccessRight.EVERYTHING);
        }
        List<String> objects = new ArrayList<>();
        if (scope == Privilege.Scope.PROCEDURE) {
            if (!reader.accept("FUNCTION")) {
                reader.expect("PROCEDURE");
            }
        } else {
            if (!reader.accept("TABLE")) {
                reader.accept("SEQUENCE");
            }
        }
        do {
            objects.add(
                    scope == Privilege.Scope.PROCEDURE
                            ? reader.dottedName("a procedure name").toUpperCase(Locale.ROOT)
                            : reader.objectName("a table name"));
        } while (reader.acceptSymbol(","));
        return objects;
    }

    private List<String> principals(boolean granting) {
        reader.expect(granting ? "TO" : "FROM");
        return names("the name of a user or a role");
    }

    private List<String> names(String what) {
        List<String> names = new ArrayList<>();
        do {
            names.add(name(what));
        } while (reader.acceptSymbol(","));
        return names;
    }

    private String name(String what) {
        Token token = reader.peek();
        if (token.kind() != Token.Kind.WORD && token.kind() != Token.Kind.QUOTED_NAME) {
            throw expected(what);
        }
        return AccessRules.nameOf(reader.name(what));
    }

    private String newName(String what) {
        Token token = reader.peek();
        String name = name(what);
        if (PRIVILEGE_NAMES.contains(name) && !name.equals("USAGE")) { // an earlier build took that one
            throw SqlErrors.syntax(token.position(), name + " is a privilege; choose another name");
        }
        return name;
    }

    /** Does not say what was found instead. */
    private FulmarException expected(String what) {
        return SqlErrors.syntax(reader.peek().position(), "expected " + what);
    }
}
