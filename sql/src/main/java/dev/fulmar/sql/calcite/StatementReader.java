package dev.fulmar.sql.calcite;

import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.sql.text.FunctionNames;
import dev.fulmar.sql.text.JsonSymbols;
import dev.fulmar.sql.text.ZoneOperators;
import java.io.IOException;
import org.apache.calcite.util.SourceStringReader;

/** Hands the parser the text in small pieces, so that the planning of a long one can end before it is parsed. */
final class StatementReader extends SourceStringReader {
    private static final int PIECE_CHARACTERS = 256;

    StatementReader(String text) {
        super(JsonSymbols.written(ZoneOperators.written(FunctionNames.written(text))));
    }

    @Override
    public int read(char[] target, int offset, int length) throws IOException {
        PlanningTurn.goOn();
        return super.read(target, offset, Math.min(length, PIECE_CHARACTERS));
    }
}
