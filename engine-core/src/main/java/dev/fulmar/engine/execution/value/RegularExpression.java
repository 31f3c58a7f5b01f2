package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression as PostgreSQL has them (manual §9.7.3), without what needs backtracking: no back references and
 * no looking around. All ways through the expression are followed at once, so time is at most the text's length times
 * that of the expression, whatever they are. Immutable.
 */
public final class RegularExpression {
    final List<Step> steps;
    private final int groups;
    private final Length length;
    private final boolean inAnyCase;

    /** A step of the program that an expression becomes. */
    sealed interface Step {
        /** A character of a set. */
        record One(CharacterSet set) implements Step {}

        /**
         * Either of two steps is next.
         *
         * @param one the step that a greedy or lazy repetition prefers
         * @param isAlternative whether they are alternatives, of which the longer match is preferred
         */
        record Fork(int one, int other, boolean isAlternative) implements Step {}

        record Jump(int next) implements Step {}

        /** A place between characters. */
        record Border(Edge edge) implements Step {}

        /** The begin of a group, which is an even number, or its end. */
        record Mark(int number) implements Step {}

        /** The expression has matched. */
        record Done() implements Step {}
    }

    /** How the characters of an expression are read. */
    public enum Form {
        ADVANCED,
        /** POSIX's extended expressions, without escapes of letters and without lazy repetitions. */
        EXTENDED,
        /** POSIX's basic expressions, whose groups and bounds have backslashes. */
        BASIC,
        /** All characters stand for themselves. */
        LITERAL
    }

    /**
     * The meaning of the letters behind an expression, or at its head.
     *
     * @param isExpanded whether blanks and comments in the expression say nothing
     * @param hasLines whether ^ and $ are the ends of lines
     * @param staysInLine whether a point, and brackets that name what is not meant, match no line feed
     */
    public record Options(boolean inAnyCase, boolean isExpanded, boolean hasLines, boolean staysInLine, Form form) {
        /** Those of an expression without letters. */
        public static Options of(boolean inAnyCase) {
            return new Options(inAnyCase, false, false, false, Form.ADVANCED);
        }

        /** Those with one more letter, which counts before earlier ones; null for a letter that there is not. */
        public @Nullable Options with(int letter) {
            return switch (letter) {
                case 'i' -> new Options(true, isExpanded, hasLines, staysInLine, form);
                case 'c' -> new Options(false, isExpanded, hasLines, staysInLine, form);
                case 'x' -> new Options(inAnyCase, true, hasLines, staysInLine, form);
                case 't' -> new Options(inAnyCase, false, hasLines, staysInLine, form);
                case 'm', 'n' -> new Options(inAnyCase, isExpanded, true, true, form);
                case 'p' -> new Options(inAnyCase, isExpanded, false, true, form);
                case 'w' -> new Options(inAnyCase, isExpanded, true, false, form);
                case 's' -> new Options(inAnyCase, isExpanded, false, false, form);
                case 'b' -> in(Form.BASIC);
                case 'e' -> in(Form.EXTENDED);
                case 'q' -> in(Form.LITERAL);
                default -> null;
            };
        }

        /** Those of an expression in another form. */
        public Options in(Form other) {
            return new Options(inAnyCase, isExpanded, hasLines, staysInLine, other);
        }

        /** Whether a letter is on that a literal text has no use for. */
        public boolean hasSyntax() {
            return isExpanded || hasLines || staysInLine;
        }

        /** Those of characters that stand for themselves. */
        Options literal() {
            return new Options(inAnyCase, false, false, false, Form.LITERAL);
        }
    }

    /** Places between characters. */
    enum Edge {
        BEGIN,
        END,
        BEGIN_OF_LINE,
        END_OF_LINE,
        BEGIN_OF_WORD,
        END_OF_WORD,
        OF_WORD,
        NOT_OF_WORD;

        boolean isAt(int[] characters, int place) {
            boolean before = place > 0 && RegularExpressionReader.isOfWord(characters[place - 1]);
            boolean behind = place < characters.length && RegularExpressionReader.isOfWord(characters[place]);
            return switch (this) {
                case BEGIN -> place == 0;
                case END -> place == characters.length;
                case BEGIN_OF_LINE -> place == 0 || characters[place - 1] == '\n';
                case END_OF_LINE -> place == characters.length || characters[place] == '\n';
                case BEGIN_OF_WORD -> !before && behind;
                case END_OF_WORD -> before && !behind;
                case OF_WORD -> before != behind;
                case NOT_OF_WORD -> before == behind;
            };
        }
    }

    /** Of several matches that begin at one place, the one that counts. */
    enum Length {
        LONGEST,
        SHORTEST,
        /** Greedy and lazy repetitions, or alternatives, stand side by side. */
        MIXED
    }

    private RegularExpression(RegularExpressionReader reader) {
        this.steps = List.copyOf(reader.steps());
        this.groups = reader.groups();
        this.length = reader.length();
        this.inAnyCase = reader.inAnyCase();
    }

    /** Reads an expression; a wrong one is an error. */
    public static RegularExpression of(String pattern, boolean inAnyCase) {
        return of(pattern, Options.of(inAnyCase));
    }

    /** The same with more options. */
    public static RegularExpression of(String pattern, Options options) {
        return new RegularExpression(new RegularExpressionReader(pattern, options));
    }

    /** Groups in parentheses; those with (?: do not count. */
    public int groups() {
        return groups;
    }

    /** Whether a part of the text matches. */
    public boolean matches(String text) {
        return new ExpressionSearch(this, text.codePoints().toArray(), true).find(0) != null;
    }

    /** The matches in a text, from a place on, one behind the other. */
    public ExpressionSearch search(int[] characters) {
        if (length == Length.MIXED) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a regular expression whose matches count is either greedy or lazy throughout; make all its"
                            + " repetitions alike, and a lazy one without alternatives");
        }
        return new ExpressionSearch(this, characters, length == Length.SHORTEST);
    }

    boolean has(CharacterSet set, int character) {
        return inAnyCase ? set.hasInAnyCase(character) : set.has(character);
    }
}
