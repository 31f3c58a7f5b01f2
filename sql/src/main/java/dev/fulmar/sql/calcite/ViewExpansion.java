package dev.fulmar.sql.calcite;

import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementZone;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/** Puts the queries of views where a statement names them, up to a limit: views of views may grow without end. */
final class ViewExpansion implements RelOptTable.ViewExpander {
    private static final int MOST_VIEWS = 64;

    private final Function<String, RelRoot> converter;
    private final Set<String> names = new TreeSet<>();
    private int expanded;
    private int depth;

    /** @param converter from the text of a query to its tree */
    ViewExpansion(Function<String, RelRoot> converter) {
        this.converter = converter;
    }

    @Override
    public RelRoot expandView(
            RelDataType rowType, String text, List<String> schemaPath, @Nullable List<String> viewPath) {
        if (++expanded > MOST_VIEWS) {
            throw SqlErrors.tooComplex("the statement names more than " + MOST_VIEWS
                    + " views, counting those in views; name the tables that are needed");
        }
        if (depth == 0 && viewPath != null) {
            names.addAll(viewPath);
        }
        depth++;
        StatementZone.holdsKeptText();
        try {
            return converter.apply(text);
        } finally {
            depth--;
        }
    }

    /** The views that the statement itself names. */
    Set<String> names() {
        return names;
    }

    /** Whether the tree of a view is being made. */
    boolean isInside() {
        return depth > 0;
    }
}
