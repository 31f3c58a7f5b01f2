package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Notes of a session's statements on each partition, from a run of all of them that is undone. What is noted and what
 * the run has compared with its client's answers are of one state. For the run's fiber, and afterwards for one thread.
 */
public final class SeenParts {
    private final Map<Integer, List<SeenPart>> parts = new TreeMap<>();

    /** Forgets what an earlier attempt has seen. */
    void begin() {
        parts.clear();
    }

    /** The parts of the statement with that number, from 0. */
    public List<SeenPart> of(int number) {
        return parts.getOrDefault(number, List.of());
    }

    /** The same dispatch, whose results are noted for the statement with that number. */
    FragmentDispatch over(FragmentDispatch dispatch, int number) {
        List<SeenPart> seen = new ArrayList<>();
        parts.put(number, seen);
        return new FragmentDispatch() {
            @Override
            public Outcome run(SortedMap<PartitionId, List<FragmentWork>> work) {
                Outcome outcome = dispatch.run(work);
                if (outcome.failure() == null) {
                    work.forEach((partition, sent) -> note(
                            partition,
                            sent,
                            Objects.requireNonNull(outcome.results().get(partition)),
                            seen));
                }
                return outcome;
            }

            @Override
            public void undoFrom(int firstStatement) {
                dispatch.undoFrom(firstStatement);
            }

            @Override
            public int nextStatement() {
                return dispatch.nextStatement();
            }
        };
    }

    private static void note(
            PartitionId partition, List<FragmentWork> sent, List<FragmentResult> results, List<SeenPart> seen) {
        for (int i = 0; i < sent.size(); i++) {
            if (sent.get(i) instanceof StatementFragment fragment) {
                seen.add(new SeenPart(partition.number(), fragment.fragment(), SeenPart.digest(results.get(i))));
            }
        }
    }
}
