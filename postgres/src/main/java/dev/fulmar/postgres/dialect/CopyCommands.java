package dev.fulmar.postgres.dialect;

import dev.fulmar.coordinator.session.StatementGuess;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.CursorCommand;
import java.util.List;

/** Reads COPY, also as PostgreSQL wrote it before its versions 9.0 and 7.3 (PostgreSQL manual: COPY). */
public final class CopyCommands {
    private final Translation statement;
    private final SessionFacts facts;
    private final LexemeReader words;

    private CopyCommands(Translation statement, SessionFacts facts) {
        this.statement = statement;
        this.facts = facts;
        this.words = new LexemeReader(statement.source());
    }

    /** The command of a statement that begins with COPY. */
    public static CopyCommand of(Translation statement, SessionFacts facts) {
        return new CopyCommands(statement, facts).command();
    }

    /** Whether a statement that begins with COPY may change something. */
    public static boolean mayChange(Translation statement) {
        LexemeReader words = new LexemeReader(statement.source());
        words.expect("COPY");
        if (words.takesSymbol("(")) {
            boolean isQuery = CursorCommand.QUERIES.contains(words.peek().word());
            StringBuilder query = new StringBuilder(); // without comments
            boolean setsValue = false;
            while (words.peek().kind() != Lexeme.Kind.END) {
                setsValue |= words.peek().isWord("SETVAL");
                query.append(words.next().text()).append(' ');
            }
            return !isQuery || setsValue || StatementGuess.readsProcedure(query.toString());
        }
        while (words.peek().kind() != Lexeme.Kind.END) {
            if (words.next().isWord("FROM")) {
                return true;
            }
        }
        return false;
    }

    private CopyCommand command() {
        words.expect("COPY");
        if (words.takesSymbol("(")) {
            return ofQuery();
        }
        CopyOptionWords options = new CopyOptionWords(words);
        if (words.peek().isWord("BINARY")) {
            options.leadingBinary(words.next());
        }
        CopyCommand.Table table = table();
        boolean isFrom = direction();
        options.read();
        refuseCondition();
        words.expectEnd();
        CopyOptions read = options.checked(isFrom);
        return isFrom ? new CopyCommand.In(table, read) : new CopyCommand.OutOfTable(table, read);
    }

    private CopyCommand ofQuery() {
        int start = words.peek().start();
        int end = words.closing().start();
        String text = statement.source().substring(start, end);
        Lexeme to = words.peek();
        if (direction()) {
            throw words.unexpected(to);
        }
        CopyOptionWords options = new CopyOptionWords(words);
        options.read();
        words.expectEnd();
        CopyOptions read = options.checked(false);
        Translation query = Translator.translate(new Translator.Part(text, statement.start() + start), facts);
        if (query.parameterCount() > 0) {
            throw words.error(ErrorCode.SYNTAX, to, "a query of COPY has no parameters; write the values into it");
        }
        return new CopyCommand.OutOfQuery(query, read);
    }

    private CopyCommand.Table table() {
        int start = words.peek().start();
        String label;
        do {
            label = words.name();
        } while (words.takesSymbol("."));
        int end = words.peek().start();
        String name = statement.source().substring(start, end).strip();
        List<String> columns = words.peek().isSymbol("(") ? words.names() : List.of();
        return new CopyCommand.Table(
                Translator.translate(new Translator.Part(name, 0), facts).sql(), label, columns);
    }

    /** Whether rows come from the client; fails for files of the server. */
    private boolean direction() {
        boolean isFrom = words.takes("FROM");
        if (!isFrom) {
            words.expect("TO");
        }
        Lexeme place = words.peek();
        if (place.isWord("PROGRAM")) {
            throw refused(place, "COPY runs no program of the server", isFrom);
        }
        if (words.isText()) {
            throw refused(place, "COPY has no access to files of the server", isFrom);
        }
        if (!words.takes("STDIN") && !words.takes("STDOUT")) {
            throw words.unexpected(place);
        }
        return isFrom;
    }

    private FulmarException refused(Lexeme place, String what, boolean isFrom) {
        return words.error(
                ErrorCode.PERMISSION_DENIED,
                place,
                what + "; " + (isFrom ? "use FROM STDIN" : "use TO STDOUT")
                        + ", as psql's \\copy does with files of the client");
    }

    private void refuseCondition() {
        if (words.peek().isWord("WHERE")) {
            throw words.error(
                    ErrorCode.NOT_SUPPORTED,
                    words.peek(),
                    "COPY FROM with WHERE is not supported; copy into a table of its own, and INSERT with SELECT");
        }
    }
}
