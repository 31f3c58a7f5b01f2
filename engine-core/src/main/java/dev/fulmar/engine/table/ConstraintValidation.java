package dev.fulmar.engine.table;

import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/** Validates a constraint on every row of a table in use. */
public final class ConstraintValidation extends TablePreparation implements RowSurvey.Work {
    private final Object subject;
    private final LongConsumer proof;
    private final IntPredicate reads;
    private final RowSurvey survey;

    /**
     * @param subject what is to be proved; equal to another one that is the same
     * @param proof fails for a row that does not meet it
     * @param reads whether the proof reads a column
     */
    ConstraintValidation(TableStore source, Object subject, LongConsumer proof, IntPredicate reads) {
        super(source);
        this.subject = subject;
        this.proof = proof;
        this.reads = reads;
        survey = new RowSurvey(source, this);
    }

    boolean isOf(Object other) {
        return subject.equals(other);
    }

    @Override
    RowSurvey survey() {
        return survey;
    }

    @Override
    boolean isAbout(UpdateShape shape) {
        for (int column : shape.columns()) {
            if (reads.test(column)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void take(long row) {
        proof.accept(row);
    }

    /** Nothing is kept of a row: it is looked at again. */
    @Override
    public void takeBack(long row) {}

    @Override
    void discard() {}
}
