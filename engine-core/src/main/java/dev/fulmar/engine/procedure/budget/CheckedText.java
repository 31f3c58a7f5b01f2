package dev.fulmar.engine.procedure.budget;

/**
 * Text whose reader pays for each character: a regular expression that goes back and forth over it meets the budget.
 */
final class CheckedText implements CharSequence {
    private final String text;
    private final ExecutionBudget budget;

    CheckedText(CharSequence text, ExecutionBudget budget) {
        this.text = text.toString();
        this.budget = budget;
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        budget.step();
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
