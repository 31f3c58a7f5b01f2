package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.spi.Invocation;
import dev.fulmar.engine.spi.Invocation.Argument;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementZone;
import dev.fulmar.sql.text.Token;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads {@code CALL p(...)} and {@code SELECT * FROM p(...)}, which call a stored procedure. */
public final class InvocationParser {
    /** Words behind FROM that are no name, though a parenthesis may follow them. */
    private static final Set<String> NO_NAMES =
            Set.of("TABLE", "LATERAL", "UNNEST", "GENERATE_SERIES", "VALUES", "SELECT", "ONLY", "JSON_TABLE");

    private static final int NAME_OF_ROWS = 3;
    private static final int LEAST_CAST = 6;
    private static final int TYPE_OF_CAST = 4;

    private final TokenReader reader;
    private final String text;
    private final Constants constants;

    private InvocationParser(String text, List<Token> tokens, Constants constants) {
        this.reader = new TokenReader(text, tokens, Set.of());
        this.text = text;
        this.constants = constants;
    }

    /** The port through which constants are computed. */
    public interface Constants {
        /**
         * The value of an expression without columns.
         *
         * @param position where the text begins, for errors
         */
        Expression of(String text, Position position);
    }

    /** Whether the statement calls a procedure, or means to. */
    public static boolean isOne(List<Token> tokens) {
        return tokens.getFirst().isWord("CALL") || isOfRows(tokens);
    }

    /** The call that the statement is; empty for another statement. */
    public static Optional<Invocation> parse(String text, List<Token> tokens, Constants constants) {
        if (!isOne(tokens)) {
            return Optional.empty();
        }
        InvocationParser parser = new InvocationParser(text, tokens, constants);
        return Optional.of(tokens.getFirst().isWord("CALL") ? parser.call() : parser.rows());
    }

    private static boolean isOfRows(List<Token> tokens) {
        boolean begins = tokens.size() > NAME_OF_ROWS + 1
                && tokens.get(0).isWord("SELECT")
                && tokens.get(1).isSymbol("*")
                && tokens.get(2).isWord("FROM")
                && isName(tokens.get(NAME_OF_ROWS))
                && !NO_NAMES.contains(tokens.get(NAME_OF_ROWS).name());
        int place = NAME_OF_ROWS + 1;
        while (begins && place + 2 < tokens.size() && tokens.get(place).isSymbol(".")) {
            place += 2;
        }
        return begins && tokens.get(place).isSymbol("(");
    }

    private static boolean isName(Token token) {
        return token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED_NAME;
    }

    private Invocation call() {
        reader.expect("CALL");
        List<String> name = name();
        List<Argument> arguments = arguments();
        reader.expectEnd();
        return invocation(Invocation.Form.CALL, name, name.getLast(), arguments);
    }

