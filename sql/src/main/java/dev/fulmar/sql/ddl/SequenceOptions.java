package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.SequenceBounds;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.math.BigInteger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options of a sequence, in any order. One of which nothing but a start, an increment and a cache is said has no
 * bounds; with MINVALUE, MAXVALUE, CYCLE or BOUNDED it has those of PostgreSQL.
 */
final class SequenceOptions {
    private final TokenReader reader;
    private final DdlExpressions expressions;
    private final Token first;
    private @Nullable Long start;
    private @Nullable Long increment;
    private @Nullable Long least;
    private @Nullable Long greatest;
    private @Nullable Boolean cycles;
    private @Nullable Integer cache;
    private @Nullable TypeKind type;

    /** Whether bounds are said, NO MINVALUE and NO MAXVALUE among them. */
    private boolean hasLeast;

    private boolean hasGreatest;
    private boolean isBounded;
    private boolean restarts;
    private @Nullable Long restart;

    SequenceOptions(TokenReader reader, DdlExpressions expressions) {
        this.expressions = expressions;
        this.reader = reader;
        this.first = reader.peek();
    }

    /** Reads all that come. */
    SequenceOptions read() {
        boolean more = true;
        while (more) {
            more = readOne();
            reader.acceptSymbol(",");
        }
        return this;
    }

    /** Reads one option; false if none comes. */
    boolean readOne() {
        if (reader.accept("START")) {
            reader.accept("WITH");
            start = number();
        } else if (reader.accept("INCREMENT")) {
            reader.accept("BY");
            increment = increment();
        } else if (reader.accept("CACHE")) {
            cache = cache();
        } else if (reader.accept("MINVALUE")) {
            least = number();
            hasLeast = true;
        } else if (reader.accept("MAXVALUE")) {
            greatest = number();
            hasGreatest = true;
        } else if (reader.accept("CYCLE")) {
            cycles = true;
        } else if (reader.accept("AS")) {
            type = type();
        } else if (reader.accept("BOUNDED")) {
            isBounded = true;
        } else if (reader.accept("RESTART")) {
            restarts = true;
            boolean isSaid = reader.accept("WITH")
                    || reader.peek().kind() == Token.Kind.NUMBER
                    || reader.peek().isSymbol("-");
            restart = isSaid ? Long.valueOf(number()) : null;
        } else {
            return saysNo() || isSilent();
        }
        return true;
    }

    private boolean saysNo() {
        if (reader.accept("NO", "MINVALUE")) {
            least = null;
            hasLeast = true;
        } else if (reader.accept("NO", "MAXVALUE")) {
            greatest = null;
            hasGreatest = true;
        } else if (reader.accept("NO", "CYCLE")) {
            cycles = false;
        } else {
            return false;
        }
        return true;
    }

    /** Takes an option that changes nothing here. */
    private boolean isSilent() {
        if (reader.accept("SEQUENCE", "NAME")) { // it has the name that its column gives it
            reader.objectName("a sequence name");
            return true;
        }
        if (!reader.accept("OWNED", "BY")) {
            return false;
        }
        if (!reader.accept("NONE")) {
            checkOwner();
        }
        return true;
    }

    /** A column ties no sequence to it, but has to be there. */
    private void checkOwner() {
        Token owner = reader.peek();
        String name = reader.ownerName();
        reader.expectSymbol(".");
        String column = reader.name("a column name");
        Table table = expressions.table(name).orElse(null);
        if (table == null || table.columnIndex(column) < 0) {
            throw SqlErrors.at(
                    ErrorCode.UNKNOWN_OBJECT,
                    owner.position(),
                    table == null ? expressions.noTable(name) : table.noColumn(column));
        }
    }

