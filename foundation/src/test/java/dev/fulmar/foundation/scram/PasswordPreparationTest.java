package dev.fulmar.foundation.scram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordPreparationTest {
    /** The examples of RFC 4013, section 3. */
    @Test
    void theExamplesOfTheStandard() {
        assertThat(PasswordPreparation.prepared("I\u00adX")).isEqualTo("IX");
        assertThat(PasswordPreparation.prepared("user")).isEqualTo("user");
        assertThat(PasswordPreparation.prepared("USER")).isEqualTo("USER");
        assertThat(PasswordPreparation.prepared("\u00aa")).isEqualTo("a");
        assertThat(PasswordPreparation.prepared("\u2168")).isEqualTo("IX");
        assertRefused("\u0007");
        assertRefused("\u0627\u0031");
    }

    @Test
    void spacesAreSpaces() {
        assertThat(PasswordPreparation.prepared("a\u00a0b\u3000c\u200bd e")).isEqualTo("a b c d e");
    }

    @Test
    void scriptsFromRightToLeftStandAlone() {
        String hebrew = "\u05d0\u05d1 1\u05d2";
        assertThat(PasswordPreparation.prepared(hebrew)).isEqualTo(hebrew);
        assertRefused(hebrew + "a" + hebrew);
        assertRefused("1" + hebrew);
        assertRefused(hebrew + "!");
    }

    @Test
    void lettersBeyondTheFirstPlaneAreText() {
        String gothic = new StringBuilder().appendCodePoint(0x10330).append("x").toString();
        assertThat(PasswordPreparation.prepared(gothic)).isEqualTo(gothic);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x0, 0x1F, 0x7F, 0x85, 0x6DD, 0x2028, 0x202E, 0x206A, 0x2FF0, 0xE000, 0xFDD0, 0xFFFE, 0xFFFD, 0x1D173,
                0x1FFFF, 0xE0001, 0xE0041, 0xF0000, 0x10FFFF, 0x378
            })
    void whatIsNoTextIsRefused(int character) {
        assertRefused(
                new StringBuilder("a").appendCodePoint(character).append("b").toString());
    }

    @Test
    void halfACharacterIsRefused() {
        assertRefused("a\ud800b");
    }

    @Test
    void anEmptyPasswordIsNone() {
        assertRefused("");
        assertRefused("\u00ad");
    }

    private static void assertRefused(String password) {
        assertThatThrownBy(() -> PasswordPreparation.prepared(password))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED));
    }
}
