package dev.fulmar.benchmarks.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Goals of all experiments by name, loaded from the resource {@code goals.json}. */
public final class Goals {
    private final SortedMap<String, Goal> goals;

    private Goals(SortedMap<String, Goal> goals) {
        this.goals = Collections.unmodifiableSortedMap(goals);
    }

    /** Reads the goals that are committed with the project. */
    public static Goals load() {
        TreeMap<String, Goal> goals = new TreeMap<>();
        try (InputStream content = Goals.class.getResourceAsStream("/goals.json")) {
            if (content == null) {
                throw new IllegalStateException("goals.json is missing from the class path");
            }
            for (JsonNode entry : new ObjectMapper().readTree(content)) {
                Goal goal = new Goal(
                        entry.required("name").asText(),
                        Goal.Comparison.valueOf(entry.required("comparison").asText()),
                        entry.required("value").asDouble(),
                        entry.required("unit").asText());
                if (goals.put(goal.name(), goal) != null) {
                    throw new IllegalStateException("goals.json has two goals named " + goal.name());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Goals(goals);
    }

    /** The goal; it must exist. */
    public Goal goal(String name) {
        Goal goal = goals.get(name);
        if (goal == null) {
            throw new IllegalArgumentException("goals.json has no goal named " + name);
        }
        return goal;
    }
}
