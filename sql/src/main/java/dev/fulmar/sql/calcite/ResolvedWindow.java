package dev.fulmar.sql.calcite;

import static org.apache.calcite.util.Static.RESOURCE;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.HashSet;
import java.util.Set;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * A window with its own frame and what it has from the windows that it names. Calcite also forgets that a frame which
 * excludes rows may be empty.
 */
final class ResolvedWindow extends SqlWindow {
    private ResolvedWindow(SqlWindow window, SqlNodeList partitions, SqlNodeList order) {
        super(
                window.getParserPosition(),
                null,
                null,
                partitions,
                order,
                SqlLiteral.createBoolean(window.isRows(), window.getParserPosition()),
                window.getLowerBound(),
                window.getUpperBound(),
                null,
                window.getExclude());
        setWindowCall(window.getWindowCall());
    }

    /** The window, whose first step towards the others Calcite has found right. */
    static SqlWindow of(SqlWindow written, SqlValidatorScope scope, SqlValidator validator) {
        SqlNodeList partitions = written.getPartitionList();
        SqlNodeList order = written.getOrderList();
        Set<String> known = new HashSet<>();
        SqlIdentifier name = written.getRefName();
        while (name != null) {
            SqlWindow base = scope.lookupWindow(name.getSimple());
            if (base == null || !known.add(name.getSimple())) {
                throw SqlErrors.at(
                        ErrorCode.SYNTAX,
                        new Position(
                                name.getParserPosition().getLineNum(),
                                name.getParserPosition().getColumnNum()),
                        "there is no window " + name.getSimple() + " before this one");
            }
            if (!base.getOrderList().isEmpty()) {
                if (!order.isEmpty()) {
                    throw validator.newValidationError(order.get(0), RESOURCE.orderByOverlap());
                }
                order = base.getOrderList();
            }
            if (!base.getPartitionList().isEmpty()) {
                partitions = base.getPartitionList();
            }
            name = base.getRefName();
        }
        return new ResolvedWindow(written, partitions, order);
    }

    @Override
    public boolean isAlwaysNonEmpty() {
        return isExcludeNoOthers(getExclude()) && super.isAlwaysNonEmpty();
    }
}
