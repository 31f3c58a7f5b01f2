package dev.fulmar.engine.execution.value;

import dev.fulmar.engine.execution.value.RegularExpression.Edge;
import dev.fulmar.engine.execution.value.RegularExpression.Step;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads a regular expression behind its {@link ExpressionHead}. One that is marked is read as PostgreSQL reads its
 * advanced ones. In others brackets know no escapes at the ends of ranges, and no {@code [. .]} and {@code [= =]}:
 * those of statements of earlier builds, which are run again, keep their meaning so.
 */
final class RegularExpressionReader {
    /** Repetitions are written out, so that they would make long programs of short texts. */
    private static final int MOST_STEPS = 5_000;

    private static final int MOST_REPETITIONS = 255;
    private static final int DEEPEST = 100;

    /** Each way through an expression keeps the places of all groups. */
    private static final int MOST_GROUPS = 100;

    private static final int UNBOUNDED = -1;
    private static final int MOST_SHOWN = 100;
    private static final int LAST_OF_RANGE = 2;

    private final int[] pattern;
    private final String text;
    private final boolean isAdvanced;
    private final RegularExpression.Options options;
    private int place;
    private int depth;
    private int groups;
    private boolean hasGreedy;
    private boolean hasLazy;
    private boolean hasAlternatives;

    RegularExpressionReader(String written, RegularExpression.Options given) {
        ExpressionHead head = ExpressionHead.of(written, given);
        this.options = head.options();
        this.text = head.text();
        this.isAdvanced = head.isMarked();
        this.pattern = text.codePoints().toArray();
    }

    boolean inAnyCase() {
        return options.inAnyCase();
    }

    List<Step> steps() {
        List<Step> steps = options.form() == RegularExpression.Form.LITERAL ? characters() : alternatives();
        if (place < pattern.length) {
            throw wrong("a parenthesis closes nothing");
        }
        steps.add(new Step.Done());
        return steps;
    }

    private List<Step> characters() {
        List<Step> steps = new ArrayList<>();
        for (place = 0; place < pattern.length; place++) {
            append(steps, list(new Step.One(CharacterSet.of(pattern[place]))));
        }
        return steps;
    }

    /** Groups whose part of a match can be told. */
    int groups() {
        return groups;
    }

    /** How many characters a match takes, as the repetitions say; alternatives take as many as they can. */
    RegularExpression.Length length() {
        if (!hasLazy) {
            return RegularExpression.Length.LONGEST;
        }
        return hasGreedy || hasAlternatives ? RegularExpression.Length.MIXED : RegularExpression.Length.SHORTEST;
    }

    private String shown() {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }

    private FulmarException wrong(String why) {
        return new FulmarException(
                ErrorCode.INVALID_REGULAR_EXPRESSION,
                "invalid regular expression '" + shown() + "': " + why + "; write it differently");
    }

    private int peek() {
        return place < pattern.length ? pattern[place] : UNBOUNDED;
    }

    private boolean takes(int character) {
        boolean isNext = peek() == character;
        place += isNext ? 1 : 0;
        return isNext;
    }

    private List<Step> alternatives() {
        if (++depth > DEEPEST) {
            throw wrong("its parentheses nest too deeply");
        }
        List<Step> steps = sequence();
        while (takes('|')) {
            List<Step> other = sequence();
            hasAlternatives = true;
            List<Step> both = new ArrayList<>();
            both.add(new Step.Fork(1, steps.size() + 2, true));
            append(both, steps);
            both.add(new Step.Jump(both.size() + 1 + other.size()));
            append(both, other);
            steps = both;
        }
        depth--;
        return steps;
    }

    private List<Step> sequence() {
        List<Step> steps = new ArrayList<>();
        skipBlank();
        while (peek() != UNBOUNDED && peek() != '|' && peek() != ')') {
            append(steps, repeated(atom()));
        }
        return steps;
    }

    /** In an expanded expression, blanks and the rest of a line behind # say nothing. */
    private void skipBlank() {
        while (options.isExpanded() && (Character.isWhitespace(peek()) || peek() == '#')) {
            boolean isComment = takes('#');
            place += isComment ? 0 : 1;
            while (isComment && peek() != UNBOUNDED && peek() != '\n') {
                place++;
            }
        }
    }

    /** Appends steps, whose places move. */
    private void append(List<Step> steps, List<Step> others) {
        int moved = steps.size();
        if (moved + others.size() > MOST_STEPS) {
            throw wrong("it is too long with its repetitions written out");
        }
        for (Step other : others) {
            steps.add(
                    switch (other) {
                        case Step.Fork(int one, int another, boolean isAlternative) ->
                            new Step.Fork(one + moved, another + moved, isAlternative);
                        case Step.Jump(int next) -> new Step.Jump(next + moved);
                        default -> other;
                    });
        }
    }

