package dev.fulmar.sql.text;

import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names of sequences in text literals, as functions of sequences have them. */
public final class NameText {
    private static final int TYPE_TOKENS = 3;

    /**
     * The first argument of a function.
     *
     * @param name as the catalog has it, at the literal's place
     * @param end place of the token behind it
     */
    public record Argument(Token name, int end) {}

    private NameText() {}

    /**
     * The argument behind the parenthesis at the place: a text with a name, perhaps with {@code ::regclass} behind it.
     * Null if anything else stands there.
     */
    public static @Nullable Argument argument(List<Token> tokens, int place) {
        if (place + 1 >= tokens.size()
                || !tokens.get(place).isSymbol("(")
                || tokens.get(place + 1).kind() != Token.Kind.STRING) {
            return null;
        }
        int end = place + 2;
        boolean hasType = end + TYPE_TOKENS < tokens.size()
                && tokens.get(end).isSymbol(":")
                && tokens.get(end + 1).isSymbol(":")
                && tokens.get(end + 2).isWord("REGCLASS");
        return new Argument(name(tokens.get(place + 1)), hasType ? end + TYPE_TOKENS : end);
    }

    private static Token name(Token literal) {
        String text = literal.text().substring(1, literal.text().length() - 1).replace("''", "'");
        List<Token> tokens;
        try {
            tokens = Tokenizer.tokens(text);
        } catch (FulmarException e) {
            throw noName(literal);
        }
        int length = QualifiedName.length(tokens, 0);
        Token name = QualifiedName.at(tokens, 0);
        boolean isName = name.kind() == Token.Kind.WORD || name.kind() == Token.Kind.QUOTED_NAME;
        if (!isName || tokens.get(length).kind() != Token.Kind.END) {
            throw noName(literal);
        }
        String quoted = "\"" + name.name().replace("\"", "\"\"") + "\"";
        return new Token(Token.Kind.QUOTED_NAME, quoted, literal.start(), literal.end(), literal.position());
    }

    private static FulmarException noName(Token literal) {
        return SqlErrors.syntax(
                literal.position(),
                literal.text() + " is not the name of a sequence; write 's', 'schema.s' or '\"S\"'");
    }
}
