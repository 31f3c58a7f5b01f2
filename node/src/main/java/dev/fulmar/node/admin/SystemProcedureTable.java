package dev.fulmar.node.admin;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.server.ClientOrigin;
import dev.fulmar.node.server.SystemProcedure;
import dev.fulmar.node.server.SystemProcedures;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import javax.management.MBeanServer;
import org.jspecify.annotations.Nullable;

/** All system procedures of a node. Immutable. */
public final class SystemProcedureTable implements SystemProcedures {
    private final Map<String, SystemProcedure> procedures = new TreeMap<>();
    private final NodeControl control;

    /** @param executor runs what takes its time */
    public SystemProcedureTable(
            TransactionRouter router, NodeControl control, MBeanServer beans, int node, Executor executor) {
        this.control = control;
        FigureTables figures = new FigureTables(beans, node);
        add("@Ping", new Ping());
        add("@AdHoc", new ForwardedStatement("", router));
        add("@Explain", new ForwardedStatement("EXPLAIN ", router));
        add("@Catalog", new OffLoop(executor, (request, origin) -> {
            String kind = new CallArguments(request, CatalogTables.USAGE).text(0);
            return Responses.table(CatalogTables.block(kind, control));
        }));
        add("@Statistics", new OffLoop(executor, (request, origin) -> {
            String kind = new CallArguments(request, FigureTables.USAGE).textOr(0, "NODE");
            return Responses.table(figures.block(kind));
        }));
        add("@LoadClasses", new LoadClasses(control));
        add("@Backup", new OffLoop(executor, this::backUp));
        add("@Shutdown", new OffLoop(executor, this::shutdown));
    }

    @Override
    public @Nullable SystemProcedure named(String name) {
        return procedures.get(name.toUpperCase(Locale.ROOT));
    }

    private void add(String name, SystemProcedure procedure) {
        procedures.put(name.toUpperCase(Locale.ROOT), procedure);
    }

    private TransactionResponse backUp(TransactionRequest.Call request, ClientOrigin origin) {
        if (!origin.local()) {
            throw new FulmarException(
                    ErrorCode.PERMISSION_DENIED,
                    "a backup is begun from the node's own machine only, but the call came from " + origin.address()
                            + "; run bin/fulmar backup there");
        }
        control.backUp(new CallArguments(request, "@Backup('absolute path of a new directory')").text(0));
        return Responses.nothing();
    }

    private TransactionResponse shutdown(TransactionRequest.Call request, ClientOrigin origin) {
        if (!origin.local()) {
            throw new FulmarException(
                    ErrorCode.PERMISSION_DENIED,
                    "a node is stopped from its own machine only, but the call came from " + origin.address()
                            + "; run bin/fulmar stop there");
        }
        control.stop();
        return Responses.nothing();
    }
}
