package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.Comments;
import dev.fulmar.engine.catalog.MirroredName;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.Principal;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.data.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows about schemas, types, roles, procedures, comments and the database. */
final class OtherRows {
    private static final int UTF8 = 6;
    private static final int VOID = 2278;
    private static final int TABLESPACE = 1663;
    private static final int UNLIMITED = -1;
    private static final int SQL = 14;
    private static final int JAVA = 13_100;
    private static final List<String> LANGUAGES = List.of("12 internal", "13 c", SQL + " sql", JAVA + " java");
    private static final String HIDDEN = "********";

    /** Columns of pg_type in the order of the values of {@link SystemType}. */
    private static final List<String> OF_TYPE = List.of(
            "oid",
            "typname",
            "typlen",
            "typbyval",
            "typtype",
            "typcategory",
            "typispreferred",
            "typdelim",
            "typelem",
            "typarray",
            "typinput",
            "typoutput",
            "typreceive",
            "typsend",
            "typalign",
            "typstorage",
            "typcollation");

    private final ShownObjects objects;

    OtherRows(ShownObjects objects) {
        this.objects = objects;
    }

    void addTo(Map<String, Consumer<SystemRows>> makers) {
        makers.put("pg_namespace", this::schemas);
        makers.put("pg_type", this::types);
        makers.put("pg_enum", this::labels);
        makers.put("pg_database", OtherRows::databases);
        makers.put("pg_tablespace", rows -> rows.add("oid", TABLESPACE, "spcname", "pg_default", "spcowner", owner()));
        makers.put("pg_am", OtherRows::accessMethods);
        makers.put("pg_collation", OtherRows::collations);
        makers.put("pg_language", OtherRows::languages);
        makers.put("pg_proc", this::procedures);
        makers.put("pg_description", this::comments);
        makers.put("pg_auth_members", this::members);
        makers.put("pg_authid", rows -> roles(rows, null));
        makers.put("pg_roles", rows -> roles(rows, HIDDEN));
        makers.put("pg_user", rows -> users(rows, HIDDEN));
        makers.put("pg_shadow", rows -> users(rows, null));
        makers.put("pg_group", this::groups);
    }

    private static int owner() {
        return ObjectNumbers.OWNER;
    }

    private void schemas(SystemRows rows) {
        for (String schema : objects.schemas()) {
            rows.add(
                    "oid",
                    objects.numbers().ofSchema(schema),
                    "nspname",
                    ShownObjects.schemaName(schema),
                    "nspowner",
                    owner());
        }
    }

    private void types(SystemRows rows) {
        SystemTables.TYPES.forEach(type -> type(rows, type, ObjectNumbers.CATALOG_SCHEMA));
        objects.catalog()
                .enumerations()
                .values()
                .forEach(each -> type(rows, SystemType.of(each), objects.schemaOf(each.name())));
    }

    private void labels(SystemRows rows) {
        for (Enumeration type : objects.catalog().enumerations().values()) {
            for (int i = 0; i < type.values().size(); i++) {
                Enumeration.Value value = type.values().get(i);
                rows.add(
                        "oid",
                        objects.numbers().ofLabel(type, value.code()),
                        "enumtypid",
                        ObjectNumbers.ofId(type.id()),
                        "enumsortorder",
                        (double) (i + 1),
                        "enumlabel",
                        value.label());
            }
        }
    }

    private static void type(SystemRows rows, SystemType type, int schema) {
        Object[] row = new Object[2 * OF_TYPE.size() + 8];
        for (int i = 0; i < OF_TYPE.size(); i++) {
            String column = OF_TYPE.get(i);
            String value = type.values().get(i);
            row[2 * i] = column;
            row[2 * i + 1] = switch (column) {
                case "oid", "typlen", "typelem", "typarray", "typcollation" -> Integer.valueOf(value);
                case "typbyval", "typispreferred" -> value.equals("t");
                default -> value;
            };
        }
        List<Object> others =
                List.of("typnamespace", schema, "typowner", owner(), "typisdefined", true, "typtypmod", UNLIMITED);
        for (int i = 0; i < others.size(); i++) {
            row[2 * OF_TYPE.size() + i] = others.get(i);
        }
        rows.add(row);
    }

    private static void databases(SystemRows rows) {
        rows.add(
                "oid",
                ObjectNumbers.DATABASE,
                "datname",
                AccessLists.OWNER,
                "datdba",
                owner(),
                "encoding",
                UTF8,
                "datlocprovider",
                "c",
                "datallowconn",
                true,
                "datconnlimit",
                UNLIMITED,
                "dattablespace",
                TABLESPACE,
                "datcollate",
                "C",
                "datctype",
                "C");
    }

