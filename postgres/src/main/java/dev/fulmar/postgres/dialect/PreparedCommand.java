package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code PREPARE} and {@code EXECUTE} as statements. The statement that EXECUTE means is that of PREPARE with the
 * arguments in the places of its parameters.
 */
public final class PreparedCommand {
    private static final int MOST_CHARACTERS = 16 << 20;

    private final String source;
    private final LexemeReader words;

    private PreparedCommand(Translation translation) {
        this(translation.source());
    }

    /** Behind the first word. */
    private PreparedCommand(String source) {
        this.source = source;
        this.words = new LexemeReader(source);
        words.next();
    }

    /**
     * A statement that is prepared.
     *
     * @param types texts of the types of its parameters, as far as they are given
     */
    public record Prepare(String name, List<String> types, Translator.Part statement) {
        public Prepare {
            types = List.copyOf(types);
        }
    }

    /** A statement that is executed, with the texts of its arguments. */
    public record Execute(String name, List<String> arguments) {
        public Execute {
            arguments = List.copyOf(arguments);
        }
    }

    /** Reads {@code PREPARE name [(type, ...)] AS statement}. */
    public static Prepare prepare(Translation translation) {
        PreparedCommand reading = new PreparedCommand(translation);
        String name = reading.words.name();
        List<String> types = reading.list();
        reading.words.expect("AS");
        int start = reading.words.peek().start();
        return new Prepare(
                name, types, new Translator.Part(reading.source.substring(start), translation.start() + start));
    }

    /** Reads {@code DEALLOCATE [PREPARE] name}: the statement's name, null for all. */
    public static @Nullable String deallocated(Translation translation) {
        LexemeReader words = new PreparedCommand(translation).words;
        words.takes("PREPARE");
        boolean isAll = words.peek().isWord("ALL");
        String name = words.name();
        words.expectEnd();
        return isAll ? null : name;
    }

    /** Reads {@code EXECUTE name [(argument, ...)]}. */
    public static Execute execute(Translation translation) {
        PreparedCommand reading = new PreparedCommand(translation);
        String name = reading.words.name();
        List<String> arguments = reading.list();
        reading.words.expectEnd();
        return new Execute(name, arguments);
    }

    /**
     * {@code CREATE TABLE ... AS EXECUTE name [(argument, ...)]}.
     *
     * @param before the text up to EXECUTE
     * @param behind the text behind the arguments
     */
    public record MadeTable(String before, Execute query, String behind) {}

    /** Reads such a statement; null for any other one. */
    public static @Nullable MadeTable table(Translation translation) {
        String source = translation.source();
        List<Lexeme> lexemes = Lexer.lexemes(source);
        int depth = 0;
        for (int i = 0; i + 2 < lexemes.size(); i++) {
            depth += lexemes.get(i).isSymbol("(") ? 1 : lexemes.get(i).isSymbol(")") ? -1 : 0;
            boolean isOne = depth == 0
                    && lexemes.get(i).isWord("AS")
                    && lexemes.get(i + 1).isWord("EXECUTE");
            if (isOne) {
                int start = lexemes.get(i + 1).start();
                PreparedCommand reading = new PreparedCommand(source.substring(start));
                String name = reading.words.name();
                List<String> arguments = reading.list();
                int end = start + reading.words.peek().start();
                return new MadeTable(source.substring(0, start), new Execute(name, arguments), source.substring(end));
            }
        }
        return null;
    }

    /** The text of a prepared statement with arguments in the places of its parameters. */
    public static String with(Translation prepared, List<String> arguments) {
        if (arguments.size() != prepared.parameterCount()) {
            throw new FulmarException(
                    ErrorCode.SYNTAX,
                    "wrong number of parameters for the prepared statement: it has " + prepared.parameterCount()
                            + ", and " + arguments.size() + " are given");
        }
        StringBuilder text = new StringBuilder();
        int end = 0;
        int longest = arguments.stream().mapToInt(String::length).max().orElse(0);
        for (Lexeme lexeme : Lexer.lexemes(prepared.source())) {
            if (lexeme.kind() == Lexeme.Kind.PARAMETER) {
                int number = Integer.parseInt(lexeme.text().substring(1)) - 1;
                if (text.length() + (long) longest + prepared.source().length() > MOST_CHARACTERS) {
                    throw new FulmarException(
                            ErrorCode.STATEMENT_TOO_COMPLEX,
                            "the statement with its arguments is too long; bind them by messages of the protocol");
                }
                text.append(prepared.source(), end, lexeme.start());
                text.append('(').append(arguments.get(number)).append(')');
                end = lexeme.end();
            }
        }
        return text.append(prepared.source().substring(end)).toString();
    }

    /** The texts between commas of a list in parentheses; none if there is no list. */
    private List<String> list() {
        List<String> texts = new ArrayList<>();
        if (!words.peek().isSymbol("(")) {
            return texts;
        }
        int start = words.next().end();
        int depth = 1;
        while (depth > 0) {
            Lexeme lexeme = words.next();
            if (lexeme.kind() == Lexeme.Kind.END) {
                throw words.unexpected(lexeme);
            }
            depth += lexeme.isSymbol("(") || lexeme.isSymbol("[") ? 1 : 0;
            depth -= lexeme.isSymbol(")") || lexeme.isSymbol("]") ? 1 : 0;
            if (depth == 0 || (depth == 1 && lexeme.isSymbol(","))) {
                texts.add(source.substring(start, lexeme.start()).strip());
                start = lexeme.end();
            }
        }
        return texts;
    }
}
