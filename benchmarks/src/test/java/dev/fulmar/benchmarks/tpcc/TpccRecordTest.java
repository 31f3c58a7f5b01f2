package dev.fulmar.benchmarks.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.tpcc.TpccRecord.Content;
import dev.fulmar.benchmarks.tpcc.TpccRecord.District;
import dev.fulmar.client.CallResult;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TpccRecordTest {
    private static final TpccScale SCALE = new TpccScale(1, 100, 10);
    private static final District DISTRICT = new District(1, 2);
    private static final TpccCall.NewOrder ORDER = new TpccCall.NewOrder(1, 2, 7, 5);
    private static final TpccCall.Payment PAYMENT = new TpccCall.Payment(1, 2, 1, 3, 4_200);

    private final TpccRecord record = new TpccRecord(SCALE);

    private static Map<Integer, Content> orders(Map<Integer, Content> added) {
        Map<Integer, Content> orders = new HashMap<>(added);
        for (int number = 1; number <= SCALE.customersPerDistrict(); number++) {
            orders.put(number, new Content(number, 9));
        }
        return orders;
    }

    private static Map<TpccCall.Payment, Integer> payments(Map<TpccCall.Payment, Integer> added) {
        Map<TpccCall.Payment, Integer> payments = new HashMap<>(added);
        for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
            payments.put(new TpccCall.Payment(1, district, 1, district, 1_000), SCALE.customersPerDistrict());
        }
        return payments;
    }

    private void fails(TpccCall call, ErrorCode code) {
        record.sent(call, CompletableFuture.<CallResult>failedFuture(new FulmarException(code, "for the test")));
    }

    @Test
    void anAcknowledgedOrderIsThereAsItWasAskedFor() {
        record.acknowledged(ORDER, 11);

        assertThat(record.orderProblems(DISTRICT, orders(Map.of(11, new Content(7, 5)))))
                .isEmpty();
        assertThat(record.orderProblems(DISTRICT, orders(Map.of()))).hasSize(1);
        assertThat(record.orderProblems(DISTRICT, orders(Map.of(11, new Content(7, 6)))))
                .hasSize(1);
    }

    @Test
    void anOrderOfUnknownOutcomeIsThereAtMostOnce() {
        fails(ORDER, ErrorCode.TIMEOUT);
        Content content = new Content(7, 5);

        assertThat(record.orderProblems(DISTRICT, orders(Map.of()))).isEmpty();
        assertThat(record.orderProblems(DISTRICT, orders(Map.of(11, content)))).isEmpty();
        assertThat(record.orderProblems(DISTRICT, orders(Map.of(11, content, 12, content))))
                .hasSize(1);
        assertThat(record.orderProblems(DISTRICT, orders(Map.of(11, new Content(8, 5)))))
                .hasSize(1);
    }

    @Test
    void anOrderThatWasRefusedIsNotThere() {
        fails(ORDER, ErrorCode.SERVER_BUSY);
        fails(ORDER, ErrorCode.USER_ABORT);

        assertThat(record.orderProblems(DISTRICT, orders(Map.of(11, new Content(7, 5)))))
                .hasSize(1);
    }

    @Test
    void noTwoOrdersHaveTheSameNumber() {
        record.acknowledged(ORDER, 11);
        record.acknowledged(new TpccCall.NewOrder(1, 2, 8, 5), 11);

        assertThat(record.orderProblems(DISTRICT, orders(Map.of(11, new Content(8, 5)))))
                .hasSize(1)
                .allMatch(problem -> problem.contains("twice"));
    }

    @Test
    void initialOrdersStayThere() {
        Map<Integer, Content> found = orders(Map.of());
        found.remove(3);

        assertThat(record.orderProblems(DISTRICT, found)).hasSize(1);
    }

    @Test
    void anAcknowledgedPaymentIsThereOnce() {
        record.acknowledged(PAYMENT);

        assertThat(record.paymentProblems(1, payments(Map.of(PAYMENT, 1)))).isEmpty();
        assertThat(record.paymentProblems(1, payments(Map.of()))).hasSize(1);
        assertThat(record.paymentProblems(1, payments(Map.of(PAYMENT, 2)))).hasSize(1);
    }

    @Test
    void aPaymentOfUnknownOutcomeIsThereAtMostOnce() {
        fails(PAYMENT, ErrorCode.OUTCOME_UNKNOWN);

        assertThat(record.paymentProblems(1, payments(Map.of()))).isEmpty();
        assertThat(record.paymentProblems(1, payments(Map.of(PAYMENT, 1)))).isEmpty();
        assertThat(record.paymentProblems(1, payments(Map.of(PAYMENT, 2)))).hasSize(1);
    }

    @Test
    void initialPaymentsStayThere() {
        assertThat(record.paymentProblems(1, Map.of())).hasSize(TpccScale.DISTRICTS);
    }

    @Test
    void failuresAreTakenOnce() {
        fails(ORDER, ErrorCode.TIMEOUT);
        fails(PAYMENT, ErrorCode.TIMEOUT);

        Map<ErrorCode, TpccRecord.Failure> taken = record.takeFailures();
        assertThat(taken).containsOnlyKeys(ErrorCode.TIMEOUT);
        assertThat(Objects.requireNonNull(taken.get(ErrorCode.TIMEOUT)).count()).isEqualTo(2);
        assertThat(record.takeFailures()).isEmpty();
    }

    @Test
    void onlyRetryableAndUserErrorsHaveNoEffect() {
        List<ErrorCode> unknown = List.of(ErrorCode.values()).stream()
                .filter(TpccRecord::isUnknown)
                .toList();

        assertThat(unknown)
                .contains(ErrorCode.TIMEOUT, ErrorCode.OUTCOME_UNKNOWN, ErrorCode.NODE_LOST, ErrorCode.INTERNAL)
                .doesNotContain(ErrorCode.USER_ABORT, ErrorCode.NOT_CONNECTED, ErrorCode.SERVER_BUSY);
    }
}
