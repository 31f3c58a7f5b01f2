package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Operation;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RowSinkTest {
    private final Database database = new Database();
    private final Table table = database.table("T")
            .column("K", INTEGER)
            .nullable("A", TEXT)
            .nullable("B", TEXT)
            .nullable("C", TEXT)
            .primaryKey(0)
            .create();

    @AfterEach
    void close() {
        database.close();
    }

    private List<List<@Nullable Object>> select(int... columns) {
        List<Expression> expressions = new ArrayList<>();
        for (int column : columns) {
            expressions.add(Plans.column(column, Database.types(table).get(column)));
        }
        PartitionStatement statement =
                database.statement(Plans.query(new Relation.Project(Database.scan(table), expressions)));
        ResultBlockWriter writer = new ResultBlockWriter(16, 1 << 16);
        statement.run(statement.compiled().newBindings(), writer);
        boolean asksForB = Arrays.stream(columns).anyMatch(column -> column == 2);
        String bytes = new String(writer.toByteArray(), StandardCharsets.ISO_8859_1);
        assertThat(bytes.contains("SECRET"))
                .as("only what was asked for is sent")
                .isEqualTo(asksForB);
        return Database.rows(writer);
    }

    @Test
    void anySelectionOfColumnsYieldsItsValuesOnly() {
        database.insert(table, new Object[] {1, "first1", "SECRET", "third"});
        assertThat(select(1, 2, 3)).containsExactly(List.of("first1", "SECRET", "third"));
        assertThat(select(3, 0, 2, 1)).containsExactly(List.of("third", 1L, "SECRET", "first1"));
        assertThat(select(1, 3)).containsExactly(List.of("first1", "third"));
        assertThat(select(3)).containsExactly(List.of("third"));
        assertThat(select(1, 1, 3)).containsExactly(List.of("first1", "first1", "third"));
        assertThat(select(2, 3, 2)).containsExactly(List.of("SECRET", "third", "SECRET"));
    }

    @Test
    void nullsAndChangedValuesAreNoStretch() {
        database.insert(table, new @Nullable Object[] {1, null, "SECRET", ""});
        assertThat(select(1, 3)).containsExactly(Arrays.asList(null, ""));
        assertThat(select(1, 2, 3)).containsExactly(Arrays.asList(null, "SECRET", ""));
        Operation.Assignment assignment = new Operation.Assignment(1, Plans.text("a longer value than before"));
        database.run(Plans.write(new Operation.Update(table.id(), Database.scan(table), List.of(assignment))));
        assertThat(select(3, 1, 2)).containsExactly(List.of("", "a longer value than before", "SECRET"));
        assertThat(select(3, 1)).containsExactly(List.of("", "a longer value than before"));
    }
}
