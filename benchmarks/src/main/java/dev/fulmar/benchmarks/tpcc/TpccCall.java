package dev.fulmar.benchmarks.tpcc;

/** A request of a TPC-C load, as far as a record of its effects needs it. */
public sealed interface TpccCall {
    /** Its home warehouse. */
    int warehouse();

    /** Adds an order of the customer with so many lines to the district. */
    record NewOrder(int warehouse, int district, int customer, int lines) implements TpccCall {}

    /** Adds a row to the history of the district, by a customer who may belong to another one. */
    record Payment(int warehouse, int district, int customerWarehouse, int customerDistrict, long cents)
            implements TpccCall {}

    /** Any other. */
    record Other(int warehouse) implements TpccCall {}
}
