package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.math.BigInteger;
import java.util.Optional;

/** Parses sequences and identity columns. */
final class SequenceParser {
    private final TokenReader reader;

    SequenceParser(TokenReader reader) {
        this.reader = reader;
    }

    /** Parses the rest of CREATE SEQUENCE. */
    CatalogChange.CreateSequence parse() {
        Presence presence = reader.accept("IF", "NOT", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
        String name = reader.newName("a sequence name");
        SequenceRule rule = rule(false);
        reader.expectEnd();
        return new CatalogChange.CreateSequence(name, rule, presence);
    }

    /** Parses the rest of ALTER SEQUENCE, behind its name. */
    CatalogChange.RestartSequence parseRestart(String name) {
        reader.expect("RESTART");
        reader.accept("WITH");
        long first = number();
        reader.expectEnd();
        return new CatalogChange.RestartSequence(name, first, false, false);
    }

    /** Parses SELECT setval('name', n) or SELECT setval('name', n, true or false). */
    CatalogChange.RestartSequence parseSetval() {
        reader.expect("SELECT", "SETVAL");
        reader.expectSymbol("(");
        String name = reader.nameText("the name of a sequence in quotes");
        reader.expectSymbol(",");
        long value = number();
        boolean isCalled = true;
        if (reader.acceptSymbol(",")) {
            isCalled = reader.accept("TRUE");
            if (!isCalled) {
                reader.expect("FALSE");
            }
        }
        reader.expectSymbol(")");
        reader.expectEnd();
        return new CatalogChange.RestartSequence(name, value, isCalled, true);
    }

    /** The way in which a column draws its numbers. */
    record Option(SequenceRule rule, boolean always) {}

    /** The option of a column, if it comes next. */
    Optional<Option> identity() {
        boolean always = reader.accept("GENERATED", "ALWAYS");
        if (always) {
            reader.expect("AS", "IDENTITY");
        } else if (reader.accept("GENERATED")) {
            reader.expect("BY", "DEFAULT", "AS", "IDENTITY");
        } else if (!reader.accept("IDENTITY") && !reader.accept("AUTO_INCREMENT")) {
            return Optional.empty();
        }
        if (!reader.acceptSymbol("(")) {
            return Optional.of(new Option(new SequenceRule(1, 1, true), always));
        }
        SequenceRule rule = rule(true);
        reader.expectSymbol(")");
        return Optional.of(new Option(rule, always));
    }

    private SequenceRule rule(boolean owned) {
        long start = 1;
        long increment = 1;
        int cache = 0;
        boolean more = true;
        while (more) {
            if (reader.accept("START")) {
                reader.accept("WITH");
                start = number();
            } else if (reader.accept("INCREMENT")) {
                reader.accept("BY");
                Token token = reader.peek();
                increment = number();
                if (increment == 0) {
                    throw SqlErrors.syntax(token.position(), "the increment of a sequence is not 0");
                }
            } else if (reader.accept("CACHE")) {
                cache = cache();
            } else if (isUnbounded()) {
                reader.acceptSymbol(",");
            } else {
                more = false;
            }
            reader.acceptSymbol(",");
        }
        return new SequenceRule(start, increment, owned, cache);
    }

    /** Takes an option of PostgreSQL's that says what is so anyway: numbers go up to those of BIGINT. */
    private boolean isUnbounded() {
        if (reader.accept("AS")) {
            Token type = reader.peek();
            if (!reader.accept("SMALLINT") && !reader.accept("INTEGER") && !reader.accept("BIGINT")) {
                throw SqlErrors.syntax(type.position(), "a sequence has numbers of SMALLINT, INTEGER or BIGINT");
            }
            return true;
        }
        if (reader.accept("SEQUENCE", "NAME")) { // it has the name that its column gives it
            reader.objectName("a sequence name");
            return true;
        }
        return reader.accept("NO", "MINVALUE") || reader.accept("NO", "MAXVALUE") || reader.accept("NO", "CYCLE");
    }

    private int cache() {
        Token token = reader.peek();
        long count = number();
        if (count < 1 || count > SequenceRule.MOST_CACHED) {
            throw SqlErrors.syntax(
                    token.position(),
                    "a node draws 1 to " + SequenceRule.MOST_CACHED + " numbers of a sequence together, not " + count);
        }
        return (int) count;
    }

    private long number() {
        boolean negative = reader.acceptSymbol("-");
        Token token = reader.peek();
        if (token.kind() != Token.Kind.NUMBER || !token.text().chars().allMatch(Character::isDigit)) {
            throw reader.unexpected("an integer");
        }
        reader.take();
        BigInteger value = new BigInteger(token.text());
        BigInteger signed = negative ? value.negate() : value;
        if (signed.bitLength() >= Long.SIZE) {
            throw SqlErrors.syntax(token.position(), "a number of a sequence is a BIGINT");
        }
        return signed.longValue();
    }
}
