package dev.fulmar.benchmarks.sqlcheck;

import java.util.List;

/**
 * Judgement of the answers of several engines to one statement.
 *
 * @param detail in words, for whoever looks at it
 */
record Judgement(Kind kind, String detail) {
    static final String REFUTED = "no reference agrees";

    static final String TYPES = "the columns have other types: ";

    static final String REFUSES = "PostgreSQL answers what is refused: ";

    /** Kinds of judgements. */
    enum Kind {
        /** Fulmar's answers are one, and a reference gave the same. */
        AGREED,
        /** No reference had an answer to compare with. */
        UNCOMPARED,
        /** An error of the data here and a result there, or the other way round: SQL leaves open what is evaluated. */
        ERRORS_DIFFER,
        /** Fulmar does not support what a reference answered. */
        REFUSED,
        /** Fulmar differs from PostgreSQL as a clause of docs/SQL.md says. */
        DOCUMENTED,
        /** Fulmar is wrong. */
        DIFFERENT
    }

    /** Judges; {@code ours} on one partition and on several. */
    static Judgement of(List<Answer> ours, List<Answer> references, boolean ordered) {
        Answer first = ours.getFirst();
        for (Answer answer : ours) {
            if (answer.outcome() == Answer.Outcome.DEFECT) {
                return new Judgement(Kind.DIFFERENT, "defect: " + answer.message());
            }
            if (answer.isResult() && first.isResult() && !answer.agreesWith(first, ordered)) {
                return new Judgement(Kind.DIFFERENT, "depends on partitions");
            }
        }
        boolean answered = references.stream().anyMatch(Answer::isResult);
        for (Answer answer : ours) {
            if (answer.outcome() == Answer.Outcome.REFUSED) {
                return new Judgement(answered ? Kind.REFUSED : Kind.UNCOMPARED, answer.message());
            }
        }
        if (ours.stream().anyMatch(answer -> answer.outcome() != first.outcome())) {
            return new Judgement(Kind.ERRORS_DIFFER, "depends on partitions: " + messages(ours));
        }
        return references.isEmpty() ? new Judgement(Kind.AGREED, "") : compared(first, references, ordered);
    }

    /**
     * Whether both are wrong, and if something is refused, for the same reason: a statement that is cut too short is
     * refused for another.
     */
    boolean isLike(Judgement found) {
        return kind == Kind.DIFFERENT && reason().equals(found.reason());
    }

    private String reason() {
        return detail.startsWith(REFUSES)
                ? detail.replaceAll("\\d+|'[^']*'|[A-Z]\\d", "")
                : detail.startsWith(TYPES) ? TYPES : "";
    }

    private static Judgement compared(Answer ours, List<Answer> references, boolean ordered) {
        boolean agreed = false;
        boolean refuted = false;
        boolean failed = false;
        String types = "";
        for (Answer reference : references) {
            if (reference.outcome() == ours.outcome() && (!ours.isResult() || ours.agreesWith(reference, ordered))) {
                agreed = true;
            } else if (ours.isResult() && ours.isLike(reference, ordered)) {
                types = TYPES + ours.types() + ", not " + reference.types();
            } else if (ours.isResult() && reference.isResult()) {
                refuted = true;
            } else if (reference.outcome() != Answer.Outcome.REFUSED) {
                failed = true;
            }
        }
        if (agreed) {
            return new Judgement(Kind.AGREED, "");
        }
        if (!types.isEmpty() && !refuted) {
            return new Judgement(Kind.DIFFERENT, types);
        }
        if (refuted) {
            return new Judgement(Kind.DIFFERENT, REFUTED);
        }
        if (failed) {
            boolean constraint = ours.outcome() == Answer.Outcome.CONSTRAINT
                    || references.stream().anyMatch(each -> each.outcome() == Answer.Outcome.CONSTRAINT);
            return new Judgement(
                    constraint
                                    && references.stream()
                                            .noneMatch(each -> each.outcome() == Answer.Outcome.DATA_ERROR)
                                    && ours.outcome() != Answer.Outcome.DATA_ERROR
                            ? Kind.DIFFERENT
                            : Kind.ERRORS_DIFFER,
                    ours.message() + " / " + messages(references));
        }
        return new Judgement(Kind.UNCOMPARED, messages(references));
    }

    private static String messages(List<Answer> answers) {
        return String.join(
                " / ",
                answers.stream()
                        .map(answer -> answer.outcome() + " " + answer.message())
                        .toList());
    }
}
