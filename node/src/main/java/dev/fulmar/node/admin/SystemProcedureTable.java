package dev.fulmar.node.admin;

import dev.fulmar.coordinator.access.AccessControl;
import dev.fulmar.coordinator.portal.PortalRouter;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.session.SessionRouter;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.audit.AuditEvent;
import dev.fulmar.node.audit.AuditTrail;
import dev.fulmar.node.server.ClientOrigin;
import dev.fulmar.node.server.SystemProcedure;
import dev.fulmar.node.server.SystemProcedures;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import javax.management.MBeanServer;
import org.jspecify.annotations.Nullable;

/** All system procedures of a node. Immutable. */
public final class SystemProcedureTable implements SystemProcedures {
    /** Those that execute statements of clients. */
    private static final Set<String> FOR_ALL = Set.of("@ADHOC", "@SESSION", "@PORTAL");

    private final Map<String, SystemProcedure> procedures = new TreeMap<>();
    private final NodeControl control;
    private final AuditTrail audit;

    /**
     * @param executor runs what takes its time
     * @param audit hears of those that need ADMIN
     */
    public SystemProcedureTable(
            TransactionRouter router,
            SessionRouter sessions,
            PortalRouter portals,
            NodeControl control,
            MBeanServer beans,
            int node,
            Executor executor,
            AuditTrail audit) {
        this.control = control;
        this.audit = audit;
        FigureTables figures = new FigureTables(beans, node);
        add("@Ping", null, new Ping());
        add("@AdHoc", null, new ForwardedStatement("", router));
        add("@Explain", null, new ForwardedStatement("EXPLAIN ", router));
        add("@Session", null, new SessionProcedure(sessions));
        add("@Portal", null, new PortalProcedure(portals));
        add("@Catalog", null, new BlockingSystemProcedure(executor, (request, origin) -> {
            CallArguments arguments = new CallArguments(request, CatalogTables.USAGE);
            return Responses.table(
                    CatalogTables.block(arguments.text(0), arguments.textOr(1, ""), control, request.caller()));
        }));
        add("@Statistics", Privilege.ADMIN, new BlockingSystemProcedure(executor, (request, origin) -> {
            String kind = new CallArguments(request, FigureTables.USAGE).textOr(0, "NODE");
            return Responses.table(figures.block(kind));
        }));
        add("@LoadClasses", Privilege.ADMIN, new LoadClasses(control));
        add(
                "@Jars",
                Privilege.ADMIN,
                new BlockingSystemProcedure(executor, (request, origin) -> JarPieces.answer(request, control)));
        add(
                "@Users",
                Privilege.ADMIN,
                new BlockingSystemProcedure(
                        executor, (request, origin) -> Responses.table(AccessTables.definitions(control.catalog()))));
        add(
                "@Reconfigure",
                Privilege.ADMIN,
                new BlockingSystemProcedure(executor, (request, origin) -> Reconfigure.answer(request, control)),
                Reconfigure::audited);
        add("@Backup", Privilege.ADMIN, new BlockingSystemProcedure(executor, this::backUp));
        add(
                "@Restart",
                Privilege.ADMIN,
                new BlockingSystemProcedure(executor, (request, origin) -> Responses.value(control.restart())));
        add("@Shutdown", Privilege.ADMIN, new BlockingSystemProcedure(executor, this::shutdown));
    }

    @Override
    public @Nullable SystemProcedure named(String name) {
        return procedures.get(name.toUpperCase(Locale.ROOT));
    }

    @Override
    public boolean isForOperators(String name) {
        return !FOR_ALL.contains(name.toUpperCase(Locale.ROOT));
    }

    /** The names of all, in upper case. */
    public Set<String> names() {
        return Collections.unmodifiableSet(procedures.keySet());
    }

    /** @param needed null where every user may; what the procedure shows or forwards is checked further on */
    private void add(String name, @Nullable Privilege needed, SystemProcedure procedure) {
        add(name, needed, procedure, (request, response) -> name);
    }

    /** The audit log's text about an answered call; null if the log is to have none. */
    private interface AuditText {
        @Nullable String of(TransactionRequest.Call request, TransactionResponse response);
    }

    private void add(String name, @Nullable Privilege needed, SystemProcedure procedure, AuditText text) {
        procedures.put(name.toUpperCase(Locale.ROOT), (request, origin, sink) -> {
            try {
                AccessControl.system(request.caller(), control.catalog(), needed);
            } catch (FulmarException e) {
                sink.respond(request, Responses.failed(e));
                sink.flush();
                return;
            }
            procedure.call(request, origin, needed == null ? sink : audited(text, request, origin, sink));
        });
    }

    private ResponseSink audited(AuditText text, TransactionRequest.Call call, ClientOrigin origin, ResponseSink sink) {
        return new ResponseSink() {
            @Override
            public void respond(TransactionRequest request, TransactionResponse response) {
                String what = text.of(call, response);
                if (what != null) {
                    String outcome = response instanceof TransactionResponse.Failed failed
                            ? failed.code().name()
                            : AuditEvent.DONE;
                    audit.note(new AuditEvent(
                            AuditEvent.Kind.ADMIN, request.caller().user(), origin.address(), what, outcome));
                }
                sink.respond(request, response);
            }

            @Override
            public void flush() {
                sink.flush();
            }
        };
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
