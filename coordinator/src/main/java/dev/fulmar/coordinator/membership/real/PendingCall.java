package dev.fulmar.coordinator.membership.real;

import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException;

/**
 * A call of the store that must be answered exactly once, on one thread. It also has the answers for ZooKeeper's codes
 * that come instead of a result.
 */
final class PendingCall<T> {
    private final Consumer<T> answer;
    private final Answers<T> answers;
    private boolean answered;

    /** How the failures of a kind of call are told. */
    record Answers<T>(T lost, Function<String, T> unanswered, Function<String, T> refused) {}

    PendingCall(Consumer<T> answer, Answers<T> answers) {
        this.answer = answer;
        this.answers = answers;
    }

    boolean isAnswered() {
        return answered;
    }

    void complete(T value) {
        if (!answered) {
            answered = true;
            answer.accept(value);
        }
    }

    void lose() {
        complete(answers.lost);
    }

    void leaveOpen(String reason) {
        complete(answers.unanswered.apply(reason));
    }

    void refuse(String message) {
        complete(answers.refused.apply(message));
    }

    void fail(KeeperException.Code code, String path) {
        switch (code) {
            case SESSIONEXPIRED -> lose();
            case NOAUTH, AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
                refuse("ZooKeeper does not let this node use " + path + " (" + code
                        + "); give all nodes the credentials with which the cluster was made");
            case INVALIDACL, QUOTAEXCEEDED, BADARGUMENTS, UNIMPLEMENTED ->
                refuse("ZooKeeper answers " + code + " for " + path + "; look into its configuration and its logs");
            // Of all others, known and to come, none says for certain that nothing happened.
            default -> leaveOpen("ZooKeeper answers " + code + " for " + path);
        }
    }
}
