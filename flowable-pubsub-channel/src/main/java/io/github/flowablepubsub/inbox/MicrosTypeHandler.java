package io.github.flowablepubsub.inbox;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;
import org.jspecify.annotations.Nullable;

/** Instants as microseconds since 1970, see {@link Dialect}. Registered for numeric columns only. */
final class MicrosTypeHandler extends BaseTypeHandler<OffsetDateTime> {

    @Override
    public void setNonNullParameter(PreparedStatement statement, int index, OffsetDateTime time, JdbcType type)
            throws SQLException {
        statement.setLong(index, micros(time));
    }

    @Override
    public @Nullable OffsetDateTime getNullableResult(ResultSet result, String column) throws SQLException {
        long micros = result.getLong(column);
        return result.wasNull() ? null : time(micros);
    }

    @Override
    public @Nullable OffsetDateTime getNullableResult(ResultSet result, int column) throws SQLException {
        long micros = result.getLong(column);
        return result.wasNull() ? null : time(micros);
    }

    @Override
    public @Nullable OffsetDateTime getNullableResult(CallableStatement statement, int column) throws SQLException {
        long micros = statement.getLong(column);
        return statement.wasNull() ? null : time(micros);
    }

    static long micros(OffsetDateTime time) {
        // not ChronoUnit.MICROS.between, which counts nanoseconds and overflows in the year 2262
        return Math.addExact(Math.multiplyExact(time.toEpochSecond(), 1_000_000L), time.getNano() / 1000);
    }

    static OffsetDateTime time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }
}
