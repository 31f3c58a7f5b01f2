package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.LateConstraint;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Gives a table with rows a constraint over partitions, by several statements one after the other. No partition can say
 * by itself whether its rows keep the constraint, and none waits while others are asked. Writes keep the constraint
 * before rows are looked at, so a row that keeps it then does for good. If the node dies meanwhile, the constraint
 * stays, not valid: the same statement once more, or VALIDATE CONSTRAINT, goes on with it.
 */
final class ConstraintValidation {
    private static final int SHOWN_CHARACTERS = 200;

    private final LateConstraint constraint;
    private final TransactionRequest request;
    private final ChangeHandle handle;
    private final PatientStatements ways;
    private final AtomicReference<Program> current;
    private final Consumer<TransactionResponse> answer;

    /**
     * @param request which asks for the constraint, and whose rights were looked at
     * @param handle under which the constraint of a table with rows is made once
     */
    ConstraintValidation(
            LateConstraint constraint,
            TransactionRequest request,
            ChangeHandle handle,
            PatientStatements ways,
            AtomicReference<Program> current,
            Consumer<TransactionResponse> answer) {
        this.constraint = constraint;
        this.request = request;
        this.handle = handle;
        this.ways = ways;
        this.current = current;
        this.answer = answer;
    }

    /** The answer is that of the change that notes that all rows keep the constraint, or that of what failed. */
    void start() {
        if (constraint.ofEmpty().isEmpty()) {
            add();
            return;
        }
        ways.run(statement(constraint.anyRow()), response -> {
            switch (response) {
                case Failed _ -> answer.accept(response);
                case Committed found -> {
                    ResultBlock rows = new ResultBlock().wrap(found.results(), 0, found.results().length);
                    if (rows.next()) {
                        add();
                    } else {
                        makeOfEmpty(constraint.ofEmpty().get());
                    }
                }
            }
        });
    }

    /** Makes the constraint of a table without rows; it may have got some meanwhile. */
    private void makeOfEmpty(String statement) {
        ways.change(statement(statement), ChangeHandle.of(request), response -> {
            if (response instanceof Failed failed && failed.code() == ErrorCode.NOT_SUPPORTED) {
                add();
            } else {
                answer.accept(response);
            }
        });
    }

    private void add() {
        if (constraint.addition().isEmpty()) {
            look();
            return;
        }
        ways.change(statement(constraint.addition().get()), ChangeHandle.NONE, response -> {
            if (response instanceof Failed) {
                answer.accept(response);
            } else {
                look();
            }
        });
    }

    private void look() {
        OptionalLong since = constraint.since(current.get().catalog());
        if (since.isEmpty()) {
            answer.accept(new Failed(
                    ErrorCode.TRANSACTION_RESTART,
                    "constraint " + constraint.name() + " of " + constraint.table()
                            + " was changed while the statement looked at the rows; try again"));
            return;
        }
        ways.run(statement(constraint.counterexample()), response -> {
            switch (response) {
                case Failed failed -> end(failed, since.getAsLong());
                case Committed found -> {
                    ResultBlock rows = new ResultBlock().wrap(found.results(), 0, found.results().length);
                    if (rows.next()) {
                        end(new Failed(constraint.breach(), constraint.breachText() + shown(rows)), since.getAsLong());
                    } else {
                        note(since.getAsLong());
                    }
                }
            }
        });
    }

    private void note(long since) {
        // It is this change that makes the constraint valid, so it is this one that is made once.
        ways.change(statement(constraint.validation(since)), handle, response -> {
            if (response instanceof Failed) {
                end(response, since);
            } else {
                answer.accept(response);
            }
        });
    }

    /**
     * Removes what the statement has made, and nothing else. If another one has looked at the rows meanwhile, or made
     * another constraint of that name, that stays.
     */
    private void end(TransactionResponse response, long since) {
        OptionalLong now = constraint.since(current.get().catalog());
        if (constraint.addition().isEmpty() || now.isEmpty() || now.getAsLong() != since) {
            answer.accept(response);
        } else {
            remove(0, response);
        }
    }

    private void remove(int next, TransactionResponse response) {
        if (next == constraint.removals().size()) {
            answer.accept(response);
        } else {
            ways.takingBack().run(statement(constraint.removals().get(next)), done -> remove(next + 1, response));
        }
    }

    private static String shown(ResultBlock row) {
        String values = IntStream.range(0, row.columnCount())
                .mapToObj(column -> row.columns().get(column).name() + " = " + row.object(column))
                .collect(Collectors.joining(", "));
        return values.length() <= SHOWN_CHARACTERS ? values : values.substring(0, SHOWN_CHARACTERS) + "...";
    }

    private TransactionRequest.AdHoc statement(String text) {
        return OwnStatements.of(request, text);
    }
}
