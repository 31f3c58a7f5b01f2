package dev.fulmar.postgres.with;

import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.postgres.dialect.ChangingWith;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.value.ParameterForms;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.message.ValueFormats;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A statement that begins with WITH and changes rows, as it runs.
 *
 * @param statement as its client wrote it
 * @param parts in the order in which they run; the main statement is the last one
 * @param parameterTypes OIDs of the client's parameters
 * @param passed arrays that parts are given, behind the client's parameters
 */
public record WithPlan(ChangingWith statement, List<Part> parts, List<Integer> parameterTypes, int passed) {
    /**
     * One of the statements.
     *
     * @param firstArray number of the first array of its rows among all parameters, from 0; negative if none are passed
     */
    record Part(ChangingWith.Item item, Translation translation, StatementDescription description, int firstArray) {
        List<ColumnType> types() {
            return description.columns().stream().map(ResultColumn::type).toList();
        }
    }

    public WithPlan {
        parts = List.copyOf(parts);
        parameterTypes = List.copyOf(parameterTypes);
    }

    Part last() {
        return parts.getLast();
    }

    /** The main statement, whose tag and rows its client gets. */
    public Translation main() {
        return last().translation();
    }

    /** The description of the main statement. */
    public StatementDescription description() {
        return last().description();
    }

    /** Each part with the client's values; the arrays are null. */
    public List<ParameterForms.Values> bound(FrontendMessage.Bind bind, ZoneId zone) {
        int own = parameterTypes.size();
        ParameterForms.checkCount(bind, own);
        List<Integer> types = new ArrayList<>(parameterTypes);
        for (int i = 0; i < passed; i++) {
            types.add(PostgresType.TEXT.arrayOid());
        }
        List<ValueFormat> formats = new ArrayList<>(
                bind.parameterFormats().checkedFor(own, "parameters").stated());
        for (int i = 0; i < passed && formats.size() > 1; i++) {
            formats.add(ValueFormat.TEXT);
        }
        FrontendMessage.Bind whole = new FrontendMessage.Bind(
                bind.portal(),
                bind.statement(),
                new ValueFormats(formats),
                Arrays.copyOf(bind.values(), own + passed),
                bind.resultFormats());
        List<ParameterForms.Values> values = new ArrayList<>();
        for (Part part : parts) {
            values.add(ParameterForms.bound(
                    part.translation(), types, part.description().parameters(), whole, zone));
        }
        return values;
    }
}
