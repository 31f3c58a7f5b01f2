package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.SimilarNames;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SessionNames;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import dev.fulmar.sql.text.TypeNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlFunction;
import org.jspecify.annotations.Nullable;

/**
 * Explains names that the catalog does not have: which, where they were looked for, what was probably meant, and which
 * table has such a column. Which tables a statement names is read from its words, which may be a few too many: that is
 * good enough for a hint.
 */
final class MissingNames {
    private static final Pattern COLUMN =
            Pattern.compile("^Column '(.*?)' not found in (?:any table|table '(.*?)')(?:; did you mean .*)?$");
    private static final Pattern TARGET = Pattern.compile("^Unknown target column '(.*)'$");
    private static final Pattern OBJECT =
            Pattern.compile("^Object '(.*?)' not found(?: within '(.*?)')?(?:; did you mean .*)?$");
    private static final Pattern ALIAS =
            Pattern.compile("^Table '(.*?)' not found(?:; did you mean .*)?$|^Unknown identifier '([^*]*)'$");
    private static final Pattern FUNCTION =
            Pattern.compile("^No match found for function signature (.*?)(?:\\((.*)\\))?$");
    private static final String NO_RECORD = "Not a record type. The '*' operator requires a record";

    private final Catalog catalog;
    private final List<Token> tokens;

    private MissingNames(Catalog catalog, List<Token> tokens) {
        this.catalog = catalog;
        this.tokens = tokens;
    }

    static MissingNames of(String sql, Catalog catalog) {
        return new MissingNames(catalog, Tokenizer.tokens(sql));
    }

