package dev.fulmar.postgres.dialect;

import dev.fulmar.postgres.activity.SessionActivity;
import java.util.List;
import java.util.Map;

/** The session of a user ann in a database shop. */
public record FixedFacts(Map<String, String> settings) implements SessionFacts {
    public static final FixedFacts OF_ANN = new FixedFacts(Map.of("server_version", "15.0 (Fulmar)"));

    /** The statement as a session of ann has it translated. */
    public static Translation translated(String sql) {
        return Translator.translate(new Translator.Part(sql, 0), OF_ANN);
    }

    /** The text of that, with single blanks. */
    public static String words(String sql) {
        return translated(sql).sql().replaceAll("\\s+", " ").strip();
    }

    @Override
    public String user() {
        return "ann";
    }

    @Override
    public String database() {
        return "shop";
    }

    @Override
    public int process() {
        return 12;
    }

    @Override
    public List<SessionActivity.Shown> sessions() {
        return List.of();
    }

    @Override
    public boolean seesAll() {
        return false;
    }

    @Override
    public String setting(String name) {
        return settings.getOrDefault(name, "");
    }
}
