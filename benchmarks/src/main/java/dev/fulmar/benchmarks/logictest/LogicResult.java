package dev.fulmar.benchmarks.logictest;

import dev.fulmar.client.ResultTable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A result in the form in which the files hold it. */
final class LogicResult {
    private static final Pattern NUMBER = Pattern.compile("^\\s*[-+]?\\d+(\\.\\d*)?");
    private static final Pattern HASHED = Pattern.compile("(\\d+) values hashing to (\\w+)");
    private static final int DECIMALS = 3;

    private LogicResult() {}

    /**
     * The values, in the order in which the record wants them; null if there are more or fewer columns than it says.
     */
    static @Nullable List<String> values(ResultTable table, LogicRecord wanted) {
        if (table.columnCount() != wanted.types().length()) {
            return null;
        }
        List<List<String>> rows = new ArrayList<>();
        while (table.next()) {
            List<String> row = new ArrayList<>();
            for (int column = 0; column < table.columnCount(); column++) {
                row.add(text(table.getObject(column), wanted.types().charAt(column)));
            }
            rows.add(row);
        }
        if (wanted.order() == LogicRecord.Order.BY_ROW) {
            rows.sort(Comparator.comparing(row -> String.join("\u0000", row)));
        }
        List<String> values = new ArrayList<>();
        rows.forEach(values::addAll);
        if (wanted.order() == LogicRecord.Order.BY_VALUE) {
            Collections.sort(values);
        }
        return values;
    }

    /** Whether the values are the expected ones, which may be given by their hash only. */
    static boolean matches(List<String> values, List<String> expected) {
        if (expected.size() == 1) {
            Matcher hashed = HASHED.matcher(expected.getFirst());
            if (hashed.matches()) {
                return values.size() == Integer.parseInt(hashed.group(1))
                        && hash(values).equals(hashed.group(2));
            }
        }
        return values.equals(expected);
    }

    /** A value as the type's letter wants it. */
    static String text(@Nullable Object value, char type) {
        if (value == null) {
            return "NULL";
        }
        return switch (type) {
            case 'I' -> number(value).setScale(0, RoundingMode.DOWN).toPlainString();
            case 'R' -> number(value).setScale(DECIMALS, RoundingMode.HALF_EVEN).toPlainString();
            default -> printable(value.toString());
        };
    }

    private static BigDecimal number(Object value) {
        return switch (value) {
            case BigDecimal number -> number;
            case BigInteger number -> new BigDecimal(number);
            case Double number -> new BigDecimal(number);
            case Float number -> new BigDecimal(number);
            case Number number -> BigDecimal.valueOf(number.longValue());
            case Boolean flag -> flag ? BigDecimal.ONE : BigDecimal.ZERO;
            default -> {
                Matcher number = NUMBER.matcher(value.toString());
                yield number.find() ? new BigDecimal(number.group().strip()) : BigDecimal.ZERO;
            }
        };
    }

    private static String printable(String text) {
        if (text.isEmpty()) {
            return "(empty)";
        }
        StringBuilder printable = new StringBuilder(text.length());
        text.chars().forEach(each -> printable.append(each < ' ' || each > '~' ? '@' : (char) each));
        return printable.toString();
    }

    private static String hash(List<String> values) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            for (String value : values) {
                digest.update((value + "\n").getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }
}