    /** Our words for the complaint, if it is about a name. */
    Optional<FulmarException> error(Position place, String message) {
        Matcher column = COLUMN.matcher(message);
        if (column.matches()) {
            return missing(place, column(column.group(1), Optional.ofNullable(column.group(2))));
        }
        Matcher target = TARGET.matcher(message);
        if (target.matches()) {
            return missing(place, column(target.group(1), Optional.empty()));
        }
        Matcher object = OBJECT.matcher(message);
        if (object.matches()) {
            return missing(place, object(place, object.group(1), Optional.ofNullable(object.group(2))));
        }
        Matcher function = FUNCTION.matcher(message);
        if (function.matches() && isProcedure(function.group(1))) {
            return Optional.of(SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    place,
                    function.group(1)
                            + " is a procedure; CALL it, or read its rows by SELECT * FROM p(...) with nothing"
                            + " else"));
        }
        if (function.matches()) {
            return missing(place, function(function.group(1), function.group(2)));
        }
        Matcher alias = ALIAS.matcher(message);
        if (alias.matches()) {
            String name = alias.group(1) == null ? alias.group(2) : alias.group(1);
            return isType(place)
                    ? Optional.of(SqlErrors.at(ErrorCode.NOT_SUPPORTED, place, TypeNames.unknown(name)))
                    : missing(place, alias(name));
        }
        return message.equals(NO_RECORD) ? missing(place, alias(nameAt(place))) : Optional.empty();
    }

    private boolean isProcedure(String name) {
        return catalog.procedures().containsKey(name)
                || catalog.procedures().containsKey(name.toUpperCase(Locale.ROOT));
    }

    private static Optional<FulmarException> missing(Position place, String message) {
        return Optional.of(SqlErrors.at(ErrorCode.UNKNOWN_OBJECT, place, message));
    }

    private String column(String name, Optional<String> alias) {
        List<Table> mentioned = tables();
        List<Table> searched = alias.flatMap(this::aliased).map(List::of).orElse(mentioned);
        Set<String> names = new TreeSet<>();
        searched.forEach(
                table -> table.visibleColumns().stream().map(Column::name).forEach(names::add));
        boolean isHidden = searched.stream().anyMatch(table -> table.columnIndex(name) >= 0) || readsViews();
        String where = alias.map(SimilarNames::written)
                .or(() -> searched.size() == 1 && !isHidden
                        ? Optional.of(SimilarNames.written(searched.getFirst().name()))
                        : Optional.empty())
                .map(table -> " in " + table)
                .orElse(" in what this statement reads");
        Optional<String> near = SimilarNames.nearest(name, names);
        String hint = near.map(found -> "; did you mean " + SimilarNames.written(found) + "?" + casing(name, found))
                .orElseGet(() -> "; " + holders(name));
        return "there is no column " + SimilarNames.written(name) + where + (hint.equals("; ") ? "" : hint);
    }

    /** The tables that have a column of the name, those of the statement first. */
    private String holders(String name) {
        List<String> holders = new ArrayList<>();
        for (Table table : tables()) {
            if (table.columnIndex(name) >= 0) {
                holders.add(SimilarNames.written(table.name()));
            }
        }
        for (Table table : catalog.shownTo(SessionNames.temporary()).tables().values()) {
            String shown = SimilarNames.written(table.name());
            if (holders.size() < 3 && !table.isSequence() && table.columnIndex(name) >= 0 && !holders.contains(shown)) {
                holders.add(shown);
            }
        }
        return switch (holders.size()) {
            case 0 -> "";
            case 1 -> "table " + holders.getFirst() + " has one";
            default -> "tables " + String.join(", ", holders) + " have one";
        };
    }

    /** Whether columns may come from elsewhere than from tables. */
    private boolean readsViews() {
        return tokens.stream()
                .anyMatch(token -> token.isWord("WITH")
                        || (isName(token) && catalog.views().containsKey(token.name())));
    }

    private static String casing(String name, String found) {
        return name.equalsIgnoreCase(found) ? " Unquoted names are upper case, quoted ones keep theirs" : "";
    }

    private String object(Position place, String name, Optional<String> schema) {
        boolean isSchema = schema.isEmpty() && isFollowedByDot(place);
        if (isSchema) {
            Set<String> schemas = new TreeSet<>(catalog.schemas());
            schemas.add(SchemaName.PUBLIC);
            schemas.add(InformationTable.SCHEMA);
            return "there is no schema " + SimilarNames.written(name)
                    + SimilarNames.hint(name, schemas, "; CREATE SCHEMA makes one");
        }
        Set<String> names = new TreeSet<>();
        if (schema.isPresent() && schema.get().equals(InformationTable.SCHEMA)) {
            InformationTable.all(catalog).forEach(table -> names.add(table.name()));
        } else {
            names.addAll(objects());
        }
        String full = schema.filter(each -> !each.equals(SchemaName.PUBLIC))
                .map(each -> each + "." + name)
                .orElse(name);
        boolean isLocal = names.contains(name);
        String sought = isLocal || schema.orElse("").equals(InformationTable.SCHEMA) ? name : full;
        Optional<String> near =
                SimilarNames.nearest(sought, names).or(() -> schema.isEmpty() ? elsewhere(name) : Optional.empty());
        String otherwise = schema.isPresent() ? "" : "; CREATE TABLE makes one";
        return "there is no table " + SimilarNames.written(full)
                + near.map(found -> "; did you mean " + SimilarNames.written(found) + "?" + casing(name, found))
                        .orElse(otherwise);
    }

    /** The table of that name in a schema. */
    private Optional<String> elsewhere(String name) {
        return objects().stream()
                .filter(each -> SchemaName.local(each).equals(name) && !each.equals(name))
                .findFirst();
    }

    /** Tables, views, and what the statement itself names by WITH or AS. */
    private Set<String> objects() {
        Set<String> names = new TreeSet<>();
        catalog.shownTo(SessionNames.temporary()).tables().values().stream()
                .filter(table -> !table.isSequence())
                .forEach(table -> names.add(table.name()));
        names.addAll(catalog.views().keySet());
        for (int i = 0; i + 1 < tokens.size(); i++) {
            if (isName(tokens.get(i))
                    && tokens.get(i + 1).isWord("AS")
                    && tokens.get(Math.min(i + 2, tokens.size() - 1)).isSymbol("(")) {
                names.add(tokens.get(i).name());
            }
        }
        return names;
    }

    private String alias(String name) {
        Set<String> names = new TreeSet<>();
        tables().forEach(table -> names.add(SchemaName.local(table.name())));
        return "this query has no table " + SimilarNames.written(name)
                + SimilarNames.hint(name, names, "; name it in FROM, or use the name that FROM gives it");
    }

    private String function(String name, @Nullable String types) {
        UserFunction known = catalog.functions().get(name);
        if (known != null) {
            return "there is " + known.signature() + ", which does not take "
                    + (types == null || types.isEmpty() ? "no arguments" : types.replaceAll("[<>]", ""));
        }
        Set<String> names = new TreeSet<>();
        DialectFunctions.operatorTable().getOperatorList().stream()
                .filter(SqlFunction.class::isInstance)
                .forEach(operator -> names.add(operator.getName()));
        names.addAll(catalog.functions().keySet());
        if (names.contains(name) && types != null) {
            String given = types.replaceAll("[<>]", "");
            return name + " does not take " + (given.isEmpty() ? "no arguments" : given)
                    + "; docs/SQL.md lists the functions";
        }
        return "there is no function " + name + SimilarNames.hint(name, names, "; docs/SQL.md lists the functions");
    }

    private static boolean isName(Token token) {
        return token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED_NAME;
    }

    /** The tables of the catalog whose names are words of the statement. */
    private List<Table> tables() {
        List<Table> found = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (isName(token)) {
                boolean isQualified = i >= 2 && tokens.get(i - 1).isSymbol(".") && isName(tokens.get(i - 2));
                Table table = isQualified
                        ? catalog.tables()
                                .get(SchemaName.qualified(tokens.get(i - 2).name(), token.name()))
                        : catalog.tables().get(token.name());
                if (table != null && !found.contains(table)) {
                    found.add(table);
                }
            }
        }
        return found;
    }

    /** The table that the statement gives the name to. */
    private Optional<Table> aliased(String alias) {
        Table itself = catalog.tables().get(alias);
        if (itself != null) {
            return Optional.of(itself);
        }
        for (int i = 1; i < tokens.size(); i++) {
            if (isName(tokens.get(i)) && tokens.get(i).name().equals(alias)) {
                Token before = tokens.get(i - 1).isWord("AS") && i > 1 ? tokens.get(i - 2) : tokens.get(i - 1);
                Table table = isName(before) ? catalog.tables().get(before.name()) : null;
                if (table != null) {
                    return Optional.of(table);
                }
            }
        }
        return Optional.empty();
    }

    private int indexOf(Position place) {
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).position().equals(place)) {
                return i;
            }
        }
        return tokens.size() - 1;
    }

    private String nameAt(Position place) {
        Token token = tokens.get(indexOf(place));
        return isName(token) ? token.name() : token.text();
    }

    private boolean isFollowedByDot(Position place) {
        int index = indexOf(place);
        return index + 1 < tokens.size() && tokens.get(index + 1).isSymbol(".");
    }

    /** Whether a type belongs there: behind the AS of a CAST, or behind ::. */
    private boolean isType(Position place) {
        int index = indexOf(place);
        return index > 0
                && (tokens.get(index - 1).isSymbol(":")
                        || (tokens.get(index - 1).isWord("AS")
                                && tokens.get(Math.min(index + 1, tokens.size() - 1))
                                        .isSymbol(")")));
    }
}
