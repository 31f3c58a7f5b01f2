package dev.fulmar.postgres.session;

import dev.fulmar.postgres.activity.OwnActivity;
import dev.fulmar.postgres.activity.SessionActivity;
import dev.fulmar.postgres.dialect.SessionFacts;
import dev.fulmar.postgres.setting.SessionSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Facts that a session knows of itself. */
record KnownFacts(
        ClientIdentity client,
        SessionSettings known,
        DeclaredCursors declared,
        PreparedTexts prepared,
        OwnActivity activity)
        implements SessionFacts {
    /** The user where no one has to log in. */
    static final String NOBODY = "fulmar";

    @Override
    public String user() {
        return client.user().isEmpty() ? NOBODY : client.user();
    }

    @Override
    public String database() {
        return client.database();
    }

    @Override
    public String setting(String name) {
        return known.show(name).value();
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        known.all().forEach(setting -> settings.put(setting.name(), setting.value()));
        return settings;
    }

    @Override
    public int process() {
        return activity.process();
    }

    @Override
    public List<SessionActivity.Shown> sessions() {
        return activity.all().shown();
    }

    @Override
    public boolean seesAll() {
        return activity.all().seesAll(client.caller());
    }

    @Override
    public List<OpenCursor> cursors() {
        return declared.all();
    }

    @Override
    public List<KnownStatement> statements() {
        return prepared.all();
    }
}
