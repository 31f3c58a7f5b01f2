package dev.fulmar.postgres.dialect;

import dev.fulmar.engine.execution.function.Identifiers;
import dev.fulmar.postgres.setting.SettingCommand;
import org.jspecify.annotations.Nullable;

/** Reads statements about settings (PostgreSQL manual: SET, SHOW, RESET). */
public final class SettingCommands {
    /** The user that has logged in. */
    private static final String NOBODY_ELSE = "NONE";

    private final String statement;
    private final LexemeReader words;

    private SettingCommands(String statement) {
        this.statement = statement;
        this.words = new LexemeReader(statement);
    }

    /** The command of a statement; null for one about something else, such as SET TRANSACTION. */
    public static @Nullable SettingCommand of(Translation translation) {
        return switch (translation.firstWord()) {
            case "SET", "SHOW", "RESET" -> new SettingCommands(translation.source()).command();
            default -> null;
        };
    }

    private @Nullable SettingCommand command() {
        return switch (words.next().word()) {
            case "SET" -> set();
            case "SHOW" -> {
                if (words.takes("ALL")) {
                    yield atEnd(new SettingCommand.ShowAll());
                }
                yield atEnd(new SettingCommand.Show(named()));
            }
            default -> {
                if (words.takes("ALL")) {
                    yield atEnd(new SettingCommand.ResetAll());
                }
                boolean isUser = words.takes("ROLE");
                if (!isUser && words.takes("SESSION")) {
                    words.expect("AUTHORIZATION");
                    isUser = true;
                }
                if (isUser) {
                    yield atEnd(new SettingCommand.Become(NOBODY_ELSE));
                }
                yield atEnd(new SettingCommand.Reset(named(), false));
            }
        };
    }

    private @Nullable SettingCommand set() {
        boolean isLocal = words.takes("LOCAL");
        boolean isSession = !isLocal && words.takes("SESSION");
        if (isSession && words.takes("CHARACTERISTICS")) {
            words.expect("AS");
            words.expect("TRANSACTION");
            String mode = statement.substring(words.peek().start());
            return new SettingCommand.Characteristics(mode);
        }
        if (words.peek().isWord("TRANSACTION") || words.peek().isWord("CONSTRAINTS")) {
            return null;
        }
        if (words.takes("ROLE") || (isSession && words.takes("AUTHORIZATION"))) {
            return new SettingCommand.Become(value());
        }
        if (isLocal && words.takes("SESSION")) {
            words.expect("AUTHORIZATION");
            return new SettingCommand.Become(value());
        }
        boolean isZone = words.peek().isWord("TIME");
        String name = named();
        if (!isZone && !words.takes("TO") && !words.takesSymbol("=")) {
            throw words.unexpected(words.peek());
        }
        if (words.takes("DEFAULT") || (isZone && words.takes("LOCAL"))) {
            return atEnd(new SettingCommand.Reset(name, isLocal));
        }
        String value = name.equalsIgnoreCase("search_path") ? path() : value();
        return new SettingCommand.Assign(name, value, isLocal);
    }

    /** A name, perhaps with a point in it, or one of the names of several words. */
    private String named() {
        if (words.takes("TIME")) {
            words.expect("ZONE");
            return "TimeZone";
        }
        if (words.takes("TRANSACTION")) {
            words.expect("ISOLATION");
            words.expect("LEVEL");
            return "transaction_isolation";
        }
        if (words.takes("SESSION")) {
            words.expect("AUTHORIZATION");
            return "session_authorization";
        }
        if (words.takes("NAMES")) {
            return "client_encoding";
        }
        StringBuilder name = new StringBuilder(words.name());
        while (words.takesSymbol(".")) {
            name.append('.').append(words.name());
        }
        return name.toString();
    }

    /** One value or several with commas. */
    private String value() {
        StringBuilder value = new StringBuilder(single());
        while (words.takesSymbol(",")) {
            value.append(", ").append(single());
        }
        words.expectEnd();
        return value.toString();
    }

    /** Names with commas; what stands in quotes is one name. */
    private String path() {
        StringBuilder path = new StringBuilder();
        do {
            boolean isPlain = words.peek().kind() == Lexeme.Kind.WORD;
            String name = single();
            path.append(path.isEmpty() ? "" : ", ").append(isPlain ? name : Identifiers.quoted(name));
        } while (words.takesSymbol(","));
        words.expectEnd();
        return path.toString();
    }

    private String single() {
        Lexeme value = words.next();
        return switch (value.kind()) {
            case WORD, NUMBER -> value.text();
            case QUOTED -> value.name();
            case STRING, ESCAPED, DOLLAR -> TextLiteral.value(statement, value);
            case SYMBOL -> {
                if (!value.isSymbol("-") && !value.isSymbol("+")) {
                    throw words.unexpected(value);
                }
                yield (value.isSymbol("-") ? "-" : "") + words.next().text();
            }
            default -> throw words.unexpected(value);
        };
    }

    private <T> T atEnd(T command) {
        words.expectEnd();
        return command;
    }
}
