package dev.fulmar.benchmarks.tpcc;

/**
 * Size of the database. {@link #full} is the specification's; a smaller one is for tests and quick looks.
 *
 * @param items rows of ITEM, and of STOCK per warehouse
 * @param customersPerDistrict customers, and as many initial orders, per district
 */
public record TpccScale(int warehouses, int items, int customersPerDistrict) {
    public static final int DISTRICTS = 10;

    public TpccScale {
        if (warehouses < 1 || items < 100 || customersPerDistrict < 10) {
            throw new IllegalArgumentException(
                    "TPC-C needs at least 1 warehouse, 100 items and 10 customers per district");
        }
    }

    /** The specification's size: 100,000 items, 3,000 customers per district. */
    public static TpccScale full(int warehouses) {
        return new TpccScale(warehouses, 100_000, 3_000);
    }

    /** About one thirtieth of the specification's size, for tests. */
    public static TpccScale small(int warehouses) {
        return new TpccScale(warehouses, 2_000, 120);
    }

    /** Initial orders of a district that are delivered; the last 30 % are not. */
    public int deliveredOrders() {
        return customersPerDistrict * 7 / 10;
    }
}
