package dev.fulmar.wire.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostAddressTest {
    @ParameterizedTest
    @CsvSource({"db1:99,db1,99", "db1,db1,7420", "[::1]:5,::1,5", "[::1],::1,7420", "::1,::1,7420", "' h:0 ',h,0"})
    void addressesAreReadAsPeopleWriteThem(String text, String host, int port) {
        assertThat(HostAddress.parse(text)).isEqualTo(new HostAddress(host, port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "h:", "h:x", "h:70000", "h:-1", "[::1", "[::1]7", ":5"})
    void nonsenseIsRefusedWithTheForm(String text) {
        assertThatThrownBy(() -> HostAddress.parse(text))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("write host");
    }

    @Test
    void whatIsWrittenCanBeRead() {
        HostAddress address = new HostAddress("fe80::1", 7);
        assertThat(HostAddress.parse(address.toString())).isEqualTo(address);
    }
}
