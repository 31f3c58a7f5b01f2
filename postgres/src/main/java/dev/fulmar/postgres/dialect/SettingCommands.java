package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.postgres.setting.SettingCommand;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads statements about settings (PostgreSQL manual: SET, SHOW, RESET). */
public final class SettingCommands {
    private final String statement;
    private final List<Lexeme> lexemes;
    private int place;

    private SettingCommands(String statement) {
        this.statement = statement;
        this.lexemes = Lexer.lexemes(statement);
    }

    /** The command of a statement; null for one about something else, such as SET TRANSACTION. */
    public static @Nullable SettingCommand of(Translation translation) {
        return switch (translation.firstWord()) {
            case "SET", "SHOW", "RESET" -> new SettingCommands(translation.source()).command();
            default -> null;
        };
    }

    private Lexeme next() {
        return lexemes.get(Math.min(place++, lexemes.size() - 1));
    }

    private Lexeme peek() {
        return lexemes.get(Math.min(place, lexemes.size() - 1));
    }

    private boolean takes(String word) {
        boolean isNext = peek().isWord(word);
        place += isNext ? 1 : 0;
        return isNext;
    }

    private @Nullable SettingCommand command() {
        return switch (next().word()) {
            case "SET" -> set();
            case "SHOW" -> {
                if (takes("ALL")) {
                    yield atEnd(new SettingCommand.ShowAll());
                }
                yield atEnd(new SettingCommand.Show(named()));
            }
            default -> {
                if (takes("ALL")) {
                    yield atEnd(new SettingCommand.ResetAll());
                }
                yield atEnd(new SettingCommand.Reset(named(), false));
            }
        };
    }

    private @Nullable SettingCommand set() {
        boolean isLocal = takes("LOCAL");
        boolean isSession = !isLocal && takes("SESSION");
        if (isSession && takes("CHARACTERISTICS")) {
            expect("AS");
            expect("TRANSACTION");
            String mode = statement.substring(peek().start());
            return new SettingCommand.Characteristics(mode);
        }
        if (peek().isWord("TRANSACTION")
                || peek().isWord("CONSTRAINTS")
                || peek().isWord("ROLE")
                || peek().isWord("AUTHORIZATION")) {
            return null;
        }
        boolean isZone = peek().isWord("TIME");
        String name = named();
        if (!isZone && !takes("TO") && !takesSymbol("=")) {
            throw wrong(peek());
        }
        if (takes("DEFAULT") || (isZone && takes("LOCAL"))) {
            return atEnd(new SettingCommand.Reset(name, isLocal));
        }
        return new SettingCommand.Assign(name, value(), isLocal);
    }

    /** A name, perhaps with a point in it, or one of the names of several words. */
    private String named() {
        if (takes("TIME")) {
            expect("ZONE");
            return "TimeZone";
        }
        if (takes("TRANSACTION")) {
            expect("ISOLATION");
            expect("LEVEL");
            return "transaction_isolation";
        }
        if (takes("SESSION")) {
            expect("AUTHORIZATION");
            return "session_authorization";
        }
        if (takes("NAMES")) {
            return "client_encoding";
        }
        StringBuilder name = new StringBuilder(part());
        while (takesSymbol(".")) {
            name.append('.').append(part());
        }
        return name.toString();
    }

    private String part() {
        Lexeme part = next();
        return switch (part.kind()) {
            case WORD -> part.text().toLowerCase(Locale.ROOT);
            case QUOTED -> part.text().substring(1, part.text().length() - 1).replace("\"\"", "\"");
            default -> throw wrong(part);
        };
    }

    private boolean takesSymbol(String symbol) {
        boolean isNext = peek().isSymbol(symbol);
        place += isNext ? 1 : 0;
        return isNext;
    }

    /** One value or several with commas. */
    private String value() {
        StringBuilder value = new StringBuilder(single());
        while (takesSymbol(",")) {
            value.append(", ").append(single());
        }
        if (peek().kind() != Lexeme.Kind.END) {
            throw wrong(peek());
        }
        return value.toString();
    }

    private String single() {
        Lexeme value = next();
        return switch (value.kind()) {
            case WORD, NUMBER -> value.text();
            case QUOTED -> value.text().substring(1, value.text().length() - 1).replace("\"\"", "\"");
            case STRING, ESCAPED, DOLLAR -> TextLiteral.value(statement, value);
            case SYMBOL -> {
                if (!value.isSymbol("-") && !value.isSymbol("+")) {
                    throw wrong(value);
                }
                yield (value.isSymbol("-") ? "-" : "") + next().text();
            }
            default -> throw wrong(value);
        };
    }

    private void expect(String word) {
        if (!takes(word)) {
            throw wrong(peek());
        }
    }

    private <T> T atEnd(T command) {
        if (peek().kind() != Lexeme.Kind.END) {
            throw wrong(peek());
        }
        return command;
    }

    private RuntimeException wrong(Lexeme place) {
        String what = place.kind() == Lexeme.Kind.END ? "end of input" : "\"" + place.text() + "\"";
        return Place.error(ErrorCode.SYNTAX, statement, place.start(), "syntax error at or near " + what);
    }
}
