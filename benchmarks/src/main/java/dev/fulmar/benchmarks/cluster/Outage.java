package dev.fulmar.benchmarks.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Effect of a fault on clients.
 *
 * @param victim the node that it struck
 * @param faultNanos when it can have happened at the earliest
 * @param happenedNanos when it had happened certainly
 * @param endNanos until when the answers were collected
 * @param led partitions that the victim led
 * @param followed partitions of which it had a copy in sync
 * @param untouched the others
 * @param answers of commits, in any order
 */
record Outage(
        int victim,
        long faultNanos,
        long happenedNanos,
        long endNanos,
        Set<Integer> led,
        Set<Integer> followed,
        Set<Integer> untouched,
        List<Answer> answers) {
    /** A time in which nothing was committed on a partition. */
    record Gap(int partition, long startNanos, long durationNanos) {}

    /**
     * Time from the fault to the first commit on the partition. Only calls that were sent after the fault count: the
     * answer to an earlier one may have been under way already. Empty if there was none.
     */
    OptionalLong firstCommitNanos(int partition) {
        return answers.stream()
                .filter(answer -> answer.partition() == partition && answer.sentNanos() - happenedNanos > 0)
                .mapToLong(answer -> answer.answeredNanos() - faultNanos)
                .min();
    }

    /** Whether every affected partition has had a commit. */
    boolean isOver() {
        return Stream.concat(led.stream(), followed.stream())
                .allMatch(partition -> firstCommitNanos(partition).isPresent());
    }

    /**
     * The longest time without a commit on each untouched partition, as clients of the other nodes saw it; they must
     * have asked all the time.
     */
    List<Gap> gaps() {
        return untouched.stream().map(this::longestGap).toList();
    }

    /** The same on each partition that the victim led or followed. */
    List<Gap> gapsOfTheAffected() {
        return Stream.concat(led.stream(), followed.stream())
                .map(this::longestGap)
                .toList();
    }

    private Gap longestGap(int partition) {
        List<Long> moments = new ArrayList<>(answers.stream()
                .filter(answer -> answer.partition() == partition
                        && answer.node() != victim
                        && answer.answeredNanos() - faultNanos > 0
                        && answer.answeredNanos() - endNanos < 0)
                .map(Answer::answeredNanos)
                .toList());
        moments.add(endNanos);
        Collections.sort(moments);
        Gap longest = new Gap(partition, faultNanos, 0);
        long before = faultNanos;
        for (long moment : moments) {
            if (moment - before > longest.durationNanos) {
                longest = new Gap(partition, before, moment - before);
            }
            before = moment;
        }
        return longest;
    }
}
