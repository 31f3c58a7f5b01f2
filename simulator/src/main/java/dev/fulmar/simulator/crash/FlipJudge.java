package dev.fulmar.simulator.crash;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Judges starts that went well although a bit was flipped. All data must be there; only the log's very last group,
 * which no later one attests, may have been cut, if the bit is in it, its directory was not stopped in order, and the
 * start said so with file and offset.
 *
 * @param stopped whether the directory's life ended in order, so that nothing may be missing
 * @param last where the log's last group is
 * @param unharmedReports what a start on the unharmed files says
 */
record FlipJudge(boolean stopped, Place last, String unharmedReports) {
    private static final Pattern CUT = Pattern.compile("cut in (\\S+) at offset (\\d+)");

    /** Bytes of a file. */
    record Place(String file, int offset, int bytes) {
        boolean has(String otherFile, int position) {
            return file.equals(otherFile) && position >= offset && position < offset + bytes;
        }
    }

    /**
     * Result of a start.
     *
     * @param file name of the file with the flipped bit
     * @param position of the flipped bit's byte
     * @param breach what is missing or different; null if all is there
     * @param isPrefix whether each partition holds a beginning of its commits, though perhaps not all that were
     *     acknowledged
     * @param wrong what else is wrong with the data
     * @param reports what was reported of damage
     */
    record Start(
            String file, int position, @Nullable String breach, boolean isPrefix, List<String> wrong, String reports) {}

    /** Judgement of a start: the outcome, and for a wrong one the reason. */
    record Verdict(FlipOutcome outcome, String text) {}

    Verdict judge(Start start) {
        boolean newReport = !start.reports.isEmpty() && !start.reports.equals(unharmedReports);
        String cut = newReport ? cutPlace(start.reports) : "";
        boolean cutsMore = !cut.isEmpty() && !cut.equals(cutPlace(unharmedReports));
        if (cutsMore && !cut.equals(last.file + ":" + last.offset)) {
            return wrong("the log is cut at " + cut + ", before its last group at " + last, start);
        }
        if (cutsMore && !last.has(start.file, start.position)) {
            return wrong("the log is cut, but its last group is unharmed", start);
        }
        if (!start.wrong.isEmpty()) {
            return wrong(start.wrong.getFirst(), start);
        }
        if (start.breach != null) {
            boolean tailOnly = cutsMore && !stopped && start.isPrefix;
            return tailOnly ? new Verdict(FlipOutcome.TAIL_CUT, start.reports) : wrong(start.breach, start);
        }
        if (cutsMore) {
            return new Verdict(FlipOutcome.TAIL_CUT, start.reports);
        }
        if (newReport && !start.reports.contains(start.file)) {
            return wrong("what is reported does not name the file", start);
        }
        return new Verdict(newReport ? FlipOutcome.REPAIRED : FlipOutcome.HARMLESS, start.reports);
    }

    private static Verdict wrong(String what, Start start) {
        return new Verdict(FlipOutcome.WRONG, what + "; " + start.reports);
    }

    private static String cutPlace(String reports) {
        return CUT.matcher(reports)
                .results()
                .findFirst()
                .map((MatchResult match) -> match.group(1) + ":" + match.group(2))
                .orElse("");
    }
}
