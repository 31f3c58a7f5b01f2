package dev.fulmar.engine.execution.value;

import dev.fulmar.engine.execution.value.ExpressionSearch.Match;
import dev.fulmar.engine.execution.value.RegularExpression.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/** Follows all ways through a match in the order of their preference, each with the parts that groups have by then. */
final class GroupSearch {
    private final RegularExpression expression;
    private final int[] characters;
    private final Match match;
    private final boolean prefersOther;
    private final LongConsumer spend;
    private int[] found;

    /** A step that is next, and the places of the groups' begins and ends. */
    private record Way(int step, int[] places) {}

    /**
     * @param prefersOther whether the other one of two alternatives comes first
     * @param spend is told the steps that are taken
     */
    GroupSearch(RegularExpression expression, int[] characters, Match match, boolean prefersOther, LongConsumer spend) {
        this.expression = expression;
        this.characters = characters;
        this.match = match;
        this.prefersOther = prefersOther;
        this.spend = spend;
        found = new int[2 * expression.groups() + 2];
        Arrays.fill(found, -1);
    }

    int[] groups() {
        int[] none = found.clone();
        spend.accept(expression.steps.size());
        List<Way> now = new ArrayList<>();
        add(now, new boolean[expression.steps.size()], new Way(0, none), match.start());
        for (int i = match.start(); i < match.end(); i++) {
            List<Way> next = new ArrayList<>();
            boolean[] known = new boolean[expression.steps.size()];
            spend.accept(now.size() + (long) known.length);
            for (Way way : now) {
                if (expression.steps.get(way.step) instanceof Step.One(CharacterSet set)
                        && expression.has(set, characters[i])) {
                    add(next, known, new Way(way.step + 1, way.places), i + 1);
                }
            }
            now = next;
        }
        found[0] = match.start();
        found[1] = match.end();
        return found;
    }

    /** The first way that is done at the end of the match counts. */
    private void add(List<Way> ways, boolean[] known, Way first, int place) {
        List<Way> open = new ArrayList<>(List.of(first));
        while (!open.isEmpty()) {
            Way way = open.removeLast();
            spend.accept(1);
            if (known[way.step]) {
                continue;
            }
            known[way.step] = true;
            switch (expression.steps.get(way.step)) {
                case Step.One _ -> ways.add(way);
                case Step.Fork(int one, int other, boolean isAlternative) -> {
                    boolean turns = isAlternative && prefersOther;
                    open.add(new Way(turns ? one : other, way.places));
                    open.add(new Way(turns ? other : one, way.places));
                }
                case Step.Jump(int onward) -> open.add(new Way(onward, way.places));
                case Step.Mark(int number) -> {
                    spend.accept(way.places.length);
                    int[] places = way.places.clone();
                    places[number] = place;
                    open.add(new Way(way.step + 1, places));
                }
                case Step.Border(RegularExpression.Edge edge) -> {
                    if (edge.isAt(characters, place)) {
                        open.add(new Way(way.step + 1, way.places));
                    }
                }
                case Step.Done _ -> {
                    if (place == match.end()) {
                        found = way.places.clone();
                    }
                }
            }
        }
    }
}
