package dev.fulmar.benchmarks.peers.procedure;

import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Results;
import dev.fulmar.procedure.Rows;
import dev.fulmar.procedure.Statement;

/** TPC-C-lite's Payment by customer number. */
public final class Payment implements Procedure {
    static final Statement WAREHOUSE = Statement.of("select name,street,city,st,zip from warehouse where w=?");
    static final Statement PAY_WAREHOUSE = Statement.of("update warehouse set ytd=ytd+? where w=?");
    static final Statement DISTRICT = Statement.of("select name,street,city,st,zip from district where w=? and d=?");
    static final Statement PAY_DISTRICT = Statement.of("update district set ytd=ytd+? where w=? and d=?");
    static final Statement PAY_CUSTOMER =
            Statement.of("update customer set bal=bal-?,ytdpay=ytdpay+?,pcnt=pcnt+1 where w=? and d=? and c=?");
    static final Statement CUSTOMER =
            Statement.of("select bal,firstn,lastn,credit from customer where w=? and d=? and c=?");
    static final Statement INSERT_HISTORY = Statement.of("insert into history values(?,?,?,?,?,?,?,?)");

    public Rows run(ProcedureContext context, int w, int d, int c, long amount) {
        context.queue(WAREHOUSE).with(w);
        context.queue(DISTRICT).with(w).with(d);
        context.queue(PAY_WAREHOUSE).with(amount).with(w);
        context.queue(PAY_DISTRICT).with(amount).with(w).with(d);
        context.queue(PAY_CUSTOMER).with(amount).with(amount).with(w).with(d).with(c);
        context.queue(CUSTOMER).with(w).with(d).with(c);
        Results read = context.execute();
        String names = read.rows(0).first().getString(0) + read.rows(1).first().getString(0);
        context.queue(INSERT_HISTORY)
                .with(c)
                .with(d)
                .with(w)
                .with(d)
                .with(w)
                .with(context.nowMicros() / 1000)
                .with(amount)
                .with(names);
        context.execute();
        return read.rows(5);
    }
}
