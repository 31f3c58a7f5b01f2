package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses sequences and identity columns. */
final class SequenceParser {
    private final TokenReader reader;
    private final DdlExpressions expressions;

    SequenceParser(TokenReader reader, DdlExpressions expressions) {
        this.expressions = expressions;
        this.reader = reader;
    }

    /** Parses the rest of CREATE SEQUENCE. */
    CatalogChange.CreateSequence parse() {
        Presence presence = reader.accept("IF", "NOT", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
        String name = reader.createdName("a sequence name");
        SequenceRule rule = new SequenceOptions(reader, expressions).read().made(false);
        reader.expectEnd();
        return new CatalogChange.CreateSequence(name, rule, presence);
    }

    /**
     * Parses the rest of ALTER SEQUENCE, behind its name. RESTART with a number alone is what logs have of earlier
     * builds.
     *
     * @param sequence null if there is none of the name
     */
    CatalogChange parseAlter(String name, @Nullable Table sequence) {
        Token first = reader.peek();
        boolean isRestart = first.isWord("RESTART")
                && (reader.peek(1).isWord("WITH")
                        || reader.peek(1).isSymbol("-")
                        || reader.peek(1).kind() == Token.Kind.NUMBER);
        SequenceOptions options = new SequenceOptions(reader, expressions);
        if (isRestart) {
            boolean isSigned =
                    reader.peek(reader.peek(1).isWord("WITH") ? 2 : 1).isSymbol("-");
            int length = (reader.peek(1).isWord("WITH") ? 3 : 2) + (isSigned ? 1 : 0);
            if (reader.peek(length).kind() == Token.Kind.END) {
                reader.expect("RESTART");
                reader.accept("WITH");
                long value = SequenceOptions.number(reader);
                return new CatalogChange.RestartSequence(name, value, false, false);
            }
        }
        SequenceRule rule = sequence == null ? null : sequence.sequence().orElse(null);
        if (sequence == null || rule == null) {
            throw SqlErrors.at(ErrorCode.UNKNOWN_OBJECT, first.position(), "there is no sequence " + name);
        }
        if (SilentAlterations.accept(reader)) {
            reader.expectEnd();
            return AlterTableParser.nothing(name);
        }
        if (!options.readOne()) {
            throw reader.unexpected("RESTART, or an option of CREATE SEQUENCE");
        }
        reader.acceptSymbol(",");
        SequenceRule changed = options.read().changed(rule);
        reader.expectEnd();
        return new CatalogChange.AlterSequence(sequence.name(), rule, changed, options.restarts());
    }

    /** Parses SELECT setval('name', n) or SELECT setval('name', n, true or false). */
    CatalogChange.RestartSequence parseSetval() {
        reader.expect("SELECT", "SETVAL");
        reader.expectSymbol("(");
        String name = reader.nameText("the name of a sequence in quotes");
        reader.expectSymbol(",");
        long value = SequenceOptions.number(reader);
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
        SequenceRule rule = new SequenceOptions(reader, expressions).read().made(true);
        reader.expectSymbol(")");
        return Optional.of(new Option(rule, always));
    }
}