    private static void accessMethods(SystemRows rows) {
        rows.add("oid", 2, "amname", "heap", "amhandler", "heap_tableam_handler", "amtype", "t");
        rows.add("oid", 403, "amname", "btree", "amhandler", "bthandler", "amtype", "i");
        rows.add("oid", 405, "amname", "hash", "amhandler", "hashhandler", "amtype", "i");
    }

    private static void collations(SystemRows rows) {
        for (List<Object> each : List.<List<Object>>of(List.of(100, "default", "d"), List.of(950, "C", "c"))) {
            boolean isC = each.get(1).equals("C");
            rows.add(
                    "oid",
                    each.getFirst(),
                    "collname",
                    each.get(1),
                    "collnamespace",
                    ObjectNumbers.CATALOG_SCHEMA,
                    "collowner",
                    owner(),
                    "collprovider",
                    each.get(2),
                    "collisdeterministic",
                    true,
                    "collencoding",
                    UNLIMITED,
                    "collcollate",
                    isC ? "C" : null,
                    "collctype",
                    isC ? "C" : null);
        }
    }

    private static void languages(SystemRows rows) {
        for (String language : LANGUAGES) {
            int blank = language.indexOf(' ');
            rows.add(
                    "oid", Integer.valueOf(language.substring(0, blank)),
                    "lanname", language.substring(blank + 1),
                    "lanowner", owner());
        }
    }

    private void procedures(SystemRows rows) {
        functions(rows);
        for (ProcedureDefinition procedure : objects.catalog().procedures().values()) {
            if (procedure.body() instanceof ProcedureDefinition.RowAccess) {
                continue; // comes with its table, and its name is none that PostgreSQL's clients could write
            }
            boolean isJava = procedure.body() instanceof ProcedureDefinition.JavaClass;
            String text = switch (procedure.body()) {
                case ProcedureDefinition.JavaClass java -> java.className();
                case ProcedureDefinition.Sql sql -> String.join("; ", sql.statements());
                case ProcedureDefinition.RowAccess access -> access.operation().name();
            };
            rows.add(
                    "oid",
                    objects.numbers().ofProcedure(procedure.name()),
                    "proname",
                    procedure.name().toLowerCase(Locale.ROOT),
                    "pronamespace",
                    ObjectNumbers.PUBLIC_SCHEMA,
                    "proowner",
                    owner(),
                    "prolang",
                    isJava ? JAVA : SQL,
                    "procost",
                    1.0,
                    "prokind",
                    "p",
                    "provolatile",
                    "v",
                    "proparallel",
                    "u",
                    "prorettype",
                    VOID,
                    "proargtypes",
                    "",
                    "prosrc",
                    text);
        }
    }

    private void functions(SystemRows rows) {
        for (UserFunction function : objects.catalog().functions().values()) {
            String text = switch (function.body()) {
                case UserFunction.JavaMethod java -> java.className();
                case UserFunction.Formula formula -> formula.text();
                case UserFunction.Aggregate _ -> "aggregate_dummy"; // as PostgreSQL has it
            };
            List<UserFunction.Parameter> parameters = function.parameters();
            rows.add(
                    "oid",
                    objects.numbers().ofProcedure(function.name()),
                    "proname",
                    function.name().toLowerCase(Locale.ROOT),
                    "pronamespace",
                    ObjectNumbers.PUBLIC_SCHEMA,
                    "proowner",
                    owner(),
                    "prolang",
                    function.body() instanceof UserFunction.Formula ? SQL : JAVA,
                    "procost",
                    1.0,
                    "prokind",
                    function.isAggregate() ? "a" : "f",
                    "proisstrict",
                    !function.takesNulls(),
                    "provolatile",
                    "i",
                    "proparallel",
                    "s",
                    "pronargs",
                    parameters.size(),
                    "prorettype",
                    SystemType.of(function.result()).oid(),
                    "proargtypes",
                    parameters.stream()
                            .map(parameter -> Integer.toString(
                                    SystemType.of(parameter.type()).oid()))
                            .collect(Collectors.joining(" ")),
                    "proargnames",
                    parameters.stream()
                            .map(parameter -> parameter.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(",", "{", "}")),
                    "prosrc",
                    text);
        }
    }

