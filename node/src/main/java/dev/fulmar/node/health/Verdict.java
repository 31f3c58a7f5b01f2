package dev.fulmar.node.health;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Result of a liveness or readiness check, which the HTTP health endpoints return to a supervisor: healthy, or the
 * problems found.
 *
 * @param problems why the answer is no, for a person to read; empty if it is yes
 */
public record Verdict(List<String> problems) {
    public Verdict {
        problems = List.copyOf(problems);
    }

    public boolean isGood() {
        return problems.isEmpty();
    }

    /**
     * As a JSON object.
     *
     * @param hasDetails whether it tells why the answer is no
     */
    public String json(String good, String bad, boolean hasDetails) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("status", isGood() ? good : bad);
        if (hasDetails && !isGood()) {
            problems.forEach(json.putArray("problems")::add);
        }
        return json + "\n";
    }
}