    private List<Step> repeated(List<Step> atom) {
        List<Step> steps = atom;
        boolean isRepeated = false;
        while (true) {
            skipBlank();
            int least;
            int most;
            if (takes('*')) {
                least = 0;
                most = UNBOUNDED;
            } else if (takes('+')) {
                least = 1;
                most = UNBOUNDED;
            } else if (takes('?')) {
                least = 0;
                most = 1;
            } else if (peek() == '{' && place + 1 < pattern.length && Character.isDigit(pattern[place + 1])) {
                place++;
                least = number();
                most = takes(',') ? (peek() == '}' ? UNBOUNDED : number()) : least;
                if (!takes('}') || (most != UNBOUNDED && most < least)) {
                    throw wrong("a number of repetitions is {m}, {m,} or {m,n}");
                }
            } else {
                return steps;
            }
            if (isRepeated) {
                throw wrong("a repetition is repeated; write parentheses around it");
            }
            isRepeated = true;
            boolean isLazy = takes('?');
            hasLazy |= isLazy && least != most;
            hasGreedy |= !isLazy && least != most;
            steps = repeated(steps, least, most, isLazy);
        }
    }

    private int number() {
        int number = 0;
        int start = place;
        while (peek() >= '0' && peek() <= '9' && number <= MOST_REPETITIONS) {
            number = number * 10 + pattern[place++] - '0';
        }
        if (place == start || number > MOST_REPETITIONS) {
            throw wrong("repetitions are numbers up to " + MOST_REPETITIONS);
        }
        return number;
    }

