package dev.fulmar.wire.postgres.type;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * Reads whole numbers of many decimal digits, in parts that are joined in pairs. The JDK reads them digit group by
 * digit group, in a time that grows with the square of their count.
 */
final class DecimalDigits {
    /** Digits that are read at once. */
    static final int FEW = 512;

    private static final BigInteger POWER = BigInteger.TEN.pow(FEW);

    private DecimalDigits() {}

    /** The number of the digits, which are nothing else; 0 for none. */
    static BigInteger number(byte[] digits, int from, int to) {
        BigInteger[] parts = parts(digits, from, to);
        BigInteger power = POWER;
        int count = parts.length;
        while (count > 1) {
            for (int i = 0; i < count / 2; i++) {
                parts[i] = parts[2 * i + 1].multiply(power).add(parts[2 * i]);
            }
            if (count % 2 == 1) {
                parts[count / 2] = parts[count - 1];
            }
            count = (count + 1) / 2;
            power = count > 1 ? power.multiply(power) : power;
        }
        return parts[0];
    }

    /** The digits in parts, from the least on. */
    private static BigInteger[] parts(byte[] digits, int from, int to) {
        if (from == to) {
            return new BigInteger[] {BigInteger.ZERO};
        }
        BigInteger[] parts = new BigInteger[(to - from + FEW - 1) / FEW];
        int end = to;
        for (int i = 0; i < parts.length; i++) {
            int begin = Math.max(from, end - FEW);
            parts[i] = new BigInteger(new String(digits, begin, end - begin, StandardCharsets.US_ASCII));
            end = begin;
        }
        return parts;
    }
}
