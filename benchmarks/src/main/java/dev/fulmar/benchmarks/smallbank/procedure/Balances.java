package dev.fulmar.benchmarks.smallbank.procedure;

import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/**
 * Statements on accounts and balances that SmallBank's stored procedures share, with checks of the rows they find.
 * Amounts are cents.
 */
final class Balances {
    static final Statement ACCOUNT = Statement.of("SELECT name FROM accounts WHERE custid = ?");
    static final Statement SAVINGS = Statement.of("SELECT bal FROM savings WHERE custid = ?");
    static final Statement CHECKING = Statement.of("SELECT bal FROM checking WHERE custid = ?");
    static final Statement ADD_SAVINGS = Statement.of("UPDATE savings SET bal = bal + ? WHERE custid = ?");
    static final Statement ADD_CHECKING = Statement.of("UPDATE checking SET bal = bal + ? WHERE custid = ?");

    private Balances() {}

    /** Fails unless every account of the first results exists. */
    static void requireAccounts(ProcedureContext context, Results results, int accounts) {
        for (int i = 0; i < accounts; i++) {
            if (results.rows(i).rowCount() == 0) {
                throw context.abort("there is no such account");
            }
        }
    }

    static long cents(ProcedureContext context, Rows balance) {
        if (balance.rowCount() == 0) {
            throw context.abort("the account has no balance");
        }
        return balance.first().getUnscaled(0);
    }
}
