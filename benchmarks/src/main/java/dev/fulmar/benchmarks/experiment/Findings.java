package dev.fulmar.benchmarks.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Findings of an experiment: checks against goals, and series to draw. Built by one thread. */
public final class Findings {
    private final String experiment;
    private final boolean quick;
    private final String durability;
    private final Goals goals = Goals.load();
    private final List<Check> checks = new ArrayList<>();
    private final Map<String, Object> series = new LinkedHashMap<>();
    private final Map<String, String> pictures = new LinkedHashMap<>();

    public Findings(String experiment, boolean quick, String durability) {
        this.experiment = experiment;
        this.quick = quick;
        this.durability = durability;
    }

    /** A measured value against the goal of the name in {@code goals.json}. */
    public void check(String goalName, double measured) {
        check(goalName, "", measured);
    }

    /** The same, for one of several cases that share a goal. */
    public void check(String goalName, String theCase, double measured) {
        Goal goal = goals.goal(goalName);
        String name = theCase.isEmpty() ? goalName : goalName + " (" + theCase + ")";
        checks.add(new Check(name, goal.text(), measured, goal.unit(), goal.isMetBy(measured)));
    }

    /** Figures that are shown but not judged. */
    public void series(String name, Object value) {
        series.put(name, value);
    }

    /** A picture, as SVG, that is written beside the JSON. */
    public void picture(String name, String svg) {
        pictures.put(name, svg);
    }

    public List<Check> checks() {
        return List.copyOf(checks);
    }

    /** Whether there is a check and all met their goals. */
    public boolean passed() {
        return !checks.isEmpty() && checks.stream().allMatch(Check::passed);
    }

    /** A judged value. */
    public record Check(String name, String goal, double measured, String unit, boolean passed) {}

    /** The JSON object that {@code --json} writes. */
    public Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", experiment);
        map.put("quick", quick);
        map.put("passed", passed());
        map.put("checks", checks);
        map.put("environment", Environment.describe(durability));
        map.put("series", series);
        return map;
    }

    public void writeJson(Path file) throws IOException {
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), asMap());
        for (Map.Entry<String, String> picture : pictures.entrySet()) {
            Files.writeString(file.resolveSibling(experiment + "-" + picture.getKey() + ".svg"), picture.getValue());
        }
    }
}
