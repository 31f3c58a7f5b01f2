package dev.fulmar.engine.execution.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Regular expressions match as PostgreSQL's do, and take no time that their length does not allow. */
class RegularExpressionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "^(customer)$ customer true",
                "^(customer)$ customers false",
                "^(cust.*)$ customer true",
                "^pg_ pg_class true",
                "^pg_ my_pg_class false",
                "b abc true",
                "^(a|b)+$ abba true",
                "a{2,3}$ caaa true",
                "^a{2,3}$ aaaa false",
                "^a{2}$ aa true",
                "^a{0,1}b ab true",
                "[^a-c] abcab false",
                "[]x] ] true",
                "[[:digit:]]+$ a12 true",
                "^\\w+\\.\\d$ ab_1.5 true",
                "^(?:ab)*?$ abab true",
                "x||y anything true",
                "^(a*)*$ aaab false",
                "^ü.$ üß true",
                "[!-\\/] A true",
                "***:[!-\\/] A false",
                "***:[!-\\/] / true",
                "[[=a=]] a false",
                "***:^[[=a=]]$ a true",
                "***:^[[.a.]-c]$ b true",
                "***:^[\\.-9]$ 5 true",
                "***:^[]a-]+$ ]a- true",
                "***:^[^]a]$ ] false",
                "***:^[\\d.]+$ 5.5 true",
                "***:***:^[+--]$ , true",
                "***=a.[ a.[ true",
                "(?i)B abc true",
                "(?q)a+ aa false",
                "***:(?b)^\\(ab\\)\\{2\\}$ abab true",
                "(?b)^a+|b$ a+|b true",
                "(?b)*a *a true",
                "(?b)a[\\d] ad true",
                "(?e)^\\d+$ dd true",
                "(?e)^(a|b){2}$ ab true",
                "(?ix)A#c xa true",
                "***=a. ab false"
            })
    void matches(String pattern, String text, boolean expected) {
        assertThat(RegularExpression.of(pattern, false).matches(text)).isEqualTo(expected);
    }

    @Test
    void knowsLinesAndCommentsWhereItIsTold() {
        RegularExpression.Options ofLines =
                new RegularExpression.Options(false, false, true, true, RegularExpression.Form.ADVANCED);
        assertThat(RegularExpression.of("^b$", ofLines).matches("a\nb\nc")).isTrue();
        assertThat(RegularExpression.of("^b$", false).matches("a\nb\nc")).isFalse();
        assertThat(RegularExpression.of("a.b", ofLines).matches("a\nb")).isFalse();
        assertThat(RegularExpression.of("a[^x]b", ofLines).matches("a\nb")).isFalse();
        assertThat(RegularExpression.of("a[^x]b", false).matches("a\nb")).isTrue();
        assertThat(RegularExpression.of("\\Ab", ofLines).matches("a\nb")).isFalse();
        RegularExpression.Options expanded =
                new RegularExpression.Options(false, true, false, false, RegularExpression.Form.ADVANCED);
        assertThat(RegularExpression.of("^ a {2} # two\n b\\ [ ] $ ", expanded).matches("aab  "))
                .isTrue();
        assertThat(RegularExpression.of("^ a b # no end", expanded).matches("ab"))
                .isTrue();
    }

    @Test
    void disregardsCaseWhereItIsTold() {
        assertThat(RegularExpression.of("[^a-z]", true).matches("Hello")).isFalse();
        assertThat(RegularExpression.of("[^[:lower:]]", true).matches("Hello")).isFalse();
        assertThat(RegularExpression.of("[^A-Z]", true).matches("h1")).isTrue();
        assertThat(RegularExpression.of("^CuSt[A-Z]+$", true).matches("customer"))
                .isTrue();
        assertThat(RegularExpression.of("^CuSt", false).matches("customer")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(",
                ")",
                "a)",
                "[a",
                "*a",
                "a{3,2}",
                "a{999}",
                "\\",
                "\\1",
                "(?=a)",
                "[b-a]",
                "[[:no:]]",
                "a**",
                "a{2}{3}",
                "***:[",
                "***:[\\",
                "***:[a-",
                "***:[a-\\",
                "***:[a-\\d]",
                "***:[\\d-z]",
                "***:[[.a",
                "***:[[.ab.]]",
                "***:[[=a=]-c]",
                "***:[a-[",
                "***:[b-a]"
            })
    void refusesWrongOnes(String pattern) {
        assertThatThrownBy(() -> RegularExpression.of(pattern, false))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REGULAR_EXPRESSION))
                .hasMessageContaining("invalid regular expression");
    }

    /** Such expressions take a matcher that goes back and tries again longer than anybody lives. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "^(a+)+$",
                "^(a|aa)+$",
                "^(a*)*b",
                "(x+x+)+y",
                "^((a?){30}){8}a{200}$",
                "(.*)(.*)(.*)(.*)(.*)[^a]"
            })
    void isNotHeldUpByHostileOnes(String pattern) {
        RegularExpression expression = RegularExpression.of(pattern, false);
        Assertions.assertTimeout(
                Duration.ofSeconds(20), () -> expression.matches("a".repeat(2_000) + "x".repeat(50) + "!"));
    }

    @Test
    void refusesThoseThatBecomeTooLong() {
        assertThatThrownBy(() -> RegularExpression.of("((a{255}){255}){255}", false))
                .hasMessageContaining("too long");
        assertThatThrownBy(() -> RegularExpression.of("(".repeat(500) + ")".repeat(500), false))
                .hasMessageContaining("too deeply");
    }

    /** Java's own expressions have the same meaning, for what both know. */
    @Test
    void agreesWithJava() {
        String letters = "ab.|()*+?^$[]-";
        Random random = new Random(5);
        int compared = 0;
        while (compared < 20_000) {
            StringBuilder pattern = new StringBuilder();
            for (int i = random.nextInt(8); i >= 0; i--) {
                pattern.append(letters.charAt(random.nextInt(letters.length())));
            }
            // Java has possessive forms, an empty set and sets of sets, where PostgreSQL has none.
            boolean differs = pattern.toString()
                    .matches("(?s).*([*+?]\\+|[*+?]{2}|\\[.*[\\[\\^\\]].*|\\^[*+?]|\\$[*+?]|\\(\\?).*");
            if (differs) {
                continue;
            }
            Pattern java;
            try {
                java = Pattern.compile(pattern.toString(), Pattern.DOTALL);
            } catch (PatternSyntaxException e) {
                continue;
            }
            RegularExpression ours;
            try {
                ours = RegularExpression.of(pattern.toString(), false);
            } catch (FulmarException e) {
                continue;
            }
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(6); i > 0; i--) {
                text.append("ab".charAt(random.nextInt(2)));
            }
            assertThat(ours.matches(text.toString()))
                    .as(pattern + " in " + text)
                    .isEqualTo(java.matcher(text).find());
            compared++;
        }
    }

    /** Of the matches that begin first, the longest counts, whatever comes first in the expression. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "a|ab xabc 1 3",
                "b+ abbb 1 4",
                "b+? abbb 1 2",
                "abcd|bc xabcx 2 4",
                "abcd|bc xabcd 1 5",
                "x* ab 0 0",
                "\\mb\\w* ab-bcd 3 6",
                "a\\M ab-ba 4 5",
                "b\\Y ab-ba 3 4"
            })
    void findsTheFirstMatch(String pattern, String text, int start, int end) {
        assertThat(find(pattern, text)).isEqualTo(new ExpressionSearch.Match(start, end));
    }

    private static ExpressionSearch.@Nullable Match find(String pattern, String text) {
        return RegularExpression.of(pattern, false)
                .search(text.codePoints().toArray())
                .find(0);
    }

    /** Java's matcher tries alternatives in their order, so that only the begins of matches are the same. */
    @Test
    void firstMatchesBeginWhereThoseOfJavaDo() {
        Random random = new Random(7);
        for (int i = 0; i < 3_000; i++) {
            String pattern = pattern(random, 3);
            String text = random.ints(random.nextInt(12), 0, 3)
                    .mapToObj(each -> "abc".substring(each, each + 1))
                    .reduce("", String::concat);
            java.util.regex.Matcher matcher = Pattern.compile(pattern).matcher(text);
            ExpressionSearch.Match match = find(pattern, text);
            if (!matcher.find()) {
                assertThat(match).as("%s in %s", pattern, text).isNull();
                continue;
            }
            assertThat(match).as("%s in %s", pattern, text).isNotNull();
            assertThat(match.start()).as("%s in %s", pattern, text).isEqualTo(matcher.start());
            assertThat(match.end()).as("%s in %s", pattern, text).isEqualTo(longestFrom(pattern, text, match.start()));
        }
    }

    private static int longestFrom(String pattern, String text, int start) {
        for (int end = text.length(); end >= start; end--) {
            java.util.regex.Matcher whole =
                    Pattern.compile(pattern).matcher(text).region(start, end);
            if (whole.matches()) {
                return end;
            }
        }
        return -1;
    }

    private static String pattern(Random random, int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return "abc".substring(random.nextInt(3)).substring(0, 1);
        }
        String inner = pattern(random, depth - 1);
        return switch (random.nextInt(5)) {
            case 0 -> "(?:" + inner + ")*";
            case 1 -> "(?:" + inner + ")+";
            case 2 -> "(?:" + inner + ")?";
            case 3 -> "(?:" + inner + "|" + pattern(random, depth - 1) + ")";
            default -> inner + pattern(random, depth - 1);
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "(a+)(b*)c xaabc 1,5,1,3,3,4",
                "(a)|(b) b 0,1,-1,-1,0,1",
                "(?:a(b))+ abab 0,4,3,4",
                "(a*)(a*) aa 0,2,0,2,2,2",
                "(a*?)(a*?)$ aa 0,2,0,0,0,2"
            })
    void tellsThePartsOfGroups(String pattern, String text, String places) {
        ExpressionSearch search =
                RegularExpression.of(pattern, false).search(text.codePoints().toArray());
        ExpressionSearch.Match match = search.find(0);
        assertThat(match).isNotNull();
        int[] groups = search.groups(match);
        int[] known = java.util.Arrays.copyOf(groups, groups.length);
        known[0] = match.start();
        known[1] = match.end();
        assertThat(java.util.Arrays.stream(known)
                        .mapToObj(Integer::toString)
                        .collect(java.util.stream.Collectors.joining(",")))
                .isEqualTo(places);
    }

    /** PostgreSQL would take the longest part for the first group; a wrong part in silence is worse than an error. */
    @Test
    void refusesGroupsThatAlternativesMakeUncertain() {
        ExpressionSearch search = RegularExpression.of("(a|ab)(c|bcd)(d*)", false)
                .search("abcd".codePoints().toArray());
        ExpressionSearch.Match match = search.find(0);
        assertThat(match).isNotNull();
        assertThatThrownBy(() -> search.groups(match))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
    }

    @Test
    void refusesManyGroups() {
        assertThatThrownBy(() -> RegularExpression.of("(){0}".repeat(101), false))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REGULAR_EXPRESSION))
                .hasMessageContaining("...': it has more than 100 groups");
    }

    @Test
    void refusesToFindWhereGreedyAndLazyStandSideBySide() {
        RegularExpression expression = RegularExpression.of("a+b+?", false);
        assertThat(expression.matches("ab")).isTrue();
        assertThatThrownBy(() -> expression.search(new int[0]))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
    }

    /** Steps that take no character count, and so do the copies of groups' places. */
    @ParameterizedTest
    @ValueSource(strings = {"()", "\\y"})
    void emptyMatchesHaveALimitOfSteps(String part) {
        int[] text = "a".repeat(100_000).codePoints().toArray();
        ExpressionSearch search = RegularExpression.of(part.repeat(part.equals("()") ? 100 : 2_000), false)
                .search(text);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < text.length; i++) {
                        ExpressionSearch.Match match = search.find(i);
                        assertThat(match).isNotNull();
                        search.groups(match);
                    }
                })
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    /** All matches of an expression that looks at all that is left for each of them. */
    @Test
    void aSearchHasALimitOfSteps() {
        int[] text = "a".repeat(100_000).codePoints().toArray();
        ExpressionSearch search = RegularExpression.of("a|a*b", false).search(text);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < text.length; i++) {
                        search.find(i);
                    }
                })
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }
}
