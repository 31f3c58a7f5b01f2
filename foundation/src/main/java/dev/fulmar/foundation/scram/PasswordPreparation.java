package dev.fulmar.foundation.scram;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.text.Normalizer;
import java.util.function.IntPredicate;

/**
 * SASLprep (RFC 4013): the same password, however it was typed. Instead of the characters that Unicode 3.2 did not
 * assign, those are refused that this Java runtime does not know.
 */
final class PasswordPreparation {
    private static final int SPACE = 0x20;

    /** Table C.1.2 of RFC 3454, a pair of ends per range, as in all tables here. */
    private static final int[] SPACES = {
        0xA0, 0xA0, 0x1680, 0x1680, 0x2000, 0x200B, 0x202F, 0x202F, 0x205F, 0x205F, 0x3000, 0x3000
    };

    /** Table B.1: what is there for the eye only. */
    private static final int[] NOTHING = {
        0xAD, 0xAD, 0x34F, 0x34F, 0x1806, 0x1806, 0x180B, 0x180D, 0x200C, 0x200D, 0x2060, 0x2060, 0xFE00, 0xFE0F,
        0xFEFF, 0xFEFF
    };

    /** Tables C.2 to C.9, but for the two last code points of each plane. */
    private static final int[] PROHIBITED = {
        0x0, 0x1F, 0x7F, 0x9F, 0x340, 0x341, 0x6DD, 0x6DD, 0x70F, 0x70F, 0x180E, 0x180E, 0x200C, 0x200F, 0x2028, 0x202E,
        0x2060, 0x2063, 0x206A, 0x206F, 0x2FF0, 0x2FFB, 0xD800, 0xF8FF, 0xFDD0, 0xFDEF, 0xFEFF, 0xFEFF, 0xFFF9, 0xFFFD,
        0x1D173, 0x1D17A, 0xE0001, 0xE0001, 0xE0020, 0xE007F, 0xF0000, 0xFFFFD, 0x100000, 0x10FFFD
    };

    private static final int PLANE_MASK = 0xFFFE;

    private PasswordPreparation() {}

    /** The prepared form of a password; fails if the password has characters that are not allowed. */
    static String prepared(String password) {
        if (password.isEmpty()) {
            throw refused("the password is empty; give one");
        }
        StringBuilder mapped = new StringBuilder();
        password.codePoints()
                .filter(each -> !isIn(NOTHING, each))
                .map(each -> isIn(SPACES, each) ? SPACE : each)
                .forEach(mapped::appendCodePoint);
        String prepared = Normalizer.normalize(mapped, Normalizer.Form.NFKC);
        if (prepared.isEmpty() || has(prepared, PasswordPreparation::isProhibited)) {
            throw refused("the password has control characters or others that are no text; give one without");
        }
        checkDirections(prepared);
        return prepared;
    }

    private static boolean isProhibited(int character) {
        return isIn(PROHIBITED, character)
                || (character & PLANE_MASK) == PLANE_MASK
                || Character.getType(character) == Character.UNASSIGNED;
    }

    /**
     * Section 6 of RFC 3454: text that runs from right to left begins and ends so, and has nothing of the other kind in
     * it.
     */
    private static void checkDirections(String text) {
        if (has(text, PasswordPreparation::isRightToLeft)
                && (has(text, each -> Character.getDirectionality(each) == Character.DIRECTIONALITY_LEFT_TO_RIGHT)
                        || !isRightToLeft(text.codePointAt(0))
                        || !isRightToLeft(text.codePointBefore(text.length())))) {
            throw refused("the password mixes scripts of both directions; give one in one direction");
        }
    }

    private static boolean isRightToLeft(int character) {
        byte directionality = Character.getDirectionality(character);
        return directionality == Character.DIRECTIONALITY_RIGHT_TO_LEFT
                || directionality == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC;
    }

    private static boolean has(String text, IntPredicate kind) {
        return text.codePoints().anyMatch(kind);
    }

    private static boolean isIn(int[] ranges, int character) {
        for (int i = 0; i < ranges.length; i += 2) {
            if (character >= ranges[i] && character <= ranges[i + 1]) {
                return true;
            }
        }
        return false;
    }

    private static FulmarException refused(String why) {
        return new FulmarException(ErrorCode.AUTHENTICATION_FAILED, why);
    }
}
