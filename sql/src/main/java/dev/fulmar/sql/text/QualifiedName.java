package dev.fulmar.sql.text;

import dev.fulmar.engine.catalog.SchemaName;
import java.util.List;

/** Names with a schema before them, as one token. */
public final class QualifiedName {
    private static final int TOKENS = 3;

    private QualifiedName() {}

    /** The name that begins with the token at the place; as long as its text, but named as the catalog has it. */
    public static Token at(List<Token> tokens, int place) {
        Token first = tokens.get(place);
        boolean isPlain = length(tokens, place) == 1;
        if (isPlain && !(isName(first) && SessionNames.isElsewhere(first.name()))) {
            return first;
        }
        Token last = isPlain ? first : tokens.get(place + 2);
        String name = isPlain
                ? SessionNames.catalogName(first.name())
                : SchemaName.qualified(SessionNames.schemaOf(first.name()), last.name());
        return new Token(
                Token.Kind.QUOTED_NAME,
                "\"" + name.replace("\"", "\"\"") + "\"",
                first.start(),
                last.end(),
                first.position());
    }

    /** Tokens of the name at the place. */
    public static int length(List<Token> tokens, int place) {
        boolean isQualified = place + 2 < tokens.size()
                && tokens.get(place + 1).isSymbol(".")
                && isName(tokens.get(place))
                && isName(tokens.get(place + 2));
        return isQualified ? TOKENS : 1;
    }

    private static boolean isName(Token token) {
        return token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED_NAME;
    }
}
