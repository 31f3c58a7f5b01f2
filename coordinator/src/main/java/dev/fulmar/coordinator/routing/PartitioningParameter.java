package dev.fulmar.coordinator.routing;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.ParameterTypes;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterTag;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;

/**
 * The parameter of a call that says where it runs. Its value is first converted to the type of the partitioning column,
 * exactly as a statement's parameter is. So a call goes where its rows are. Immutable.
 *
 * @param position among the caller's parameters, from 0
 * @param type of the partitioning column
 */
public record PartitioningParameter(int position, ColumnType type) {
    private static final int COUNT_BYTES = 2;
    private static final int FIRST_VALUE = COUNT_BYTES + 1;

    /** The partition that the value belongs to; null belongs to partition 0. */
    public int partition(byte[] parameters, PartitionPlan plan) {
        if (position == 0 && startsWithInteger(parameters)) {
            return plan.partitionOf(LittleEndian.getLong(parameters, FIRST_VALUE));
        }
        ParameterReader reader =
                new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(parameters, 0, parameters.length);
        if (position >= reader.count()) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS,
                    "parameter " + (position + 1) + " chooses the partition but only " + reader.count()
                            + " parameters were given; pass one value for each");
        }
        if (reader.isNull(position)) {
            return 0;
        }
        Bindings value = new Bindings(new ParameterTypes(List.of(type)));
        value.set(0, reader, position);
        return partition(value, plan);
    }

    /** The usual case, which needs no object: an integer comes first, for an integer column. */
    private boolean startsWithInteger(byte[] parameters) {
        return type.kind().isInteger()
                && parameters.length >= FIRST_VALUE + Long.BYTES
                && parameters[COUNT_BYTES] == ParameterTag.LONG.number()
                && LittleEndian.getUnsignedShort(parameters, 0) > 0;
    }

    /** The key that the value is by the plan. */
    public RoutedKey key(byte[] parameters, PartitionPlan plan) {
        if (position == 0 && startsWithInteger(parameters)) {
            return integer(LittleEndian.getLong(parameters, FIRST_VALUE), plan);
        }
        ParameterReader reader =
                new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(parameters, 0, parameters.length);
        if (position >= reader.count() || reader.isNull(position)) {
            return RoutedKey.NONE;
        }
        Bindings value = new Bindings(new ParameterTypes(List.of(type)));
        value.set(0, reader, position);
        return switch (type.storage()) {
            case LONG -> integer(value.getLong(0), plan);
            case DOUBLE -> hash(plan.positionOf(value.getDouble(0)));
            case BYTES -> hash(plan.positionOf(value.bytesAddress(0), keyLength(value)));
            case WIDE -> hash(plan.positionOfWide(value.high(0), value.low(0)));
        };
    }

    /** The digits behind the point of a NUMERIC place no rows. */
    private int keyLength(Bindings value) {
        return value.bytesLength(0) - (type.kind() == TypeKind.NUMERIC ? NumericBytes.SCALE_BYTES : 0);
    }

    private static RoutedKey integer(long key, PartitionPlan plan) {
        return new RoutedKey.Position(plan.spaceOfIntegers(), plan.positionOf(key));
    }

    private static RoutedKey hash(long position) {
        return new RoutedKey.Position(KeySpace.HASH, position);
    }

    private int partition(Bindings value, PartitionPlan plan) {
        TypeKind.Storage storage = type.storage();
        return switch (storage) {
            case LONG -> plan.partitionOf(value.getLong(0));
            case DOUBLE -> plan.partitionOf(value.getDouble(0));
            case BYTES -> plan.partitionOf(value.bytesAddress(0), keyLength(value));
            case WIDE -> plan.partitionOfWide(value.high(0), value.low(0));
        };
    }
}
