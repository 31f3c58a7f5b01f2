package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Names of prepared statements in commands about them. */
public final class StatementNames {
    private StatementNames() {}

    /** The statement that {@code DEALLOCATE [PREPARE] name} names; null for all. */
    public static @Nullable String deallocated(Translation translation) {
        List<Lexeme> lexemes = Lexer.lexemes(translation.source());
        int place = lexemes.get(1).isWord("PREPARE") ? 2 : 1;
        Lexeme name = lexemes.get(Math.min(place, lexemes.size() - 1));
        boolean isWhole = place + 2 == lexemes.size();
        if (!name.isName() || !isWhole) {
            throw Place.error(
                    ErrorCode.SYNTAX,
                    translation.source(),
                    name.start(),
                    "syntax error; DEALLOCATE takes the name of a prepared statement, or ALL");
        }
        if (name.isWord("ALL")) {
            return null;
        }
        String text = name.text();
        return name.kind() == Lexeme.Kind.WORD
                ? text.toLowerCase(Locale.ROOT)
                : text.substring(1, text.length() - 1).replace("\"\"", "\"");
    }
}
