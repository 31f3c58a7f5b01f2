package dev.fulmar.foundation.time.real;

import dev.fulmar.foundation.contract.ClockContract;
import dev.fulmar.foundation.contract.Surroundings;
import dev.fulmar.foundation.time.Clock;

class SystemClockTest extends ClockContract {
    @Override
    protected Clock clock() {
        return new SystemClock();
    }

    @Override
    protected Surroundings surroundings() {
        return Surroundings.REAL;
    }
}
