package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.SimilarNames;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.NameText;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SessionNames;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a statement token by token. */
final class TokenReader {
    private final String text;
    private final List<Token> tokens;
    private final Set<String> schemas;
    private final Map<String, Enumeration> enumerations;
    private int next;

    /** @param schemas that names may have before a dot, besides PUBLIC */
    TokenReader(String text, List<Token> tokens, Set<String> schemas) {
        this(text, tokens, schemas, Map.of());
    }

    /** @param enumerations types with labels, by the names that the catalog has for them */
    TokenReader(String text, List<Token> tokens, Set<String> schemas, Map<String, Enumeration> enumerations) {
        this.text = text;
        this.tokens = tokens;
        this.schemas = schemas;
        this.enumerations = enumerations;
    }

    /** The type with labels of the name that the catalog has; null if there is none. */
    @Nullable Enumeration enumeration(String name) {
        return enumerations.get(name);
    }

    Token peek() {
        return tokens.get(next);
    }

    Token peek(int ahead) {
        return tokens.get(Math.min(next + ahead, tokens.size() - 1));
    }

    Token take() {
        Token token = tokens.get(next);
        if (token.kind() != Token.Kind.END) {
            next++;
        }
        return token;
    }

    /** The word that was taken last. */
    Token last() {
        return tokens.get(Math.max(next - 1, 0));
    }

    boolean isAtEnd() {
        return peek().kind() == Token.Kind.END;
    }

    /** Takes the words if they come next, all or none. */
    boolean accept(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (!peek(i).isWord(words[i])) {
                return false;
            }
        }
        next += words.length;
        return true;
    }

    boolean acceptSymbol(String symbol) {
        if (!peek().isSymbol(symbol)) {
            return false;
        }
        next++;
        return true;
    }

    void expect(String... words) {
        for (String word : words) {
            if (!accept(word)) {
                throw unexpected(word);
            }
        }
    }

    void expectSymbol(String symbol) {
        if (!acceptSymbol(symbol)) {
            throw unexpected("'" + symbol + "'");
        }
    }

    void expectEnd() {
        if (!isAtEnd()) {
            throw unexpected("the end of the statement");
        }
    }

    FulmarException unexpected(String wanted) {
        return SqlErrors.syntax(peek().position(), "expected " + wanted + ", found " + peek().shown() + meant(wanted));
    }

    /** The nearest of the words that are wanted. */
    private String meant(String wanted) {
        List<String> words = Arrays.stream(wanted.split("[^A-Z_]+"))
                .filter(word -> word.length() > 1)
                .toList();
        return peek().kind() == Token.Kind.WORD ? SimilarNames.hint(peek().text(), words, "") : "";
    }

    /** A name: a word or a quoted one; without schema. */
    String name(String what) {
        return nameToken(what).name();
    }

    /** The same as it stands in the text. */
    Token nameToken(String what) {
        Token token = peek();
        if (token.kind() != Token.Kind.WORD && token.kind() != Token.Kind.QUOTED_NAME) {
            throw unexpected(what);
        }
        next++;
        if (token.name().isEmpty()) {
            throw SqlErrors.syntax(token.position(), "a name cannot be empty");
        }
        if (token.name().length() > 128) {
            throw SqlErrors.syntax(token.position(), "a name has at most 128 characters");
        }
        return token;
    }

    /** The name of what there is, perhaps with a schema before it, as the catalog has it. */
    String objectName(String what) {
        boolean isQualified = isQualified(1);
        String name = newName(what);
        return isQualified ? name : SessionNames.catalogName(name);
    }

    /** The name of the table before the point and the name of its column, perhaps with a schema before it. */
    String ownerName() {
        String what = "a table name";
        return isQualified(2) ? objectName(what) : SessionNames.catalogName(name(what));
    }

    /** The name of what is to be in a schema, which is the first of the path unless it stands before the name. */
    String createdName(String what) {
        boolean isQualified = isQualified(1);
        Position position = peek().position();
        String name = newName(what);
        return isQualified ? name : SessionNames.newName(name, position);
    }

    /** The name of what is to be, perhaps with a schema before it, as the catalog has it. */
    String newName(String what) {
        Token first = peek();
        String name = name(what);
        SessionNames.check(name, first.position());
        if (!acceptSymbol(".")) {
            return name;
        }
        if (SchemaName.showsCatalog(name)) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED, first.position(), name + " shows the catalog, and nothing in it changes");
        }
        String schema = SessionNames.schemaOf(name);
        boolean isThere =
                schema.equals(SchemaName.PUBLIC) || schemas.contains(schema) || schema.equals(SessionNames.temporary());
        if (!isThere || schema.isEmpty()) {
            throw SqlErrors.at(
                    ErrorCode.UNKNOWN_OBJECT,
                    first.position(),
                    "there is no schema " + name + "; CREATE SCHEMA makes one");
        }
        return SchemaName.qualified(schema, name(what));
    }

    /** A name in a text behind the parenthesis that was taken last, as the catalog has it. */
    String nameText(String what) {
        NameText.Argument argument = NameText.argument(tokens, next - 1);
        if (argument == null) {
            throw unexpected(what);
        }
        next = argument.end();
        return argument.name().name();
    }

    /** Whether so many dots follow in the name that comes next. */
    boolean isQualified(int dots) {
        for (int i = 0; i < dots; i++) {
            if (!peek(2 * i + 1).isSymbol(".")) {
                return false;
            }
        }
        return true;
    }

    /** A dotted name as it is written, such as that of a class. */
    String dottedName(String what) {
        StringBuilder name = new StringBuilder();
        do {
            Token token = peek();
            if (token.kind() != Token.Kind.WORD && token.kind() != Token.Kind.QUOTED_NAME) {
                throw unexpected(what);
            }
            next++;
            name.append(name.isEmpty() ? "" : ".")
                    .append(token.kind() == Token.Kind.WORD ? token.text() : token.name());
        } while (acceptSymbol("."));
        return name.toString();
    }

    /** Reads text in single quotes. */
    String string(String what) {
        Token token = peek();
        if (token.kind() != Token.Kind.STRING) {
            throw unexpected(what);
        }
        next++;
        return token.text().substring(1, token.text().length() - 1).replace("''", "'");
    }

    int integer(String what, int lowest, int highest) {
        return (int) longInteger(what, lowest, highest);
    }

    long longInteger(String what, long lowest, long highest) {
        Token token = peek();
        if (token.kind() != Token.Kind.NUMBER || !token.text().chars().allMatch(Character::isDigit)) {
            throw unexpected(what);
        }
        next++;
        BigInteger value = new BigInteger(token.text());
        if (value.compareTo(BigInteger.valueOf(lowest)) < 0 || value.compareTo(BigInteger.valueOf(highest)) > 0) {
            throw SqlErrors.syntax(
                    token.position(), what + " must be from " + lowest + " to " + highest + ", not " + token.text());
        }
        return value.longValue();
    }

    /** The text from the token's begin up to what has been taken. */
    String textSince(Token first) {
        return text.substring(
                first.start(),
                Math.max(first.start(), tokens.get(Math.max(next - 1, 0)).end()));
    }

    /** The rest of the statement. */
    String takeRest() {
        Token first = peek();
        next = tokens.size() - 1;
        return text.substring(
                first.start(), tokens.get(Math.max(0, tokens.size() - 2)).end());
    }
}