    /** The rule of a new sequence. */
    SequenceRule made(boolean owned) {
        long step = Objects.requireNonNullElse(increment, 1L);
        int cached = Objects.requireNonNullElse(cache, 0);
        boolean isOpen = !isBounded && least == null && greatest == null && !Boolean.TRUE.equals(cycles);
        if (isOpen) {
            return new SequenceRule(Objects.requireNonNullElse(start, 1L), step, owned, cached);
        }
        if (cached == 0) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    "partitions draw the numbers of a sequence without CACHE by themselves, so it has no bounds; say"
                            + " CACHE n");
        }
        TypeKind kind = Objects.requireNonNullElse(type, TypeKind.BIGINT);
        long low = least != null ? least : step > 0 ? 1 : SequenceBounds.least(kind);
        long high = greatest != null ? greatest : step > 0 ? SequenceBounds.greatest(kind) : -1;
        long begin = Objects.requireNonNullElse(start, step > 0 ? low : high);
        SequenceBounds bounds = new SequenceBounds(low, high, Boolean.TRUE.equals(cycles), begin, kind);
        check(bounds, begin, "START");
        return new SequenceRule(begin, step, owned, cached, bounds);
    }

    /** Whether the next number is to be another one. */
    boolean restarts() {
        return restarts;
    }

    /** The rule with what is said, as PostgreSQL has it; all else stays. */
    SequenceRule changed(SequenceRule rule) {
        if (!rule.isDense() && cache == null) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    "the sequence has no CACHE, so partitions count by themselves; DROP it, and CREATE one with CACHE");
        }
        SequenceBounds old = rule.bounds();
        TypeKind kind = Objects.requireNonNullElse(type, old.type());
        long step = Objects.requireNonNullElse(increment, rule.increment());
        boolean wasLeast = type != null && old.least() == SequenceBounds.least(old.type());
        boolean wasGreatest = type != null && old.greatest() == SequenceBounds.greatest(old.type());
        long low = least != null
                ? least
                : hasLeast || wasLeast ? step < 0 || wasLeast ? SequenceBounds.least(kind) : 1 : old.least();
        long high = greatest != null
                ? greatest
                : hasGreatest || wasGreatest
                        ? step > 0 || wasGreatest ? SequenceBounds.greatest(kind) : -1
                        : old.greatest();
        SequenceBounds bounds = new SequenceBounds(
                low,
                high,
                Objects.requireNonNullElse(cycles, old.cycles()),
                Objects.requireNonNullElse(start, old.first()),
                kind);
        check(bounds, bounds.first(), "START");
        long begin = restarts ? Objects.requireNonNullElse(restart, bounds.first()) : rule.start();
        check(bounds, begin, "RESTART");
        return new SequenceRule(begin, step, rule.owned(), Objects.requireNonNullElse(cache, rule.cache()), bounds);
    }

    private void check(SequenceBounds bounds, long begin, String word) {
        boolean isOfType = bounds.greatest() <= SequenceBounds.greatest(bounds.type())
                && bounds.least() >= SequenceBounds.least(bounds.type());
        if (!isOfType) {
            throw invalid("MINVALUE " + bounds.least() + " and MAXVALUE " + bounds.greatest() + " are no numbers of "
                    + bounds.type());
        }
        if (bounds.least() >= bounds.greatest()) {
            throw invalid("MINVALUE " + bounds.least() + " is not less than MAXVALUE " + bounds.greatest());
        }
        if (!bounds.contains(begin)) {
            throw invalid(word + " " + begin + " is not between MINVALUE " + bounds.least() + " and MAXVALUE "
                    + bounds.greatest());
        }
    }

    private RuntimeException invalid(String message) {
        return SqlErrors.at(ErrorCode.INVALID_ARGUMENT, first.position(), message);
    }

    private long increment() {
        Token token = reader.peek();
        long value = number();
        if (value == 0) {
            throw SqlErrors.at(ErrorCode.INVALID_ARGUMENT, token.position(), "the increment of a sequence is not 0");
        }
        return value;
    }

    private TypeKind type() {
        Token token = reader.peek();
        if (reader.accept("SMALLINT") || reader.accept("INT2")) {
            return TypeKind.SMALLINT;
        }
        if (reader.accept("INTEGER") || reader.accept("INT") || reader.accept("INT4")) {
            return TypeKind.INTEGER;
        }
        if (reader.accept("BIGINT") || reader.accept("INT8")) {
            return TypeKind.BIGINT;
        }
        throw SqlErrors.at(
                TypeParser.isType(token) ? ErrorCode.INVALID_ARGUMENT : ErrorCode.SYNTAX,
                token.position(),
                "a sequence has numbers of SMALLINT, INTEGER or BIGINT");
    }

    private int cache() {
        Token token = reader.peek();
        long count = number();
        if (count < 1 || count > SequenceRule.MOST_CACHED) {
            throw SqlErrors.at(
                    ErrorCode.INVALID_ARGUMENT,
                    token.position(),
                    "a node draws 1 to " + SequenceRule.MOST_CACHED + " numbers of a sequence together, not " + count);
        }
        return (int) count;
    }

    private long number() {
        return number(reader);
    }

    /** Reads a number with its sign. */
    static long number(TokenReader reader) {
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
