package dev.fulmar.benchmarks.tpch;

import java.util.List;
import java.util.SplittableRandom;

/** The words of which TPC-H's values are made. */
final class TpchWords {
    static final List<String> REGIONS = List.of("AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST");

    static final List<Nation> NATIONS = List.of(
            new Nation("ALGERIA", 0),
            new Nation("ARGENTINA", 1),
            new Nation("BRAZIL", 1),
            new Nation("CANADA", 1),
            new Nation("EGYPT", 4),
            new Nation("ETHIOPIA", 0),
            new Nation("FRANCE", 3),
            new Nation("GERMANY", 3),
            new Nation("INDIA", 2),
            new Nation("INDONESIA", 2),
            new Nation("IRAN", 4),
            new Nation("IRAQ", 4),
            new Nation("JAPAN", 2),
            new Nation("JORDAN", 4),
            new Nation("KENYA", 0),
            new Nation("MOROCCO", 0),
            new Nation("MOZAMBIQUE", 0),
            new Nation("PERU", 1),
            new Nation("CHINA", 2),
            new Nation("ROMANIA", 3),
            new Nation("SAUDI ARABIA", 4),
            new Nation("VIETNAM", 2),
            new Nation("RUSSIA", 3),
            new Nation("UNITED KINGDOM", 3),
            new Nation("UNITED STATES", 1));

    static final List<String> COLORS = List.of(
            "almond",
            "azure",
            "blue",
            "chocolate",
            "forest",
            "green",
            "ivory",
            "lemon",
            "maroon",
            "plum",
            "red",
            "tan");

    static final List<String> TYPE_SIZES = List.of("STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO");
    static final List<String> TYPE_FINISHES = List.of("ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED");
    static final List<String> TYPE_METALS = List.of("TIN", "NICKEL", "BRASS", "STEEL", "COPPER");
    static final List<String> CONTAINER_SIZES = List.of("SM", "LG", "MED", "JUMBO", "WRAP");
    static final List<String> CONTAINERS = List.of("CASE", "BOX", "BAG", "JAR", "PKG", "PACK", "CAN", "DRUM");
    static final List<String> SEGMENTS = List.of("AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD");
    static final List<String> PRIORITIES = List.of("1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW");
    static final List<String> INSTRUCTIONS = List.of("DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN");
    static final List<String> MODES = List.of("REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB", "AIR REG");
    private static final List<String> NOUNS =
            List.of("foxes", "ideas", "theodolites", "pinto beans", "instructions", "dependencies", "excuses");

    private TpchWords() {}

    /**
     * A nation.
     *
     * @param region position of its region
     */
    record Nation(String name, int region) {}

    static String pick(SplittableRandom random, List<String> words) {
        return words.get(random.nextInt(words.size()));
    }

    /** So many words, of at most twelve characters each. */
    static String text(SplittableRandom random, int words) {
        StringBuilder text = new StringBuilder(pick(random, NOUNS));
        for (int i = 1; i < words; i++) {
            text.append(' ').append(pick(random, NOUNS));
        }
        return text.toString();
    }
}
