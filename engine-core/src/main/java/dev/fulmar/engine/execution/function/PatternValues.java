package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.execution.value.ExpressionSearch;
import dev.fulmar.engine.execution.value.ExpressionSearch.Match;
import dev.fulmar.engine.execution.value.RegularExpression;
import dev.fulmar.foundation.data.ArrayText;
import dev.fulmar.foundation.data.ArrayWriter;
import dev.fulmar.foundation.data.ColumnType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Functions of regular expressions (PostgreSQL's manual, 9.7.3). They keep the expression that was read last. */
final class PatternValues {
    private @Nullable Known known;
    private @Nullable SimilarPattern lastSimilar;

    private static final String LETTERS = "g, i, c, n, m, p, w, s, x, t, b, e and q";

    private record Known(String pattern, Flags flags, RegularExpression expression) {}

    /**
     * The meaning of a text of single letters.
     *
     * @param isGlobal g: all matches count
     * @param options the last of i and c counts, of x and t, of n, m, p, w and s, and of b, e and q. PostgreSQL reads
     *     an expression with the letter e behind it as a basic one, though its manual says extended
     */
    private record Flags(boolean isGlobal, RegularExpression.Options options) {
        static Flags of(String text, boolean mayBeGlobal) {
            boolean isGlobal = false;
            RegularExpression.Options options = RegularExpression.Options.of(false);
            for (int i = 0; i < text.length(); i++) {
                char letter = text.charAt(i);
                if (letter == 'g') {
                    if (!mayBeGlobal) {
                        throw TextValues.wrong("this function has no flag g; leave it out");
                    }
                    isGlobal = true;
                } else {
                    RegularExpression.Options with =
                            letter == 'e' ? options.in(RegularExpression.Form.BASIC) : options.with(letter);
                    if (with == null) {
                        throw TextValues.wrong(
                                "invalid regular expression option: \"" + letter + "\"; flags are " + LETTERS);
                    }
                    options = with;
                }
            }
            return new Flags(isGlobal, options);
        }
    }

    private RegularExpression expression(Object pattern, Flags flags) {
        Known last = known;
        if (last == null || !last.pattern.equals(pattern) || !last.flags.equals(flags)) {
            last = new Known((String) pattern, flags, RegularExpression.of((String) pattern, flags.options));
            known = last;
        }
        return last.expression;
    }

    private static String text(Object[] arguments, int place) {
        return arguments.length > place ? (String) arguments[place] : "";
    }

    private static int number(Object[] arguments, int place, int otherwise, int least, String name) {
        long number = arguments.length > place ? (Long) arguments[place] : otherwise;
        if (number < least) {
            throw TextValues.wrong("the " + name + " is at least " + least + ", not " + number);
        }
        return (int) Math.min(number, Integer.MAX_VALUE - 1);
    }

    private static int[] characters(Object text) {
        return ((String) text).codePoints().toArray();
    }

    private static String text(int[] characters, int start, int end) {
        return new String(characters, start, end - start);
    }

    /** Hands each match from the place on over, until there is none or one is refused. */
    private static void each(ExpressionSearch search, int length, int from, Predicate<Match> consumer) {
        int place = from;
        while (place <= length) {
            Match match = search.find(place);
            if (match == null || !consumer.test(match)) {
                return;
            }
            place = match.end() + (match.start() == match.end() ? 1 : 0);
        }
    }

    /** The match of a number; null if there are fewer. */
    private static @Nullable Match match(ExpressionSearch search, int length, int from, int number) {
        @Nullable Match[] last = new @Nullable Match[1];
        int[] count = new int[1];
        each(search, length, from, match -> {
            last[0] = match;
            return ++count[0] < number;
        });
        return count[0] == number ? last[0] : null;
    }

    /** text, expression[, flags]. */
    Boolean like(Object[] arguments) {
        return expression(arguments[1], Flags.of(text(arguments, 2), false)).matches((String) arguments[0]);
    }

    /** text, expression[, flags]: the texts between the matches, but empty ones at an end or behind one. */
    byte[] split(Object[] arguments) {
        int[] characters = characters(arguments[0]);
        ExpressionSearch search =
                expression(arguments[1], Flags.of(text(arguments, 2), false)).search(characters);
        ArrayWriter parts = new ArrayWriter(ColumnType.varchar(1));
        int[] begin = {0};
        int[] last = {0};
        each(search, characters.length, 0, match -> {
            if (match.start() < characters.length && match.end() > last[0]) {
                add(parts, text(characters, begin[0], match.start()));
                begin[0] = match.end();
            }
            last[0] = match.end();
            return true;
        });
        add(parts, text(characters, begin[0], characters.length));
        return parts.toByteArray();
    }

    private static void add(ArrayWriter parts, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        parts.addText(bytes, 0, bytes.length);
    }

    /** text, expression[, flags]: what the groups of the first match have, or all of it if there is none. */
    byte @Nullable [] match(Object[] arguments) {
        int[] characters = characters(arguments[0]);
        RegularExpression expression = expression(arguments[1], Flags.of(text(arguments, 2), false));
        ExpressionSearch search = expression.search(characters);
        Match match = search.find(0);
        if (match == null) {
            return null;
        }
        ArrayWriter array = new ArrayWriter(ColumnType.varchar(1));
        for (String part : parts(expression, search, characters, match)) {
            if (part == null) {
                array.addNull();
            } else {
                add(array, part);
            }
        }
        return array.toByteArray();
    }

    private static List<@Nullable String> parts(
            RegularExpression expression, ExpressionSearch search, int[] characters, Match match) {
        if (expression.groups() == 0) {
            return List.of(text(characters, match.start(), match.end()));
        }
        List<@Nullable String> parts = new ArrayList<>();
        int[] groups = search.groups(match);
        for (int i = 2; i < groups.length; i += 2) {
            parts.add(groups[i] < 0 ? null : text(characters, groups[i], groups[i + 1]));
        }
        return parts;
    }

    /** text, expression[, flags]: the text of an array of parts, for the first match or, with the flag g, for each. */
    byte[] matches(Object[] arguments) {
        int[] characters = characters(arguments[0]);
        Flags flags = Flags.of(text(arguments, 2), true);
        RegularExpression expression = expression(arguments[1], flags);
        ExpressionSearch search = expression.search(characters);
        ArrayWriter matches = new ArrayWriter(ColumnType.varchar(1));
        each(search, characters.length, 0, match -> {
            add(matches, ArrayText.of(parts(expression, search, characters, match)));
            return flags.isGlobal;
        });
        return matches.toByteArray();
    }

    /** text, pattern, escape character, which may be none. */
    Boolean isSimilar(Object[] arguments) {
        return similar(arguments).matches((String) arguments[0]);
    }

    /** text, pattern whose part is marked by the escape character and a double quote, escape character. */
    @Nullable String similarPart(Object[] arguments) {
        return similar(arguments).part((String) arguments[0]);
    }

    private SimilarPattern similar(Object[] arguments) {
        SimilarPattern last = lastSimilar;
        if (last == null
                || !last.written().equals(arguments[1])
                || !last.escape().equals(arguments[2])) {
            last = SimilarPattern.of((String) arguments[1], (String) arguments[2]);
            lastSimilar = last;
        }
        return last;
    }

    /** text, expression: what the first group matches, or all of the match if there is none. */
    @Nullable String expressionPart(Object[] arguments) {
        int[] characters = characters(arguments[0]);
        RegularExpression expression = expression(arguments[1], Flags.of("", false));
        ExpressionSearch search = expression.search(characters);
        Match match = search.find(0);
        if (match == null) {
            return null;
        }
        if (expression.groups() == 0) {
            return text(characters, match.start(), match.end());
        }
        int[] groups = search.groups(match);
        return groups[2] < 0 ? null : text(characters, groups[2], groups[3]);
    }

    /** text, expression[, first place[, flags]]. */
    Long count(Object[] arguments) {
        int start = number(arguments, 2, 1, 1, "first place");
        int[] characters = characters(arguments[0]);
        ExpressionSearch search =
                expression(arguments[1], Flags.of(text(arguments, 3), false)).search(characters);
        long[] count = new long[1];
        each(search, characters.length, start - 1, match -> {
            count[0]++;
            return true;
        });
        return count[0];
    }

    /** text, expression[, first place[, number of the match[, 0 or 1: its end[, flags[, group]]]]]. */
    Long place(Object[] arguments) {
        int end = number(arguments, 4, 0, 0, "choice of the end");
        if (end > 1) {
            throw TextValues.wrong("the end of a match is chosen by 1, its begin by 0, not by " + end);
        }
        Found found = found(arguments, 5);
        return found == null ? 0L : (end == 1 ? found.end : found.start) + 1L;
    }

    /** text, expression[, first place[, number of the match[, flags[, group]]]]. */
    @Nullable String part(Object[] arguments) {
        Found found = found(arguments, 4);
        return found == null ? null : text(found.characters, found.start, found.end);
    }

    private record Found(int[] characters, int start, int end) {}

    private @Nullable Found found(Object[] arguments, int flags) {
        int start = number(arguments, 2, 1, 1, "first place");
        int number = number(arguments, 3, 1, 1, "number of the match");
        int group = number(arguments, flags + 1, 0, 0, "number of the group");
        int[] characters = characters(arguments[0]);
        RegularExpression expression = expression(arguments[1], Flags.of(text(arguments, flags), false));
        ExpressionSearch search = expression.search(characters);
        Match match = match(search, characters.length, start - 1, number);
        if (match == null || group > expression.groups()) {
            return null;
        }
        int[] groups = group == 0 ? new int[] {match.start(), match.end()} : search.groups(match);
        return groups[2 * group] < 0 ? null : new Found(characters, groups[2 * group], groups[2 * group + 1]);
    }

    /**
     * text, expression, replacement[, flags]; or text, expression, replacement, first place[, number of the match, or 0
     * for all[, flags]].
     */
    String replace(Object[] arguments) {
        boolean isCounted = arguments.length > 3 && arguments[3] instanceof Long;
        Flags flags = Flags.of(text(arguments, isCounted ? 5 : 3), true);
        int start = isCounted ? number(arguments, 3, 1, 1, "first place") : 1;
        int otherwise = flags.isGlobal ? 0 : 1;
        int number = isCounted ? number(arguments, 4, otherwise, 0, "number of the match") : otherwise;
        int[] characters = characters(arguments[0]);
        ExpressionSearch search = expression(arguments[1], flags).search(characters);
        Replacement replacement = new Replacement((String) arguments[2], characters, search);
        int[] count = new int[1];
        each(search, characters.length, start - 1, match -> {
            count[0]++;
            if (number == 0 || count[0] == number) {
                replacement.append(match);
            }
            return number == 0 || count[0] < number;
        });
        return replacement.text();
    }
}
