package dev.fulmar.benchmarks.peers;

import dev.fulmar.foundation.data.ParameterWriter;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Draws TPC-C-lite's requests: 51 % NewOrder with 5 to 15 lines, 49 % Payment. Not thread-safe. */
public final class TpccLiteDraw {
    static final int WAREHOUSES = 2;
    static final int DISTRICTS = 10;
    static final int CUSTOMERS = 3_000;
    static final int ITEMS = 100_000;

    private final RandomGenerator random;
    private int warehouse;
    private int district;
    private int customer;
    private int cents;
    private int[] items = {};
    private int[] quantities = {};

    public TpccLiteDraw(RandomGenerator random) {
        this.random = random;
    }

    /** Draws a request. */
    public void next() {
        warehouse = 1 + random.nextInt(WAREHOUSES);
        district = 1 + random.nextInt(DISTRICTS);
        customer = nonUniform(1023, CUSTOMERS);
        if (random.nextInt(100) < 51) {
            int lines = 5 + random.nextInt(11);
            cents = 0;
            items = new int[lines];
            quantities = new int[lines];
            for (int line = 0; line < lines; line++) {
                items[line] = distinctItem(line);
                quantities[line] = 1 + random.nextInt(10);
            }
        } else {
            items = new int[0];
            cents = 100 + random.nextInt(499_900);
        }
    }

    boolean isNewOrder() {
        return items.length > 0;
    }

    /** The procedure of the drawn request. */
    public String procedure() {
        return isNewOrder() ? "NewOrder" : "Payment";
    }

    int lines() {
        return items.length;
    }

    int cents() {
        return cents;
    }

    /** The arguments of the drawn request. */
    Object[] arguments() {
        return isNewOrder()
                ? new Object[] {warehouse, district, customer, items, quantities}
                : new Object[] {warehouse, district, customer, (long) cents};
    }

    /** The arguments in the format of parameter lists. */
    public byte[] parameters(ParameterWriter writer) {
        writer.begin();
        writer.add((long) warehouse);
        writer.add((long) district);
        writer.add((long) customer);
        if (isNewOrder()) {
            writer.addArray(items);
            writer.addArray(quantities);
        } else {
            writer.add((long) cents);
        }
        int bytes = writer.end();
        return Arrays.copyOf(writer.array(), bytes);
    }

    private int distinctItem(int count) {
        while (true) {
            int item = nonUniform(8191, ITEMS);
            boolean taken = false;
            for (int i = 0; i < count; i++) {
                taken |= items[i] == item;
            }
            if (!taken) {
                return item;
            }
        }
    }

    /** NURand of TPC-C clause 2.1.6 with C = 123, in {@code [1, highest]}. */
    private int nonUniform(int a, int highest) {
        return ((random.nextInt(a + 1) | (1 + random.nextInt(highest))) + 123) % highest + 1;
    }
}
