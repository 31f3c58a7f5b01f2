package dev.fulmar.sql.calcite;

import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.util.Litmus;
import org.jspecify.annotations.Nullable;

/** A window of a WINDOW clause that is equal to itself only, because Calcite refuses two names for equal windows. */
final class NamedWindow extends SqlWindow {
    NamedWindow(SqlWindow window) {
        super(
                window.getParserPosition(),
                window.getDeclName(),
                window.getRefName(),
                window.getPartitionList(),
                window.getOrderList(),
                SqlLiteral.createBoolean(window.isRows(), window.getParserPosition()),
                window.getLowerBound(),
                window.getUpperBound(),
                null,
                window.getExclude());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // that is what makes it another one
    public boolean equalsDeep(@Nullable SqlNode node, Litmus litmus) {
        return node == this || litmus.fail("{} is another window than {}", this, node);
    }
}