    private Invocation rows() {
        reader.expect("SELECT");
        reader.expectSymbol("*");
        reader.expect("FROM");
        List<String> name = name();
        List<Argument> arguments = arguments();
        String column = name.getLast();
        if (reader.accept("AS") || (isName(reader.peek()) && reader.peek(1).kind() == Token.Kind.END)) {
            column = reader.name("a name for the result");
        }
        if (!reader.isAtEnd()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    reader.peek().position(),
                    "the rows of a procedure are read by SELECT * FROM p(...) with nothing behind it but a name; choose"
                            + " and order rows in the procedure, or in the client");
        }
        return invocation(Invocation.Form.ROWS, name, column, arguments);
    }

    private static Invocation invocation(
            Invocation.Form form, List<String> name, String column, List<Argument> arguments) {
        List<String> local =
                name.size() > 1 && name.getFirst().equals(SchemaName.PUBLIC) ? name.subList(1, name.size()) : name;
        return new Invocation(form, String.join(".", local), column, arguments, StatementZone.current());
    }

    private List<String> name() {
        List<String> parts = new ArrayList<>();
        do {
            parts.add(reader.name("a procedure name"));
        } while (reader.acceptSymbol("."));
        return parts;
    }

    private List<Argument> arguments() {
        List<Argument> arguments = new ArrayList<>();
        reader.expectSymbol("(");
        if (!reader.acceptSymbol(")")) {
            do {
                arguments.add(argument());
            } while (reader.acceptSymbol(","));
            reader.expectSymbol(")");
        }
        return arguments;
    }

    private Argument argument() {
        Token first = reader.peek();
        List<Token> tokens = new ArrayList<>();
        int depth = 0;
        while (!reader.isAtEnd() && !(depth == 0 && isArgumentEnd(reader.peek()))) {
            Token token = reader.take();
            depth += token.nesting();
            tokens.add(token);
        }
        if (tokens.isEmpty()) {
            throw reader.unexpected("a value or a parameter");
        }
        Optional<Argument> plain = tokens.size() == 1
                ? plain(first)
                : tokens.size() == 2 && first.isSymbol("-") ? number(tokens.get(1), true) : marker(tokens);
        return plain.orElseGet(() -> computed(tokens));
    }

    private static boolean isArgumentEnd(Token token) {
        return token.isSymbol(",") || token.isSymbol(")");
    }

    private static Optional<Argument> plain(Token token) {
        return switch (token.kind()) {
            case STRING -> {
                String text =
                        token.text().substring(1, token.text().length() - 1).replace("''", "'");
                StatementZone.holdsKeptText(); // which is what a text is read as that becomes a parameter
                StatementZone.checkDate(text);
                yield Optional.of(new Argument.Text(text));
            }
            case NUMBER -> number(token, false);
            case SYMBOL -> token.isSymbol("?") ? Optional.of(new Argument.Marker(Optional.empty())) : Optional.empty();
            case WORD -> word(token);
            case QUOTED_NAME, END -> Optional.empty();
        };
    }

    private static Optional<Argument> word(Token token) {
        return switch (token.name()) {
            case "NULL" -> Optional.of(new Argument.Null());
            case "TRUE" -> Optional.of(new Argument.Value(TypeKind.BOOLEAN, true));
            case "FALSE" -> Optional.of(new Argument.Value(TypeKind.BOOLEAN, false));
            default -> Optional.empty();
        };
    }

    /** A number without an exponent is exact. */
    private static Optional<Argument> number(Token token, boolean isNegative) {
        boolean isExact = token.text().chars().allMatch(each -> Character.isDigit(each) || each == '.');
        if (token.kind() != Token.Kind.NUMBER
                || !isExact
                || token.text().indexOf('.') != token.text().lastIndexOf('.')) {
            return Optional.empty();
        }
        BigDecimal written = new BigDecimal(token.text());
        BigDecimal number = isNegative ? written.negate() : written;
        boolean isLong = number.scale() == 0 && number.toBigInteger().bitLength() < Long.SIZE;
        return Optional.of(
                isLong
                        ? new Argument.Value(TypeKind.BIGINT, number.longValueExact())
                        : new Argument.Value(TypeKind.DECIMAL, number));
    }

    /** {@code CAST(? AS type)}. */
    private Optional<Argument> marker(List<Token> tokens) {
        boolean isOne = tokens.size() >= LEAST_CAST
                && tokens.get(0).isWord("CAST")
                && tokens.get(1).isSymbol("(")
                && tokens.get(2).isSymbol("?")
                && tokens.get(3).isWord("AS")
                && tokens.getLast().isSymbol(")");
        if (!isOne) {
            return Optional.empty();
        }
        List<Token> type = new ArrayList<>(tokens.subList(TYPE_OF_CAST, tokens.size() - 1));
        Token last = tokens.getLast();
        type.add(new Token(Token.Kind.END, "", last.start(), last.start(), last.position()));
        TokenReader types = new TokenReader(text, type, Set.of());
        Argument marker = new Argument.Marker(Optional.of(TypeParser.parse(types)));
        types.expectEnd();
        return Optional.of(marker);
    }

    private Argument computed(List<Token> tokens) {
        Token first = tokens.getFirst();
        String written = text.substring(first.start(), tokens.getLast().end());
        if (tokens.stream().anyMatch(token -> token.isSymbol("?"))) {
            throw refused(first, written);
        }
        if (!(constants.of(written, first.position()) instanceof Expression.Literal literal)) {
            throw refused(first, written);
        }
        Object value = literal.value();
        return value == null
                ? new Argument.Null()
                : new Argument.Value(literal.type().kind(), value);
    }

    private static FulmarException refused(Token first, String written) {
        return SqlErrors.at(
                ErrorCode.NOT_SUPPORTED,
                first.position(),
                "the argument " + written + " is computed; a procedure is given constants, parameters, and CAST(? AS"
                        + " type), so compute it before, or in the procedure");
    }
}
