package dev.fulmar.engine.execution.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
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
                "^ü.$ üß true"
            })
    void matches(String pattern, String text, boolean expected) {
        assertThat(RegularExpression.of(pattern, false).matches(text)).isEqualTo(expected);
    }

    @Test
    void disregardsCaseWhereItIsTold() {
        assertThat(RegularExpression.of("^CuSt[A-Z]+$", true).matches("customer"))
                .isTrue();
        assertThat(RegularExpression.of("^CuSt", false).matches("customer")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", ")", "a)", "[a", "*a", "a{3,2}", "a{999}", "\\", "\\1", "(?=a)", "[b-a]", "[[:no:]]"})
    void refusesWrongOnes(String pattern) {
        assertThatThrownBy(() -> RegularExpression.of(pattern, false))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TEXT))
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
}
