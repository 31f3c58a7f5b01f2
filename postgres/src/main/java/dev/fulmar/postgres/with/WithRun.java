package dev.fulmar.postgres.with;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.value.ParameterForms;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Runs the parts of a statement one after another, and passes their rows on. A part that fails is the last one. */
public final class WithRun {
    /** Executor of statements in the session's transaction. */
    public interface Statements {
        /** Executes a part; its client hears nothing of it. */
        void execute(Translation part, byte[] parameters, Consumer<Committed> then);

        /** Executes the main statement, and tells the client of it. */
        void executeLast(Translation main, byte[] parameters);
    }

    private static final int FIRST_BYTES = 1 << 10;
    private static final int MOST_BYTES = 64 << 20;

    private final WithPlan plan;
    private final List<ParameterForms.Values> values;
    private final Statements statements;

    /** Arrays by the numbers of their parameters. */
    private final Map<Integer, String> arrays = new TreeMap<>();

    private WithRun(WithPlan plan, List<ParameterForms.Values> values, Statements statements) {
        this.plan = plan;
        this.values = List.copyOf(values);
        this.statements = statements;
    }

    /** @param values of the parts, as {@link WithPlan#bound} gives them */
    public static void run(WithPlan plan, List<ParameterForms.Values> values, Statements statements) {
        new WithRun(plan, values, statements).next(0);
    }

    private void next(int place) {
        WithPlan.Part part = plan.parts().get(place);
        Translation translation = values.get(place).translation();
        byte[] parameters = parameters(values.get(place));
        if (place == plan.parts().size() - 1) {
            statements.executeLast(translation, parameters);
            return;
        }
        statements.execute(translation, parameters, answer -> {
            if (part.firstArray() >= 0) {
                int number = part.firstArray();
                for (String array : PassedRows.of(answer, part.item().name(), part.types())) {
                    arrays.put(number++, array);
                }
            }
            next(place + 1);
        });
    }

    /** The client's values, with the arrays that there are by now. */
    private byte[] parameters(ParameterForms.Values own) {
        List<Integer> numbers = own.translation().parameters();
        byte[] list = own.parameters();
        ParameterReader reader = new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(list, 0, list.length);
        ParameterWriter writer = new ParameterWriter(FIRST_BYTES, MOST_BYTES).begin();
        for (int i = 0; i < numbers.size(); i++) {
            String array = arrays.get(numbers.get(i));
            if (array == null) {
                writer.addCopy(reader, i);
            } else {
                writer.add(array);
            }
        }
        return writer.toByteArray();
    }
}
