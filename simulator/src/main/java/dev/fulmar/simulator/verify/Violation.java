package dev.fulmar.simulator.verify;

import java.util.List;

/**
 * An anomaly that was found.
 *
 * @param explanation which reads and writes show it
 * @param transactions those involved, in the order of the explanation
 */
public record Violation(Anomaly anomaly, String explanation, List<Transaction> transactions) {
    public Violation {
        transactions = List.copyOf(transactions);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(anomaly).append(": ").append(explanation);
        transactions.forEach(transaction -> text.append("\n  ").append(transaction));
        return text.toString();
    }
}