    private List<Step> repeated(List<Step> once, int least, int most, boolean isLazy) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < least; i++) {
            append(steps, once);
        }
        if (most == UNBOUNDED) {
            List<Step> loop = new ArrayList<>();
            loop.add(fork(once.size() + 2, isLazy));
            append(loop, once);
            loop.add(new Step.Jump(0));
            append(steps, loop);
        }
        for (int i = least; i < most; i++) {
            List<Step> optional = new ArrayList<>();
            optional.add(fork(once.size() + 1, isLazy));
            append(optional, once);
            append(steps, optional);
        }
        return steps;
    }

    /** Once more, or on to the place; the first one is preferred. */
    private static Step fork(int onward, boolean isLazy) {
        return isLazy ? new Step.Fork(onward, 1, false) : new Step.Fork(1, onward, false);
    }

    private List<Step> atom() {
        int character = pattern[place++];
        return switch (character) {
            case '^' -> list(new Step.Border(options.hasLines() ? Edge.BEGIN_OF_LINE : Edge.BEGIN));
            case '$' -> list(new Step.Border(options.hasLines() ? Edge.END_OF_LINE : Edge.END));
            case '.' -> list(new Step.One(options.staysInLine() ? CharacterSet.OF_LINE : CharacterSet.ANY));
            case '[' -> list(new Step.One(set()));
            case '\\' -> list(edgeOrSet());
            case '(' -> group();
            case '*', '+', '?' -> throw wrong("nothing stands before a " + Character.toString(character));
            default -> list(new Step.One(CharacterSet.of(character)));
        };
    }

    private static List<Step> list(Step step) {
        return new ArrayList<>(List.of(step));
    }

    private List<Step> group() {
        if (takes('?')) {
            if (!takes(':')) {
                throw wrong("of the groups with (? only (?: is supported");
            }
            return parenthesised();
        }
        int number = ++groups;
        if (number > MOST_GROUPS) {
            throw wrong("it has more than " + MOST_GROUPS + " groups; those with (?: do not count");
        }
        List<Step> steps = new ArrayList<>();
        steps.add(new Step.Mark(2 * number));
        append(steps, parenthesised());
        steps.add(new Step.Mark(2 * number + 1));
        return steps;
    }

    private List<Step> parenthesised() {
        List<Step> steps = alternatives();
        if (!takes(')')) {
            throw wrong("a parenthesis is not closed");
        }
        return steps;
    }

    private Step edgeOrSet() {
        @Nullable Edge edge = switch (peek()) {
            case 'A' -> Edge.BEGIN;
            case 'Z' -> Edge.END;
            case 'm' -> Edge.BEGIN_OF_WORD;
            case 'M' -> Edge.END_OF_WORD;
            case 'y' -> Edge.OF_WORD;
            case 'Y' -> Edge.NOT_OF_WORD;
            default -> null;
        };
        if (edge == null) {
            return new Step.One(escaped());
        }
        place++;
        return new Step.Border(edge);
    }

    private CharacterSet escaped() {
        if (place == pattern.length) {
            throw wrong("nothing follows the backslash at its end");
        }
        int character = pattern[place++];
        return switch (character) {
            case 'd' -> CharacterSet.of(Character::isDigit, false);
            case 'D' -> CharacterSet.of(Character::isDigit, true);
            case 's' -> CharacterSet.of(Character::isWhitespace, false);
            case 'S' -> CharacterSet.of(Character::isWhitespace, true);
            case 'w' -> CharacterSet.of(RegularExpressionReader::isOfWord, false);
            case 'W' -> CharacterSet.of(RegularExpressionReader::isOfWord, true);
            default -> {
                place--;
                yield CharacterSet.of(escapedCharacter());
            }
        };
    }

    /** The character that stands for itself, or for another one, behind a backslash. */
    private int escapedCharacter() {
        if (place == pattern.length) {
            throw wrong("nothing follows the backslash at its end");
        }
        int character = pattern[place++];
        return switch (character) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            default -> {
                if (Character.isLetterOrDigit(character)) {
                    throw wrong("\\" + Character.toString(character) + " is not supported");
                }
                yield character;
            }
        };
    }

    static boolean isOfWord(int character) {
        return Character.isLetterOrDigit(character) || character == '_';
    }

    /** The characters that stand in brackets. */
    private CharacterSet set() {
        boolean isNegated = takes('^');
        List<CharacterSet> sets = new ArrayList<>();
        do {
            if (place >= pattern.length) {
                throw wrong("a bracket is not closed");
            }
            sets.add(isAdvanced ? part(sets.isEmpty()) : item());
        } while (!takes(']'));
        if (isNegated && options.staysInLine()) {
            sets.add(CharacterSet.of('\n'));
        }
        return CharacterSet.of(sets, isNegated);
    }

    private CharacterSet item() {
        int first = pattern[place++];
        if (first == '[' && peek() == ':') {
            return named();
        }
        if (first == '\\') {
            return escaped();
        }
        boolean isRange = peek() == '-' && place + 1 < pattern.length && pattern[place + 1] != ']';
        if (!isRange) {
            return CharacterSet.of(first);
        }
        place += LAST_OF_RANGE;
        int last = pattern[place - 1];
        if (last < first) {
            throw wrong("a range ends before it begins");
        }
        return new CharacterSet(List.of(new CharacterSet.Range(first, last)), List.of(), false);
    }

    /** The next characters in brackets, as PostgreSQL reads them. */
    private CharacterSet part(boolean isFirst) {
        int first = pattern[place];
        int second = second();
        if (first == '-' && !isFirst && second != ']') {
            throw wrong("a hyphen that is no range stands first or last in brackets");
        }
        CharacterSet set;
        if (first == '[' && second == ':') {
            place++;
            set = named();
        } else if (first == '[' && second == '=') {
            set = CharacterSet.of(element('='));
        } else if (first == '\\' && isClass(second)) {
            place++;
            set = escaped();
        } else {
            int begin = single();
            return isRange() ? range(begin) : CharacterSet.of(begin);
        }
        if (isRange()) {
            throw wrong("a range begins with one character");
        }
        return set;
    }

    private int second() {
        return place + 1 < pattern.length ? pattern[place + 1] : UNBOUNDED;
    }

    private boolean isRange() {
        return peek() == '-' && second() != UNBOUNDED && second() != ']';
    }

    private CharacterSet range(int first) {
        place++;
        boolean isSet =
                (peek() == '[' && (second() == ':' || second() == '=')) || (peek() == '\\' && isClass(second()));
        if (isSet) {
            throw wrong("a range ends with one character");
        }
        int last = single();
        if (last < first) {
            throw wrong("a range ends before it begins");
        }
        return new CharacterSet(List.of(new CharacterSet.Range(first, last)), List.of(), false);
    }

    private static boolean isClass(int letter) {
        return switch (letter) {
            case 'd', 'D', 's', 'S', 'w', 'W' -> true;
            default -> false;
        };
    }

    /** One character in brackets, which may be escaped, or stand between points. */
    private int single() {
        int character = pattern[place];
        if (character == '[' && second() == '.') {
            return element('.');
        }
        place++;
        return character == '\\' ? escapedCharacter() : character;
    }

    /** The character between two brackets with the mark. */
    private int element(int mark) {
        boolean isOne = place + 4 < pattern.length && pattern[place + 3] == mark && pattern[place + 4] == ']';
        if (!isOne) {
            throw wrong("between [" + Character.toString(mark) + " and " + Character.toString(mark)
                    + "] stands one character");
        }
        place += 5;
        return pattern[place - 3];
    }

    private CharacterSet named() {
        int end = text.indexOf(":]", text.offsetByCodePoints(0, place));
        String name = end < 0 ? "" : text.substring(text.offsetByCodePoints(0, place + 1), end);
        IntPredicate each = switch (name) {
            case "alpha" -> Character::isLetter;
            case "digit" -> Character::isDigit;
            case "alnum" -> Character::isLetterOrDigit;
            case "upper" -> Character::isUpperCase;
            case "lower" -> Character::isLowerCase;
            case "space" -> Character::isWhitespace;
            case "blank" -> character -> character == ' ' || character == '\t';
            case "word" -> RegularExpressionReader::isOfWord;
            case "xdigit" -> character -> character < 0x80 && Character.digit(character, 16) >= 0;
            case "punct" -> character -> character > ' ' && character < 0x7f && !Character.isLetterOrDigit(character);
            default -> throw wrong("the class [:" + name + ":] is not supported");
        };
        place += name.length() + 3;
        return CharacterSet.of(each, false);
    }
}
