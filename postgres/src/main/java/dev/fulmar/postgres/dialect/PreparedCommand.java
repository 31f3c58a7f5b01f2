package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code PREPARE} and {@code EXECUTE} as statements. The statement that EXECUTE means is that of PREPARE with the
 * arguments in the places of its parameters.
 */
public final class PreparedCommand {
    private static final int MOST_CHARACTERS = 16 << 20;

    private final String source;
    private final List<Lexeme> lexemes;
    private int place = 1;

    private PreparedCommand(Translation translation) {
        this.source = translation.source();
        this.lexemes = Lexer.lexemes(source);
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
        String name = reading.name();
        List<String> types = reading.list();
        if (!reading.next().isWord("AS")) {
            throw reading.wrong();
        }
        int start = reading.peek().start();
        return new Prepare(
                name, types, new Translator.Part(reading.source.substring(start), translation.start() + start));
    }

    /** Reads {@code EXECUTE name [(argument, ...)]}. */
    public static Execute execute(Translation translation) {
        PreparedCommand reading = new PreparedCommand(translation);
        String name = reading.name();
        List<String> arguments = reading.list();
        if (reading.peek().kind() != Lexeme.Kind.END) {
            throw reading.wrong();
        }
        return new Execute(name, arguments);
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

    private Lexeme next() {
        return lexemes.get(Math.min(place++, lexemes.size() - 1));
    }

    private Lexeme peek() {
        return lexemes.get(Math.min(place, lexemes.size() - 1));
    }

    private String name() {
        Lexeme name = next();
        return switch (name.kind()) {
            case WORD -> name.text().toLowerCase(Locale.ROOT);
            case QUOTED -> name.text().substring(1, name.text().length() - 1).replace("\"\"", "\"");
            default -> throw wrong();
        };
    }

    /** The texts between commas of a list in parentheses; none if there is no list. */
    private List<String> list() {
        List<String> texts = new ArrayList<>();
        if (!peek().isSymbol("(")) {
            return texts;
        }
        int start = next().end();
        int depth = 1;
        while (depth > 0) {
            Lexeme lexeme = next();
            if (lexeme.kind() == Lexeme.Kind.END) {
                throw wrong();
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

    private FulmarException wrong() {
        return Place.error(
                ErrorCode.SYNTAX,
                source,
                lexemes.get(Math.max(0, Math.min(place, lexemes.size()) - 1)).start(),
                "syntax error; write PREPARE name [(type, ...)] AS statement, or EXECUTE name [(value, ...)]");
    }
}
