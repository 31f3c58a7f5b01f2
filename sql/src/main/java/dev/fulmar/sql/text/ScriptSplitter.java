package dev.fulmar.sql.text;

import java.util.ArrayList;
import java.util.List;

/** Splits a script into statements at its semicolons, but for those inside the BEGIN ... END of a procedure. */
public final class ScriptSplitter {
    private ScriptSplitter() {}

    /** The statements as they stand, without the semicolon that ends each; empty ones are left out. */
    public static List<String> split(String script) {
        List<String> statements = new ArrayList<>();
        List<Token> tokens = Tokenizer.tokens(script);
        int first = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            boolean end = token.kind() == Token.Kind.END;
            if (end || token.isSymbol(";")) {
                if (i > first) {
                    statements.add(script.substring(
                            tokens.get(first).start(), tokens.get(i - 1).end()));
                }
                first = i + 1;
            } else if (token.isWord("BEGIN") && tokens.get(first).isWord("CREATE")) {
                i = endOfBlock(tokens, i);
            }
        }
        return statements;
    }

    /** Index of the END of the block that begins at the token, or of the last token before the end if it has none. */
    private static int endOfBlock(List<Token> tokens, int begin) {
        int openCases = 0;
        int i = begin + 1;
        for (; tokens.get(i).kind() != Token.Kind.END; i++) {
            if (tokens.get(i).isWord("CASE")) {
                openCases++;
            } else if (tokens.get(i).isWord("END")) {
                if (openCases == 0) {
                    return i;
                }
                openCases--;
            }
        }
        return i - 1;
    }
}
