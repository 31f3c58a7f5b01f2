package dev.fulmar.sql.calcite;

import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;

/** The dialect's conformance: lenient where other databases are, strict where leniency would hide a mistake. */
final class DialectConformance extends SqlDelegatingConformance {
    DialectConformance() {
        super(SqlConformanceEnum.BABEL);
    }

    /** An INSERT without a column list names a value for each column. */
    @Override
    public boolean isInsertSubsetColumnsAllowed() {
        return false;
    }

    /** Selecting a column that is neither grouped nor aggregated would yield any value. */
    @Override
    public boolean isNonStrictGroupBy() {
        return false;
    }

    /** A name in SELECT is that of a column, not of another item. */
    @Override
    public SelectAliasLookup isSelectAlias() {
        return SelectAliasLookup.UNSUPPORTED;
    }

    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
        return true;
    }

    /** Off: the engine's own arithmetic checks for overflow, without operators of another name. */
    @Override
    public boolean checkedArithmetic() {
        return false;
    }
}
