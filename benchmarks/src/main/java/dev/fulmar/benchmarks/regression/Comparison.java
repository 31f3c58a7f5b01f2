package dev.fulmar.benchmarks.regression;

import dev.fulmar.benchmarks.regression.Verdict.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compares the answers to one statement. */
final class Comparison {
    private static final int SHOWN_CHARACTERS = 90;
    private static final int NUMERIC = 1700;
    private static final Pattern DRAW = Pattern.compile("SELECT\\s+nextval\\(", Pattern.CASE_INSENSITIVE);
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");

    private Comparison() {}

    /** The judgement of answers, whatever was executed before. */
    static Verdict judge(int number, String sql, Answer ours, Answer theirs) {
        if (ours.isError() && theirs.isError()) {
            boolean isSame = ours.sqlState().equals(theirs.sqlState());
            return isSame
                    ? equal(number)
                    : new Verdict(
                            number,
                            Kind.UNSUPPORTED,
                            ours.sqlState() + " instead of " + theirs.sqlState() + ": " + shown(ours.message()));
        }
        if (ours.isError()) {
            return new Verdict(number, Kind.UNSUPPORTED, ours.sqlState() + ": " + shown(ours.message()));
        }
        if (theirs.isError()) {
            return new Verdict(number, Kind.WRONG, "answers where PostgreSQL fails with " + theirs.sqlState());
        }
        return answers(number, sql, ours, theirs);
    }

    private static Verdict answers(int number, String sql, Answer ours, Answer theirs) {
        if (sql.toUpperCase(Locale.ROOT).startsWith("EXPLAIN")) {
            return new Verdict(number, Kind.DOCUMENTED, "plans are those of the node");
        }
        if (ours.columns().size() != theirs.columns().size()) {
            return new Verdict(
                    number,
                    Kind.WRONG,
                    ours.columns().size() + " columns instead of "
                            + theirs.columns().size());
        }
        boolean isSame = ours.sorted().equals(theirs.sorted());
        Answer ourNumbers = isSame ? ours : withShortNumbers(ours, theirs);
        Answer theirNumbers = isSame ? theirs : withShortNumbers(theirs, theirs);
        boolean isOther = !ourNumbers.sorted().equals(theirNumbers.sorted());
        if (isOther && DRAW.matcher(sql).lookingAt()) {
            return new Verdict(number, Kind.DOCUMENTED, "a sequence draws its numbers in ranges of each partition");
        }
        if (isOther) {
            return new Verdict(number, Kind.WRONG, "other rows");
        }
        if (!StatementOrder.of(sql).holds(ourNumbers, theirNumbers)) {
            return new Verdict(number, Kind.WRONG, "another order of rows");
        }
        if (!count(ours.tag()).equals(count(theirs.tag()))) {
            return new Verdict(number, Kind.WRONG, ours.tag() + " instead of " + theirs.tag());
        }
        List<String> labels = new ArrayList<>();
        if (!isSame) {
            labels.add("digits of a numeric");
        }
        for (int i = 0; i < ours.columns().size(); i++) {
            Answer.Column our = ours.columns().get(i);
            Answer.Column their = theirs.columns().get(i);
            if (our.typeOid() != their.typeOid()) {
                labels.add("type " + our.typeOid() + " instead of " + their.typeOid());
            }
            if (!our.name().equals(their.name())) {
                labels.add("a name of a column");
            }
        }
        if (!ours.tag().equals(theirs.tag())) {
            labels.add("tag " + ours.tag() + " instead of " + theirs.tag());
        }
        return labels.isEmpty()
                ? equal(number)
                : new Verdict(
                        number,
                        Kind.LABEL,
                        String.join(", ", labels.stream().distinct().toList()));
    }

    /** The rows without zeros at the ends of numbers that PostgreSQL has as numeric. */
    private static Answer withShortNumbers(Answer answer, Answer theirs) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (List<@Nullable String> row : answer.rows()) {
            List<@Nullable String> values = new ArrayList<>(row);
            for (int i = 0; i < values.size() && i < theirs.columns().size(); i++) {
                String value = values.get(i);
                boolean isNumber = value != null
                        && theirs.columns().get(i).typeOid() == NUMERIC
                        && DECIMAL.matcher(value).matches();
                if (isNumber) {
                    values.set(i, new BigDecimal(value).stripTrailingZeros().toPlainString());
                }
            }
            rows.add(values);
        }
        return new Answer(answer.sqlState(), answer.message(), answer.columns(), rows, answer.tag(), answer.status());
    }

    private static String count(String tag) {
        return tag.replaceAll("[^0-9 ]", "").strip();
    }

    private static Verdict equal(int number) {
        return new Verdict(number, Kind.EQUAL, "");
    }

    /** The message up to what it quotes first, which is text of the suite. */
    private static String shown(String message) {
        String line = message.replaceAll("\\s+", " ").replaceAll("['\"].*", "...");
        return line.length() <= SHOWN_CHARACTERS ? line : line.substring(0, SHOWN_CHARACTERS);
    }
}
