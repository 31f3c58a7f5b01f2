package dev.fulmar.it.procedure.called;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores a value of each of several kinds. */
public final class Remember implements Procedure {
    static final Statement STORE = Statement.of("INSERT INTO memory VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");

    /** Stores one row. */
    public void run(
            ProcedureContext context,
            long id,
            @Nullable String word,
            @Nullable LocalDate day,
            @Nullable Instant moment,
            @Nullable BigDecimal price,
            @Nullable Boolean isTrue,
            double weight,
            @Nullable UUID key,
            byte @Nullable [] bytes) {
        context.queue(STORE)
                .with(id)
                .with(word)
                .with(day)
                .with(moment)
                .with(price)
                .withObject(isTrue)
                .with(weight)
                .with(key)
                .with(bytes);
        context.execute();
    }
}
