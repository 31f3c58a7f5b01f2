package dev.fulmar.reconfig.plan;

import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of a range or of a single key in a plan (Squall, Figure 5). Examples are {@code [3-5)}, {@code [9-)},
 * {@code [#4000000000000000-#8000000000000000)}, {@code 7}, {@code 'ALFKI'} and a UUID. An end is not in its range. An
 * end that is missing is that of the space. The sign # stands before a hash, unsigned, of 16 hexadecimal digits.
 */
final class EntryText {
    private static final Pattern RANGE = Pattern.compile("\\[(-?\\d+|#\\p{XDigit}+)?-(-?\\d+|#\\p{XDigit}+)?\\)");
    private static final Pattern INTEGER = Pattern.compile("-?\\d+");
    private static final Pattern TEXT = Pattern.compile("'(?:[^']++|'')*+'");
    private static final Pattern IDENTIFIER =
            Pattern.compile("\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}");
    private static final int HASH_DIGITS = 16;
    private static final int HEXADECIMAL = 16;
    private static final int MOST_SHOWN = 80;

    private EntryText() {}

    /** @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} for a text that is no range and no key */
    static PlanEntry read(int partition, String given) {
        String text = given.strip();
        String shown = shortened(text);
        Matcher range = RANGE.matcher(text);
        if (range.matches()) {
            return range(partition, shown, range.group(1), range.group(2));
        }
        if (INTEGER.matcher(text).matches()) {
            return new PlanEntry.IntegerKey(partition, shown, integer(text, shown));
        }
        if (TEXT.matcher(text).matches()) {
            byte[] key = text.substring(1, text.length() - 1).replace("''", "'").getBytes(StandardCharsets.UTF_8);
            return hashed(partition, shown, PartitioningHash.ofBytes(key, 0, key.length));
        }
        if (IDENTIFIER.matcher(text).matches()) {
            UUID key = UUID.fromString(text);
            return hashed(
                    partition,
                    text,
                    PartitioningHash.ofWide(key.getMostSignificantBits(), key.getLeastSignificantBits()));
        }
        throw refused("\"" + shown + "\" of partition " + partition
                + " is no range and no key; write a range as [3-5), [9-) or [#4000000000000000-#8000000000000000),"
                + " and a single key as 7, 'ALFKI' or a UUID");
    }

    private static PlanEntry hashed(int partition, String text, long hash) {
        return new PlanEntry.HashedKey(partition, text, hash ^ PartitionPlan.UNSIGNED_ORDER);
    }

    private static PlanEntry range(int partition, String text, @Nullable String begin, @Nullable String end) {
        KeySpace space = isHash(begin) || isHash(end) ? KeySpace.HASH : KeySpace.INTEGER;
        if (begin != null && end != null && isHash(begin) != isHash(end)) {
            throw refused(text + " of partition " + partition + " begins with one kind of key and ends with another");
        }
        long first = begin == null ? Long.MIN_VALUE : position(begin, text);
        long last = Long.MAX_VALUE;
        if (end != null) {
            long behind = position(end, text);
            if (behind <= first) {
                throw refused(text + " of partition " + partition + " is empty: a range ends before its second number");
            }
            last = behind - 1;
        }
        return new PlanEntry.Range(partition, text, space, first, last);
    }

    private static boolean isHash(@Nullable String bound) {
        return bound != null && bound.startsWith("#");
    }

    private static long position(String bound, String text) {
        if (!isHash(bound)) {
            return integer(bound, text);
        }
        if (bound.length() != 1 + HASH_DIGITS) {
            throw refused(text + " has a hash of " + (bound.length() - 1) + " digits; a hash has " + HASH_DIGITS
                    + " hexadecimal digits");
        }
        return Long.parseUnsignedLong(bound.substring(1), HEXADECIMAL) ^ PartitionPlan.UNSIGNED_ORDER;
    }

    private static long integer(String digits, String text) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException beyond) {
            throw refused(
                    text + " has the number " + shortened(digits) + ", which no key can be: integers have 64 bits");
        }
    }

    /** The range as it is read. */
    static String write(KeySpace space, long first, long last) {
        if (space == KeySpace.INTEGER && first == last) {
            return Long.toString(first);
        }
        // Each range of hashes has a hash, else it would be one of integers.
        boolean isBeginWritten = first != Long.MIN_VALUE || space == KeySpace.HASH;
        return "[" + (isBeginWritten ? bound(space, first) : "") + "-"
                + (last == Long.MAX_VALUE ? "" : bound(space, last + 1)) + ")";
    }

    private static String bound(KeySpace space, long position) {
        return space == KeySpace.INTEGER
                ? Long.toString(position)
                : String.format(Locale.ROOT, "#%016x", position ^ PartitionPlan.UNSIGNED_ORDER);
    }

    /** The beginning of a text, for messages. */
    static String shortened(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }

    static FulmarException refused(String why) {
        return new FulmarException(ErrorCode.INVALID_CONFIGURATION, why);
    }
}
