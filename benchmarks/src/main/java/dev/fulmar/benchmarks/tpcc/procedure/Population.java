package dev.fulmar.benchmarks.tpcc.procedure;

import java.util.random.RandomGenerator;

/** Random values of TPC-C's initial population (clause 4.3.2). Stateless but for the generator. */
final class Population {
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    private static final String ORIGINAL = "ORIGINAL";

    private final RandomGenerator random;

    Population(RandomGenerator random) {
        this.random = random;
    }

    /** Uniform, both ends included. */
    int number(int lowest, int highest) {
        return lowest + random.nextInt(highest - lowest + 1);
    }

    String letters(int shortest, int longest) {
        int length = number(shortest, longest);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    String digits(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) ('0' + random.nextInt(10)));
        }
        return text.toString();
    }

    String zip() {
        return digits(4) + "11111";
    }

    /** 26 to 50 letters; every tenth holds the word ORIGINAL. */
    String data() {
        String text = letters(26, 50);
        if (random.nextInt(10) != 0) {
            return text;
        }
        int from = random.nextInt(text.length() - ORIGINAL.length() + 1);
        return text.substring(0, from) + ORIGINAL + text.substring(from + ORIGINAL.length());
    }

    /** A last name made of three syllables, one per decimal digit (clause 4.3.2.3). */
    static String lastName(int number) {
        return syllable(number / 100) + syllable(number / 10 % 10) + syllable(number % 10);
    }

    private static String syllable(int digit) {
        return switch (digit) {
            case 0 -> "BAR";
            case 1 -> "OUGHT";
            case 2 -> "ABLE";
            case 3 -> "PRI";
            case 4 -> "PRES";
            case 5 -> "ESE";
            case 6 -> "ANTI";
            case 7 -> "CALLY";
            case 8 -> "ATION";
            case 9 -> "EING";
            default -> throw new IllegalArgumentException("not a digit: " + digit);
        };
    }

    /** NURand(255, 0, 999) with the constant of the load. */
    int loadedLastName(int constant) {
        return ((number(0, 255) | number(0, 999)) + constant) % 1000;
    }
}