    void comments(SystemRows rows) {
        objects.catalog().comments().all().forEach((subject, text) -> {
            int column = subject.kind() == Comments.Kind.COLUMN ? columnOf(subject) : 0;
            int number = switch (subject.kind()) {
                case TABLE -> table(subject.name());
                case VIEW -> objects.numbers().ofView(subject.name());
                case COLUMN -> relation(subject.name());
                case INDEX -> index(subject.name());
                case PROCEDURE -> procedure(subject.name());
                case TYPE ->
                    ObjectNumbers.ofId(Objects.requireNonNull(
                                    objects.catalog().enumerations().get(subject.name()))
                            .id());
            };
            int classNumber = switch (subject.kind()) {
                case PROCEDURE -> ObjectNumbers.CLASS_OF_PROCEDURES;
                case TYPE -> ObjectNumbers.CLASS_OF_TYPES;
                case TABLE, VIEW, COLUMN, INDEX -> ObjectNumbers.CLASS_OF_TABLES;
            };
            rows.add("objoid", number, "classoid", classNumber, "objsubid", column, "description", text);
        });
    }

    private int table(String name) {
        return ObjectNumbers.ofId(objects.catalog().table(name).id());
    }

    private int relation(String name) {
        return objects.catalog().tables().containsKey(name)
                ? table(name)
                : objects.numbers().ofView(name);
    }

    private int columnOf(Comments.Subject subject) {
        List<ShownObjects.ShownColumn> columns = objects.catalog().tables().containsKey(subject.name())
                ? ShownObjects.columns(objects.catalog().table(subject.name()))
                : List.of();
        return columns.stream().map(ShownObjects.ShownColumn::name).toList().indexOf(subject.column()) + 1;
    }

    private int index(String name) {
        for (Table table : objects.tables()) {
            for (var index : table.indexes()) {
                if (index.name().equals(name)) {
                    return ObjectNumbers.ofId(index.id());
                }
            }
        }
        return 0;
    }

    private int procedure(String name) {
        return objects.catalog().procedures().values().stream()
                .filter(procedure -> procedure.name().equalsIgnoreCase(name))
                .mapToInt(procedure -> objects.numbers().ofProcedure(procedure.name()))
                .findFirst()
                .orElse(0);
    }

    private static boolean may(Principal principal, Privilege privilege) {
        return principal.rights().contains(AccessRight.onEverything(privilege));
    }

    private void roles(SystemRows rows, @Nullable String password) {
        role(rows, owner(), AccessLists.OWNER, true, false, password);
        for (Principal principal : objects.catalog().access().principals().values()) {
            role(
                    rows,
                    objects.numbers().ofRole(principal.name()),
                    MirroredName.of(principal.name()),
                    may(principal, Privilege.ADMIN),
                    principal.isUser(),
                    password);
        }
    }

    private static void role(
            SystemRows rows, int oid, String name, boolean isAdministrator, boolean isUser, @Nullable String password) {
        rows.add(
                "oid", oid,
                "rolname", name,
                "rolsuper", isAdministrator,
                "rolinherit", true,
                "rolcreaterole", isAdministrator,
                "rolcreatedb", false,
                "rolcanlogin", isUser,
                "rolconnlimit", UNLIMITED,
                "rolpassword", password);
    }

    private void users(SystemRows rows, @Nullable String password) {
        for (Principal principal : objects.catalog().access().principals().values()) {
            if (principal.isUser()) {
                rows.add(
                        "usename", MirroredName.of(principal.name()),
                        "usesysid", objects.numbers().ofRole(principal.name()),
                        "usesuper", may(principal, Privilege.ADMIN),
                        "passwd", password);
            }
        }
    }

    private void groups(SystemRows rows) {
        for (Principal role : objects.catalog().access().principals().values()) {
            if (!role.isUser()) {
                List<Integer> members = objects.catalog().access().principals().values().stream()
                        .filter(member -> member.roles().contains(role.name()))
                        .map(member -> objects.numbers().ofRole(member.name()))
                        .toList();
                rows.add(
                        "groname", MirroredName.of(role.name()),
                        "grosysid", objects.numbers().ofRole(role.name()),
                        "grolist", ConstraintRows.array(members));
            }
        }
    }

    private void members(SystemRows rows) {
        for (Principal member : objects.catalog().access().principals().values()) {
            for (String role : member.roles()) {
                rows.add(
                        "roleid", objects.numbers().ofRole(role),
                        "member", objects.numbers().ofRole(member.name()),
                        "grantor", owner());
            }
        }
    }

    /** A role's own roles, as an array of names. */
    static String rolesOf(Principal principal) {
        return principal.roles().stream()
                .map(MirroredName::of)
                .map(ObjectTexts::quoted)
                .collect(Collectors.joining(",", "{", "}"));
    }
}
