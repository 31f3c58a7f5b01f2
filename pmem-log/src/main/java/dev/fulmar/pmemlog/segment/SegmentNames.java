package dev.fulmar.pmemlog.segment;

/** Names of the files in a log's directory. */
public final class SegmentNames {
    private static final String SEGMENT_PREFIX = "segment-";
    private static final String SPARE_PREFIX = "spare-";
    private static final String PREPARING_PREFIX = "preparing-";
    private static final String CONTROL = "control";
    private static final int DIGITS = 19;

    private SegmentNames() {}

    /** The control file. */
    public static String control(String directory) {
        return directory + "/" + CONTROL;
    }

    /** A part of the log. */
    public static String segment(String directory, long number) {
        return directory + "/" + SEGMENT_PREFIX + digits(number);
    }

    /** A former part of the log, whose space will be used again. */
    public static String spare(String directory, long number) {
        return directory + "/" + SPARE_PREFIX + digits(number);
    }

    /** A file that is being filled with zeros to become a segment. */
    public static String preparing(String directory, long number) {
        return directory + "/" + PREPARING_PREFIX + digits(number);
    }

    /** The number of the segment with the name, which is without its directory; -1 if it is not a segment's. */
    public static long segmentNumber(String name) {
        return number(name, SEGMENT_PREFIX);
    }

    /** As {@link #segmentNumber}, of a spare. */
    public static long spareNumber(String name) {
        return number(name, SPARE_PREFIX);
    }

    /** Whether the name, without its directory, is that of a file that was being prepared. */
    public static boolean isPreparing(String name) {
        return number(name, PREPARING_PREFIX) >= 0;
    }

    private static long number(String name, String prefix) {
        if (!name.startsWith(prefix) || name.length() != prefix.length() + DIGITS) {
            return -1;
        }
        long number = 0;
        for (int i = prefix.length(); i < name.length(); i++) {
            int digit = name.charAt(i) - '0';
            if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    private static String digits(long number) {
        String text = Long.toString(number);
        return "0".repeat(DIGITS - text.length()) + text;
    }
}
