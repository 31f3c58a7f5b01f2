package dev.fulmar.postgres.dialect;

import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.postgres.activity.SessionActivity;
import dev.fulmar.postgres.activity.SessionActivity.Moment;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The view pg_stat_activity, as a query of values: the sessions of the node that is asked. */
final class ActivityRows {
    /** More would make the text of the statement too long. */
    private static final int MOST_SESSIONS = 100;

    private static final String TIME = "TIMESTAMP WITH TIME ZONE";
    private static final String NO_TEXT = "CAST(NULL AS VARCHAR)";

    private ActivityRows() {}

    /** The query, in parentheses. */
    static String of(SessionFacts facts) {
        String rows = facts.sessions().stream()
                .limit(MOST_SESSIONS)
                .map(session -> row(session, facts))
                .collect(Collectors.joining(", "));
        return "(SELECT " + SqlFrontend.ONCE + " (SELECT OID FROM PG_CATALOG.PG_DATABASE) AS DATID, DATNAME, PID,"
                + " CAST(NULL AS INTEGER) AS LEADER_PID,"
                + " (SELECT R.OID FROM PG_CATALOG.PG_ROLES R WHERE R.ROLNAME = S.USENAME) AS USESYSID, USENAME,"
                + " APPLICATION_NAME, CLIENT_ADDR, " + NO_TEXT + " AS CLIENT_HOSTNAME, CLIENT_PORT, BACKEND_START,"
                + " XACT_START, QUERY_START, STATE_CHANGE,"
                + " CASE WHEN STATE = 'active' THEN NULL ELSE 'Client' END AS WAIT_EVENT_TYPE,"
                + " CASE WHEN STATE = 'active' THEN NULL ELSE 'ClientRead' END AS WAIT_EVENT, STATE, "
                + NO_TEXT + " AS BACKEND_XID, " + NO_TEXT + " AS BACKEND_XMIN, CAST(NULL AS BIGINT) AS QUERY_ID,"
                + " \"QUERY\", 'client backend' AS BACKEND_TYPE FROM (VALUES " + rows
                + ") AS S (PID, DATNAME, USENAME, APPLICATION_NAME, CLIENT_ADDR, CLIENT_PORT, BACKEND_START, XACT_START,"
                + " QUERY_START, STATE_CHANGE, STATE, \"QUERY\"))";
    }

    /** The statements of other users are shown to those alone who may do everything, as in PostgreSQL. */
    private static String row(SessionActivity.Shown session, SessionFacts facts) {
        boolean isShown = facts.seesAll() || session.user().equals(facts.user());
        Moment moment = session.moment();
        List<String> values = new ArrayList<>();
        values.add(Integer.toString(session.process()));
        values.add(text(session.database()));
        values.add(text(session.user()));
        values.add(text(moment.application()));
        int colon = session.origin().lastIndexOf(':');
        boolean hasPort = isShown && colon >= 0;
        values.add(hasPort ? text(session.origin().substring(0, colon)) : NO_TEXT);
        values.add(hasPort ? session.origin().substring(colon + 1) : "CAST(NULL AS INTEGER)");
        values.add(time(isShown ? session.begunMicros() : 0));
        values.add(time(isShown ? moment.transactionMicros() : 0));
        values.add(time(isShown ? moment.queryMicros() : 0));
        values.add(time(isShown ? moment.changedMicros() : 0));
        values.add(isShown ? text(moment.state().label()) : NO_TEXT);
        values.add(isShown ? text(moment.query()) : text("<insufficient privilege>"));
        return "(" + String.join(", ", values) + ")";
    }

    private static String text(String value) {
        return "CAST('" + value.replace("'", "''") + "' AS VARCHAR)";
    }

    private static String time(long micros) {
        return micros == 0
                ? "CAST(NULL AS " + TIME + ")"
                : "CAST('" + Instant.EPOCH.plus(micros, ChronoUnit.MICROS) + "' AS " + TIME + ")";
    }
}
